// The newest records of the audit log about a company.
import { api } from '~/api/client.ts'
import { useData } from '~/api/use-data.ts'
import { paths } from '~/paths.ts'
import { ExportCsv } from '~/ui/export-csv.tsx'
import { Go } from '~/ui/go.tsx'
import { Loaded } from '~/ui/loaded.tsx'
import { Empty } from '~/ui/notice.tsx'
import { Panel } from '~/ui/page.tsx'
import { Table } from '~/ui/table.tsx'
import { AUDIT_COLUMNS } from '~/pages/operator/audit-columns.tsx'
import styles from './companies.module.css'

const SHOWN_MAX = 10

export function CompanyHistory({ companyId }: { companyId: string }) {
  const query = useData('audit-log', ['of company', companyId], (_client, options) =>
    api.admin.auditLog.list({ companyId, limit: SHOWN_MAX }, options),
  )
  return (
    <Panel
      title="Activity"
      isFlush
      actions={
        <ExportCsv
          title="Activity"
          size="xs"
          read={(_client, filter, options) => api.admin.auditLog.list(filter, options)}
          filter={{ companyId }}
        />
      }
    >
      <Loaded query={query}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty icon="book" title="No activity yet">
              Decisions and changes about this company are recorded here.
            </Empty>
          ) : (
            <>
              <Table label="Activity" columns={AUDIT_COLUMNS} rows={data} keyOf={({ id }) => id} />
              <p className={styles.more}>
                <Go href={paths.auditLog({ companyId })}>View full audit log</Go>
              </p>
            </>
          )
        }
      </Loaded>
    </Panel>
  )
}
