// Who did what, when and from where. Records are never changed or deleted.
import type { AuditEntry } from '@cardstock/sdk'
import { api } from '~/api/client.ts'
import { AuditObject } from '~/ui/audit-object.tsx'
import type { Filter } from '~/ui/filters.tsx'
import { ListPage } from '~/ui/list-page.tsx'
import { Empty } from '~/ui/notice.tsx'
import type { Column } from '~/ui/table.tsx'
import { CompanyField } from '~/pages/operator/company-field.tsx'
import { AUDIT_COLUMNS } from '~/pages/operator/audit-columns.tsx'

const FILTERS: readonly Filter[] = [
  { name: 'companyId', label: 'Company', field: (slot) => <CompanyField {...slot} label="Company" /> },
  { name: 'object', label: 'Object', type: 'text', placeholder: 'op_…, key_…' },
  { name: 'actorId', label: 'By', type: 'text', placeholder: 'per_…, key_…' },
]

const COLUMNS: readonly Column<AuditEntry>[] = [
  ...AUDIT_COLUMNS.slice(0, 3),
  {
    title: 'Company',
    show: ({ companyId, companyName }) => companyName ?? companyId ?? '–',
  },
  { title: 'Object', show: (entry) => <AuditObject {...entry} /> },
  ...AUDIT_COLUMNS.slice(3),
]

export default function AuditLog() {
  return (
    <ListPage<AuditEntry>
      title="Audit log"
      topic="audit-log"
      read={(_client, filter, options) => api.admin.auditLog.list(filter, options)}
      filters={FILTERS}
      columns={COLUMNS}
      keyOf={({ id }) => id}
      empty={
        <Empty icon="book" title="Nothing recorded yet">
          Decisions and changes are recorded here, with the name and id of whoever made them.
        </Empty>
      }
    />
  )
}
