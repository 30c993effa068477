// Card payments, newest first, with filters.
import { Button } from '@mantine/core'
import { type Card, type Transaction, TRANSACTION_STATUSES, TRANSACTION_TYPES } from '@cardstock/sdk'
import { useMemo } from 'react'
import { useWorkplace } from '~/api/company.tsx'
import { useData } from '~/api/use-data.ts'
import { paths } from '~/paths.ts'
import type { Filter } from '~/ui/filters.tsx'
import { Go } from '~/ui/go.tsx'
import { ListPage } from '~/ui/list-page.tsx'
import { Money } from '~/ui/money.tsx'
import { Empty } from '~/ui/notice.tsx'
import { Status } from '~/ui/status.tsx'
import { STATUSES } from '~/ui/statuses.ts'
import type { Column } from '~/ui/table.tsx'
import { Time } from '~/ui/time.tsx'
import { CardNumber } from '~/features/cards/card-number.tsx'
import { SimulatePurchase } from '~/features/cards/simulate.tsx'
import { Totals } from './totals.tsx'
import { titleOf, TYPE_TITLES } from './words.ts'

export default function Transactions() {
  const { environment, may } = useWorkplace()
  const cards = useCards()
  const columns = useMemo(() => columnsWith(cards), [cards])
  const payable = cards.filter(({ status }) => status === 'active')
  const simulate =
    environment === 'sandbox' && may('cards:write') && payable.length > 0 ? <SimulatePurchase cards={payable} /> : null
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
      filters={filtersWith(cards)}
      columns={columns}
      keyOf={({ id }) => id}
      hrefOf={({ id }) => paths.transaction(id)}
      actions={simulate}
      summary={(filter) => <Totals filter={filter} />}
      empty={
        <Empty icon="receipt" title="No transactions yet" action={simulate ?? issue}>
          {simulate === null
            ? 'Every payment with a card appears here within seconds. Issue a card to begin.'
            : 'Every payment with a card appears here within seconds. In the sandbox you make one yourself.'}
        </Empty>
      }
    />
  )
}

/** Returns the newest 100 cards, for their numbers and for the filter. Any other is shown by the end of its id. */
function useCards(): readonly Card[] {
  const { may } = useWorkplace()
  const query = useData('cards', ['numbers'], (client, options) => client.cards.list({ limit: 100 }, options), {
    isEnabled: may('cards:read'),
  })
  return query.data?.data ?? []
}

function columnsWith(cards: readonly Card[]): readonly Column<Transaction>[] {
  const numbers = new Map(cards.map(({ id, last4 }) => [id, last4]))
  const numberOf = (id: string) => {
    const last4 = numbers.get(id)
    return last4 === undefined ? <code>…{id.slice(-6)}</code> : <CardNumber last4={last4} />
  }
  return [
    { title: 'Merchant', role: 'name', show: titleOf },
    { title: 'Type', show: ({ type }) => TYPE_TITLES[type] },
    { title: 'Card', show: ({ cardId }) => numberOf(cardId) },
    { title: 'Status', show: ({ status }) => <Status value={status} /> },
    { title: 'Time', show: ({ occurredAt }) => <Time value={occurredAt} /> },
    {
      title: 'Amount',
      role: 'amount',
      show: ({ amount, currency }) => <Money value={amount} currency={currency} isMovement />,
    },
  ]
}

function filtersWith(cards: readonly Card[]): readonly Filter[] {
  return [
    {
      name: 'cardId',
      label: 'Card',
      choices: cards.map(({ id, last4, name }) => ({ value: id, label: `•••• ${last4} ${name}` })),
    },
    { name: 'type', label: 'Type', choices: TRANSACTION_TYPES.map((value) => ({ value, label: TYPE_TITLES[value] })) },
    {
      name: 'status',
      label: 'Status',
      choices: TRANSACTION_STATUSES.map((value) => ({ value, label: STATUSES[value]?.word ?? value })),
    },
    { name: 'from', label: 'From (UTC)', type: 'date' },
    { name: 'to', label: 'To (UTC)', type: 'date' },
  ]
}
