// What companies can buy, and what it costs today.
import { Button } from '@mantine/core'
import type { CatalogProduct } from '@cardstock/sdk'
import { useState } from 'react'
import { api } from '~/api/client.ts'
import { useData } from '~/api/use-data.ts'
import { capitalised } from '~/lib/capitalised.ts'
import { describeFee } from '~/features/order/fee-rule.ts'
import { paths } from '~/paths.ts'
import { asBatch, ExportCsv } from '~/ui/export-csv.tsx'
import { Loaded } from '~/ui/loaded.tsx'
import { Empty } from '~/ui/notice.tsx'
import { PageHeading, Panel } from '~/ui/page.tsx'
import { Badge } from '~/ui/status.tsx'
import type { ComparedColumn } from '~/ui/sort-rows.ts'
import { SortedTable } from '~/ui/sorted-table.tsx'
import { useIsOperator } from '~/pages/operator/use-is-operator.ts'
import { NewProductForm } from './new-product.tsx'

const COLUMNS: readonly ComparedColumn<CatalogProduct>[] = [
  { title: 'Product', role: 'name', show: ({ name }) => name, compare: (a, b) => a.name.localeCompare(b.name, 'en') },
  {
    title: 'Kind',
    show: ({ kind }) => (kind === 'card' ? 'Card' : 'Service'),
    compare: (a, b) => a.kind.localeCompare(b.kind),
  },
  { title: 'Operation fee', show: ({ pricing }) => capitalised(describeFee(pricing)) },
  {
    title: 'Top-up fee',
    show: ({ topupPricing }) =>
      topupPricing === null ? <span className="muted">Not applicable</span> : capitalised(describeFee(topupPricing)),
  },
  {
    title: 'Status',
    show: ({ retiredAt }) => <ProductState retiredAt={retiredAt} />,
    compare: (a, b) => (a.retiredAt ?? '').localeCompare(b.retiredAt ?? ''),
  },
]

export function ProductState({ retiredAt }: Pick<CatalogProduct, 'retiredAt'>) {
  return retiredAt === null ? (
    <Badge tone="green" shape="check">
      For sale
    </Badge>
  ) : (
    <Badge tone="grey" shape="square">
      Retired
    </Badge>
  )
}

export default function Catalogue() {
  const isOperator = useIsOperator()
  const [isAdding, setAdding] = useState(false)
  const query = useData('catalogue', ['list'], (_client, options) => api.admin.products.list(options))
  const add = isOperator ? <Button onClick={() => setAdding(true)}>Add product</Button> : null
  return (
    <>
      <PageHeading
        title="Catalogue"
        actions={
          <>
            <ExportCsv
              title="Catalogue"
              read={async (_client, _filter, options) => asBatch((await api.admin.products.list(options)).data)}
              filter={{}}
            />
            {add}
          </>
        }
      >
        What companies can order. A new price takes effect on its date; accepted operations keep their price.
      </PageHeading>
      <Loaded query={query}>
        {({ data }) => (
          <Panel isFlush>
            {data.length === 0 ? (
              <Empty icon="tag" title="No products yet" action={add}>
                Add a card product or a service with its fee.
              </Empty>
            ) : (
              <SortedTable
                label="Catalogue"
                columns={COLUMNS}
                rows={data}
                keyOf={({ id }) => id}
                hrefOf={({ id }) => paths.product(id)}
              />
            )}
          </Panel>
        )}
      </Loaded>
      {isAdding ? <NewProductForm close={() => setAdding(false)} /> : null}
    </>
  )
}
