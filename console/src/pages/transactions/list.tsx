// Card payments, newest first, with filters.
import { Button } from '@mantine/core'
import { SPEND_CATEGORIES, type Transaction, TRANSACTION_STATUSES, TRANSACTION_TYPES } from '@cardstock/sdk'
import { useWorkplace } from '~/api/company.tsx'
import { useData } from '~/api/use-data.ts'
import { paths } from '~/paths.ts'
import { type Filter, searchFilter } from '~/ui/filters.tsx'
import { Go } from '~/ui/go.tsx'
import { ListPage } from '~/ui/list-page.tsx'
import { Empty } from '~/ui/notice.tsx'
import { BY_TIME } from '~/ui/sort.ts'
import { STATUSES } from '~/ui/statuses.ts'
import type { Column } from '~/ui/table.tsx'
import { Time } from '~/ui/time.tsx'
import { CardField } from '~/features/cards/card-field.tsx'
import { CardNumber } from '~/features/cards/card-number.tsx'
import { PaymentAmount } from '~/features/cards/payment-amount.tsx'
import { PaymentStatus } from '~/features/cards/payment-status.tsx'
import { SimulatePurchase } from '~/features/cards/simulate.tsx'
import { Totals } from './totals.tsx'
import { CATEGORY_TITLES, titleOf, TYPE_TITLES } from './words.ts'

/** Whether there is a card to pay with. */
const ONE_ACTIVE = { status: 'active', limit: 1 } as const

export default function Transactions() {
  const { environment, may } = useWorkplace()
  const active = useData('cards', ['one active'], (client, options) => client.cards.list(ONE_ACTIVE, options), {
    isEnabled: environment === 'sandbox' && may('cards:write') && may('cards:read'),
  })
  const simulate = (active.data?.data.length ?? 0) > 0 ? <SimulatePurchase /> : null
  const issue = may('cards:write') ? (
    <Button component={Go} href={paths.issueCard()}>
      Issue card
    </Button>
  ) : null
  return (
    <ListPage<Transaction>
      title="Transactions"
      topic="transactions"
      read={(client, filter, options) => client.transactions.list(filter, options)}
      filters={filtersWith(may('cards:read'))}
      sorts="time"
      columns={COLUMNS}
      keyOf={({ id }) => id}
      hrefOf={({ id }) => paths.transaction(id)}
      actions={simulate}
      summary={(filter) => <Totals filter={filter} />}
      empty={
        <Empty icon="receipt" title="No transactions yet" action={simulate ?? issue}>
          {simulate === null
            ? 'Every card payment appears here. Issue a card to begin.'
            : 'Every card payment appears here. In the sandbox, you simulate one yourself.'}
        </Empty>
      }
    />
  )
}

const COLUMNS: readonly Column<Transaction>[] = [
  { title: 'Merchant', role: 'name', show: titleOf },
  { title: 'Type', show: ({ type }) => TYPE_TITLES[type] },
  { title: 'Card', show: ({ card }) => (card === undefined ? '–' : <CardNumber last4={card.last4} />) },
  { title: 'Holder', show: ({ holder }) => holder?.name ?? '–' },
  { title: 'Status', show: (payment) => <PaymentStatus payment={payment} /> },
  { title: 'Time', sort: BY_TIME, show: ({ occurredAt }) => <Time value={occurredAt} /> },
  {
    title: 'Amount',
    role: 'amount',
    show: (payment) => <PaymentAmount payment={payment} />,
  },
]

const CARD_FILTER: Filter = { name: 'cardId', label: 'Card', field: (slot) => <CardField {...slot} /> }

function filtersWith(mayReadCards: boolean): readonly Filter[] {
  return [
    searchFilter('Merchant or last four'),
    ...(mayReadCards ? [CARD_FILTER] : []),
    { name: 'type', label: 'Type', choices: TRANSACTION_TYPES.map((value) => ({ value, label: TYPE_TITLES[value] })) },
    {
      name: 'status',
      label: 'Status',
      choices: TRANSACTION_STATUSES.map((value) => ({ value, label: STATUSES[value]?.word ?? value })),
    },
    {
      name: 'category',
      label: 'Category',
      choices: SPEND_CATEGORIES.map((value) => ({ value, label: CATEGORY_TITLES[value] })),
    },
    { name: 'from', label: 'From (UTC)', type: 'date' },
    { name: 'to', label: 'To (UTC)', type: 'date' },
  ]
}
