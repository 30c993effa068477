// A review that is over: who decided it, when and why, from the audit log.
import type { AuditEntry } from '@cardstock/sdk'
import { Button } from '@mantine/core'
import { api } from '~/api/client.ts'
import { useData } from '~/api/use-data.ts'
import { paths } from '~/paths.ts'
import { CopyId } from '~/ui/copy.tsx'
import { Go } from '~/ui/go.tsx'
import { Loaded } from '~/ui/loaded.tsx'
import { Notice, Problem } from '~/ui/notice.tsx'
import { Facts, PageHeading, Panel, Stack } from '~/ui/page.tsx'
import { Status } from '~/ui/status.tsx'
import { Time } from '~/ui/time.tsx'
import { CompanyName } from '~/pages/operator/company-name.tsx'
import { describeDecision } from './words.ts'

const DECISION = /^review\.(completed|failed|expired)$/
/** An object has few records; the decision is among the newest. */
const RECORDS_MAX = 20

/** Shows `error` if the audit log has no decision. */
export function Decided({ id, error }: { id: string; error: unknown }) {
  const query = useData('audit-log', ['of', id], (_client, options) =>
    api.admin.auditLog.list({ object: id, limit: RECORDS_MAX }, options),
  )
  return (
    <>
      <PageHeading title="Review" parent={{ href: paths.reviews(), title: 'Reviews' }}>
        <CopyId value={id} />
      </PageHeading>
      <Loaded query={query}>
        {({ data }) => {
          const entry = data.find(({ action }) => DECISION.test(action))
          return entry === undefined ? <Problem error={error} /> : <Decision entry={entry} />
        }}
      </Loaded>
    </>
  )
}

function Decision({ entry }: { entry: AuditEntry }) {
  const outcome = DECISION.exec(entry.action)?.[1] ?? ''
  const text = (name: string) => {
    const value = entry.details[name]
    return typeof value === 'string' ? value : undefined
  }
  const [reason, evidence] = [text('reason'), text('evidence')]
  return (
    <Stack>
      <div role="status">
        <Notice tone={outcome === 'completed' ? 'green' : 'grey'} title={`Decided by ${entry.actor}`}>
          <p>{describeDecision(outcome)} It cannot be decided again.</p>
        </Notice>
      </div>
      <Panel title="The decision">
        <Facts
          facts={[
            ['Outcome', <Status key="outcome" value={outcome} />],
            ['By', entry.actor],
            entry.actorId === null ? undefined : ['Id', <CopyId key="by" value={entry.actorId} />],
            ['At', <Time key="at" value={entry.createdAt} precision="long" />],
            reason === undefined ? undefined : ['Reason', reason],
            evidence === undefined ? undefined : ['Evidence', evidence],
            entry.companyId === null
              ? undefined
              : [
                  'Company',
                  <Go key="company" href={paths.company(entry.companyId)}>
                    <CompanyName id={entry.companyId} />
                  </Go>,
                ],
          ]}
        />
      </Panel>
      <div>
        <Button component={Go} href={paths.reviews()} variant="default">
          Other reviews
        </Button>
      </div>
    </Stack>
  )
}
