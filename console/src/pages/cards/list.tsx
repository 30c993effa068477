// All cards of the company.
import { Button } from '@mantine/core'
import { type Card, CARD_STATUSES } from '@cardstock/sdk'
import { useMemo } from 'react'
import { useWorkplace } from '~/api/company.tsx'
import { paths } from '~/paths.ts'
import { type Filter, searchFilter } from '~/ui/filters.tsx'
import { Go } from '~/ui/go.tsx'
import { ListPage } from '~/ui/list-page.tsx'
import { Money } from '~/ui/money.tsx'
import { Empty } from '~/ui/notice.tsx'
import { BY_NAME } from '~/ui/sort.ts'
import { Status } from '~/ui/status.tsx'
import { STATUSES } from '~/ui/statuses.ts'
import type { Column } from '~/ui/table.tsx'
import { CardNumber } from '~/features/cards/card-number.tsx'
import { HolderField } from '~/features/cards/holder-field.tsx'
import { nameOf, useProducts } from '~/features/cards/use-products.ts'

const STATUS_FILTER: Filter = {
  name: 'status',
  label: 'Status',
  choices: CARD_STATUSES.map((value) => ({ value, label: STATUSES[value]?.word ?? value })),
}
const HOLDER_FILTER: Filter = { name: 'holderId', label: 'Holder', field: (slot) => <HolderField {...slot} /> }

export default function Cards() {
  const { may } = useWorkplace()
  const products = useProducts()
  const columns = useMemo(
    (): readonly Column<Card>[] => [
      { title: 'Card', role: 'name', show: ({ last4 }) => <CardNumber last4={last4} /> },
      { title: 'Name', sort: BY_NAME, show: ({ name }) => name },
      { title: 'Holder', show: ({ holder }) => holder?.name ?? '–' },
      { title: 'Product', show: ({ productId }) => nameOf(products, productId) },
      { title: 'Status', show: ({ status }) => <Status value={status} /> },
      { title: 'Balance', role: 'amount', show: ({ balance }) => <Money value={balance} /> },
    ],
    [products],
  )
  const filters: readonly Filter[] = [
    searchFilter('Name or last four'),
    STATUS_FILTER,
    ...(may('holders:read') ? [HOLDER_FILTER] : []),
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
      sorts="name"
      columns={columns}
      keyOf={({ id }) => id}
      hrefOf={({ id }) => paths.card(id)}
      actions={
        issue === null ? null : (
          <>
            <Button variant="default" component={Go} href={paths.bulkCards()}>
              Upload CSV
            </Button>
            {issue}
          </>
        )
      }
      empty={
        <Empty icon="card" title="No cards yet" action={issue}>
          A card belongs to a holder and has its own balance, funded from the card account.
        </Empty>
      }
    />
  )
}
