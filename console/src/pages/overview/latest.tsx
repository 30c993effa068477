// The latest operations and payments.
import { useWorkplace } from '~/api/company.tsx'
import { useData } from '~/api/use-data.ts'
import { paths } from '~/paths.ts'
import { Go } from '~/ui/go.tsx'
import { Lines, Loaded } from '~/ui/loaded.tsx'
import { Empty } from '~/ui/notice.tsx'
import { Panel } from '~/ui/page.tsx'
import { Table } from '~/ui/table.tsx'
import { PAYMENT_COLUMNS } from '~/features/cards/payment-columns.tsx'
import { OPERATION_COLUMNS } from '~/features/operations/columns.tsx'
import styles from './overview.module.css'

const SHOWN_MAX = 5

export function LatestOperations() {
  const query = useData(
    'operations',
    ['latest'],
    (client, options) => client.operations.list({ limit: SHOWN_MAX }, options),
    { isMoving: true },
  )
  return (
    <Panel title="Latest operations" isFlush actions={<Go href={paths.operations()}>All operations</Go>}>
      <div className={styles.rowsPlace}>
        <Loaded query={query} skeleton={<Lines count={5} height={28} />}>
          {({ data }) =>
            data.length === 0 ? (
              <Empty icon="activity" title="No operations yet" />
            ) : (
              <Table
                label="Latest operations"
                columns={OPERATION_COLUMNS}
                rows={data}
                keyOf={({ id }) => id}
                hrefOf={({ id }) => paths.operation(id)}
              />
            )
          }
        </Loaded>
      </div>
    </Panel>
  )
}

/** The page also asks whether there is one, with the same request. */
export function useLatestPayments() {
  const { may } = useWorkplace()
  return useData(
    'transactions',
    ['latest'],
    (client, options) => client.transactions.list({ limit: SHOWN_MAX }, options),
    { isEnabled: may('operations:read'), isMoving: true },
  )
}

export function LatestPayments() {
  const { environment } = useWorkplace()
  const query = useLatestPayments()
  return (
    <Panel title="Latest transactions" isFlush actions={<Go href={paths.transactions()}>All transactions</Go>}>
      <div className={styles.rowsPlace}>
        <Loaded query={query} skeleton={<Lines count={5} height={28} />}>
          {({ data }) =>
            data.length === 0 ? (
              <Empty icon="receipt" title="No transactions yet">
                {environment === 'sandbox'
                  ? 'Open a card and simulate a payment to see one.'
                  : 'Payments with your cards appear here when the issuer reports them.'}
              </Empty>
            ) : (
              <Table
                label="Latest transactions"
                columns={PAYMENT_COLUMNS}
                rows={data}
                keyOf={({ id }) => id}
                hrefOf={({ id }) => paths.transaction(id)}
              />
            )
          }
        </Loaded>
      </div>
    </Panel>
  )
}
