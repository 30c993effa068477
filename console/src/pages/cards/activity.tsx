// The latest payments and operations of a card, and who changed its status.
import type { Card, CardChange } from '@cardstock/sdk'
import type { ReactNode } from 'react'
import { useWorkplace } from '~/api/company.tsx'
import { useData } from '~/api/use-data.ts'
import { paths } from '~/paths.ts'
import { ExportCsv } from '~/ui/export-csv.tsx'
import { Go } from '~/ui/go.tsx'
import { Loaded } from '~/ui/loaded.tsx'
import { Money } from '~/ui/money.tsx'
import { Empty, OnlyNewest } from '~/ui/notice.tsx'
import { Panel, PanelActions } from '~/ui/page.tsx'
import { Status } from '~/ui/status.tsx'
import { type Column, Table } from '~/ui/table.tsx'
import { Time } from '~/ui/time.tsx'
import { OPERATION_COLUMNS } from '~/features/operations/columns.tsx'
import { describeCreator } from '~/features/operations/words.ts'
import { PAYMENT_COLUMNS_OF_CARD } from '~/features/cards/payment-columns.tsx'
import { SimulatePurchase } from '~/features/cards/simulate.tsx'
import styles from './cards.module.css'

/** What fits beside the rest of the page. */
const SHOWN_MAX = 10

export function CardPayments({ card }: { card: Card }) {
  const { environment, may } = useWorkplace()
  const query = useData(
    'transactions',
    ['of card', card.id],
    (client, options) => client.transactions.list({ cardId: card.id, limit: SHOWN_MAX }, options),
    { isMoving: true },
  )
  const simulate =
    environment === 'sandbox' && may('cards:write') ? <SimulatePurchase card={card} size="xs" /> : undefined
  return (
    <Panel
      title="Transactions"
      isFlush
      actions={
        <PanelActions>
          <ExportCsv
            title="Transactions"
            size="xs"
            read={(client, filter, options) => client.transactions.list(filter, options)}
            filter={{ cardId: card.id }}
          />
          {simulate}
        </PanelActions>
      }
    >
      <Loaded query={query} skeleton={<Padded>…</Padded>}>
        {({ data, nextCursor }) =>
          data.length === 0 ? (
            <Empty icon="receipt" title="No transactions yet">
              {environment === 'sandbox'
                ? 'Simulate a payment to see one.'
                : 'Transactions appear here when the issuer reports them.'}
            </Empty>
          ) : (
            <>
              <Table
                label="Transactions"
                columns={PAYMENT_COLUMNS_OF_CARD}
                rows={data}
                keyOf={({ id }) => id}
                hrefOf={({ id }) => paths.transaction(id)}
              />
              {nextCursor === null ? null : (
                <p className={styles.more}>
                  <Go href={paths.transactions({ cardId: card.id })}>All transactions of this card</Go>
                </p>
              )}
            </>
          )
        }
      </Loaded>
    </Panel>
  )
}

/** Beside the card there is no room for the amount without its fee. */
const HISTORY_COLUMNS = OPERATION_COLUMNS.filter(({ title }) => title !== 'Amount')

export function CardHistory({ card }: { card: Card }) {
  const { may } = useWorkplace()
  const query = useData(
    'operations',
    ['of card', card.id],
    (client, options) => client.operations.list({ cardId: card.id, limit: SHOWN_MAX }, options),
    { isMoving: true, isEnabled: may('operations:read') },
  )
  return (
    <Panel
      title="History"
      isFlush
      actions={
        <ExportCsv
          title="History"
          size="xs"
          read={(client, filter, options) => client.operations.list(filter, options)}
          filter={{ cardId: card.id }}
        />
      }
    >
      <Loaded query={query} skeleton={<Padded>…</Padded>}>
        {({ data, nextCursor }) => (
          <>
            <Table
              label="History"
              columns={HISTORY_COLUMNS}
              rows={data}
              keyOf={({ id }) => id}
              hrefOf={({ id }) => paths.operation(id)}
            />
            {nextCursor === null ? null : (
              <p className={styles.more}>
                <Go href={paths.operations({ cardId: card.id })}>All operations of this card</Go>
              </p>
            )}
          </>
        )}
      </Loaded>
    </Panel>
  )
}

const CHANGE_TITLES: Readonly<Record<CardChange['wantedStatus'], string>> = {
  active: 'Unfreeze',
  frozen: 'Freeze',
  closed: 'Close',
}

const CHANGE_COLUMNS: readonly Column<CardChange>[] = [
  { title: 'Change', role: 'name', show: ({ wantedStatus }) => CHANGE_TITLES[wantedStatus] },
  { title: 'Status', show: ({ status }) => <Status value={status} /> },
  { title: 'Requested by', show: ({ createdBy }) => (createdBy === undefined ? '–' : describeCreator(createdBy)) },
  { title: 'Time', show: ({ createdAt }) => <Time value={createdAt} /> },
  {
    title: 'Returned to the card account',
    role: 'amount',
    show: ({ returnedAmount }) => (returnedAmount === undefined ? '–' : <Money value={returnedAmount} />),
  },
]

/** Who froze, unfroze and closed the card, when, and where its money went. */
export function CardChanges({ card }: { card: Card }) {
  const query = useData(
    'cards',
    [card.id, 'changes', card.status, card.pendingStatus],
    (client, options) => client.cards.changes(card.id, { limit: SHOWN_MAX }, options),
    { keepsFormer: true },
  )
  if (query.data?.data.length === 0) return null
  return (
    <Panel
      title="Freezing and closing"
      isFlush
      actions={
        <ExportCsv
          title="Freezing and closing"
          size="xs"
          read={(client, filter, options) => client.cards.changes(card.id, filter, options)}
          filter={{}}
        />
      }
    >
      <Loaded query={query} skeleton={<Padded>…</Padded>}>
        {({ data, nextCursor }) => (
          <>
            <Table label="Freezing and closing" columns={CHANGE_COLUMNS} rows={data} keyOf={({ id }) => id} />
            {nextCursor === null ? null : <OnlyNewest count={SHOWN_MAX} />}
          </>
        )}
      </Loaded>
    </Panel>
  )
}

function Padded({ children }: { children: ReactNode }) {
  return <div className={styles.more}>{children}</div>
}
