// The browsers in which you are signed in. Any of them can be ended from here.
import { Button } from '@mantine/core'
import type { SignedInBrowser } from '@cardstock/sdk/console'
import { api } from '~/api/client.ts'
import { useAction } from '~/api/use-action.ts'
import { useData } from '~/api/use-data.ts'
import { describeBrowser } from '~/lib/browser-name.ts'
import { asBatch, ExportCsv } from '~/ui/export-csv.tsx'
import { Loaded } from '~/ui/loaded.tsx'
import { Problem } from '~/ui/notice.tsx'
import { Panel, PanelActions } from '~/ui/page.tsx'
import { type Column, Table } from '~/ui/table.tsx'
import { toast } from '~/ui/toast.ts'
import { Time } from '~/ui/time.tsx'

export function Sessions() {
  const query = useData('sessions', [], (_client, options) => api.session.sessions(options))
  const end = useAction((id: string) => api.session.endSession(id), {
    refreshes: ['sessions'],
    onDone: () => toast('Session ended.'),
  })
  const endOthers = useAction(() => api.session.endOtherSessions(), {
    refreshes: ['sessions'],
    onDone: () => toast('Sessions ended.'),
  })
  const columns: readonly Column<SignedInBrowser>[] = [
    { title: 'Browser', role: 'name', show: ({ userAgent }) => describeBrowser(userAgent) },
    { title: 'IP address', show: ({ address }) => address },
    { title: 'Signed in', show: ({ createdAt }) => <Time value={createdAt} /> },
    { title: 'Last seen', show: ({ lastSeenAt }) => <Time value={lastSeenAt} /> },
    {
      title: 'Actions',
      show: ({ id, isCurrent, userAgent }) =>
        isCurrent ? (
          <span className="muted">This session</span>
        ) : (
          <Button
            size="xs"
            variant="default"
            aria-label={`End session of ${describeBrowser(userAgent)}`}
            loading={end.isBusy}
            onClick={() => void end.run(id)}
          >
            End session
          </Button>
        ),
    },
  ]
  return (
    <Panel
      title="Sessions"
      isFlush
      actions={
        <PanelActions>
          <ExportCsv
            title="Sessions"
            size="xs"
            read={async (_client, _filter, options) => asBatch((await api.session.sessions(options)).data)}
            filter={{}}
          />
          <Button size="xs" variant="default" loading={endOthers.isBusy} onClick={() => void endOthers.run()}>
            End other sessions
          </Button>
        </PanelActions>
      }
    >
      <Problem error={end.error ?? endOthers.error} />
      <Loaded query={query}>
        {({ data }) => <Table label="Sessions" columns={columns} rows={data} keyOf={({ id }) => id} />}
      </Loaded>
    </Panel>
  )
}
