// The latest audits and reconciliations with their results, from the audit log.
import type { AuditEntry } from '@cardstock/sdk'
import { api } from '~/api/client.ts'
import { useData } from '~/api/use-data.ts'
import { describeAction } from '~/lib/action-words.ts'
import { ExportCsv } from '~/ui/export-csv.tsx'
import { Loaded } from '~/ui/loaded.tsx'
import { Empty } from '~/ui/notice.tsx'
import { Panel } from '~/ui/page.tsx'
import { Badge } from '~/ui/status.tsx'
import { type Column, Table } from '~/ui/table.tsx'
import { Time } from '~/ui/time.tsx'

const SHOWN_MAX = 20
const OF_LEDGER = { object: 'ledger' }

const COLUMNS: readonly Column<AuditEntry>[] = [
  { title: 'Check', role: 'name', show: ({ action }) => describeAction(action) },
  { title: 'Result', show: ({ details }) => <Result differences={Number(details['differences'])} /> },
  { title: 'Compared', show: ({ details }) => describeSize(details) },
  { title: 'By', show: ({ actor }) => actor },
  { title: 'Time', show: ({ createdAt }) => <Time value={createdAt} /> },
]

function Result({ differences }: { differences: number }) {
  return differences === 0 ? (
    <Badge tone="green" shape="check">
      No differences
    </Badge>
  ) : (
    <Badge tone="red" shape="cross">
      {differences === 1 ? '1 difference' : `${differences.toLocaleString('en')} differences`}
    </Badge>
  )
}

/** `2 accounts, 14 entries`. */
function describeSize(details: AuditEntry['details']): string {
  return ['accounts', 'entries', 'companies', 'compared']
    .flatMap((name) => {
      const count = details[name]
      return typeof count === 'number'
        ? [`${count.toLocaleString('en')} ${name === 'compared' ? 'records' : name}`]
        : []
    })
    .join(', ')
}

export function Runs() {
  const query = useData('ledger', ['runs'], (_client, options) =>
    api.admin.auditLog.list({ ...OF_LEDGER, limit: SHOWN_MAX }, options),
  )
  return (
    <Panel
      title="Latest runs"
      isFlush
      actions={
        <ExportCsv
          title="Runs"
          size="xs"
          read={(_client, filter, options) => api.admin.auditLog.list(filter, options)}
          filter={OF_LEDGER}
        />
      }
    >
      <Loaded query={query}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty icon="scale" title="No runs yet">
              Every audit and reconciliation is recorded here with its result.
            </Empty>
          ) : (
            <Table label="Runs" columns={COLUMNS} rows={data} keyOf={({ id }) => id} />
          )
        }
      </Loaded>
    </Panel>
  )
}
