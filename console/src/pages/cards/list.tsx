// All cards of the company.
import { Button } from '@mantine/core'
import { type Card, CARD_STATUSES } from '@cardstock/sdk'
import { useMemo } from 'react'
import { useWorkplace } from '~/api/company.tsx'
import { paths } from '~/paths.ts'
import type { Filter } from '~/ui/filters.tsx'
import { Go } from '~/ui/go.tsx'
import { ListPage } from '~/ui/list-page.tsx'
import { Money } from '~/ui/money.tsx'
import { Empty } from '~/ui/notice.tsx'
import { Status } from '~/ui/status.tsx'
import { STATUSES } from '~/ui/statuses.ts'
import type { Column } from '~/ui/table.tsx'
import { CardNumber } from '~/features/cards/card-number.tsx'
import { nameOf, useHolders, useProducts } from '~/features/cards/use-names.ts'

export default function Cards() {
  const { may } = useWorkplace()
  const [holders, products] = [useHolders(), useProducts()]
  const columns = useMemo(
    (): readonly Column<Card>[] => [
      { title: 'Card', role: 'name', show: ({ last4 }) => <CardNumber last4={last4} /> },
      { title: 'Name', show: ({ name }) => name },
      { title: 'Holder', show: ({ holderId }) => nameOf(holders, holderId) },
      { title: 'Product', show: ({ productId }) => nameOf(products, productId) },
      { title: 'Status', show: ({ status }) => <Status value={status} /> },
      { title: 'Balance', role: 'amount', show: ({ balance }) => <Money value={balance} /> },
    ],
    [holders, products],
  )
  const filters: readonly Filter[] = [
    {
      name: 'status',
      label: 'Status',
      choices: CARD_STATUSES.map((value) => ({ value, label: STATUSES[value]?.word ?? value })),
    },
    { name: 'holderId', label: 'Holder', choices: holders.map(({ id, name }) => ({ value: id, label: name })) },
    {
      name: 'productId',
      label: 'Product',
      choices: products.filter(({ kind }) => kind === 'card').map(({ id, name }) => ({ value: id, label: name })),
    },
  ]
  const issue = may('cards:write') ? (
    <Button component={Go} href={paths.issueCard()}>
      Issue card
    </Button>
  ) : null
  return (
    <ListPage<Card>
      title="Cards"
      topic="cards"
      read={(client, filter, options) => client.cards.list(filter, options)}
      filters={filters}
      columns={columns}
      keyOf={({ id }) => id}
      hrefOf={({ id }) => paths.card(id)}
      actions={issue}
      empty={
        <Empty icon="card" title="No cards yet" action={issue}>
          A card belongs to a holder and has a balance of its own, which you put on it from the card account.
        </Empty>
      }
    />
  )
}
