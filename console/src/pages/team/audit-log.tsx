// What was done in the company, by whom and when.
import type { CompanyAuditEntry } from '@cardstock/sdk/console'
import { describeAction } from '~/lib/action-words.ts'
import { paths } from '~/paths.ts'
import { AuditObject } from '~/ui/audit-object.tsx'
import { ListPage } from '~/ui/list-page.tsx'
import { Empty } from '~/ui/notice.tsx'
import type { Column } from '~/ui/table.tsx'
import { Time } from '~/ui/time.tsx'

const COLUMNS: readonly Column<CompanyAuditEntry>[] = [
  { title: 'Action', role: 'name', show: ({ action }) => describeAction(action) },
  { title: 'By', show: ({ by }) => by },
  { title: 'Object', show: (entry) => <AuditObject {...entry} /> },
  { title: 'IP address', show: ({ address }) => address ?? '–' },
  { title: 'Time', show: ({ createdAt }) => <Time value={createdAt} /> },
]

export default function CompanyAuditLog() {
  return (
    <ListPage<CompanyAuditEntry>
      title="Audit log"
      topic="audit-log"
      read={(client, filter, options) => client.team.auditLog(filter, options)}
      columns={COLUMNS}
      keyOf={({ id }) => id}
      parent={{ href: paths.team(), title: 'Team' }}
      empty={
        <Empty icon="book" title="Nothing recorded yet">
          Changes to people, keys and holders, and decisions about the company, are recorded here for both environments.
        </Empty>
      }
    />
  )
}
