// One product: what it is, its prices over time, a new price from a date, and its end.
import { useId } from '~/lib/use-id.ts'
import { Button } from '@mantine/core'
import type { CatalogProduct, Price } from '@cardstock/sdk'
import { useState } from 'react'
import { api } from '~/api/client.ts'
import { useWorkplace } from '~/api/company.tsx'
import { useAction } from '~/api/use-action.ts'
import { useData } from '~/api/use-data.ts'
import { now } from '~/lib/clock.ts'
import { capitalised } from '~/lib/capitalised.ts'
import { describeFee, describeLimits } from '~/features/order/fee-rule.ts'
import { paths } from '~/paths.ts'
import { Confirm } from '~/ui/confirm.tsx'
import { CopyId } from '~/ui/copy.tsx'
import { ExportCsv } from '~/ui/export-csv.tsx'
import { Loaded } from '~/ui/loaded.tsx'
import { Empty, OnlyNewest } from '~/ui/notice.tsx'
import { Facts, PageHeading, Panel, Stack } from '~/ui/page.tsx'
import type { ComparedColumn } from '~/ui/sort-rows.ts'
import { SortedTable } from '~/ui/sorted-table.tsx'
import { Table } from '~/ui/table.tsx'
import { toast } from '~/ui/toast.ts'
import { Time } from '~/ui/time.tsx'
import { useIsOperator } from '~/pages/operator/use-is-operator.ts'
import { EditProduct } from './edit-product.tsx'
import { ProductState } from './list.tsx'
import { NewPriceForm } from './new-price.tsx'
import { TYPE_WORDS } from './words.ts'

const PRICES_MAX = 100

export default function ProductDetail() {
  const id = useId()
  const query = useData('catalogue', ['list'], (_client, options) => api.admin.products.list(options))
  return (
    <Loaded query={query}>
      {({ data }) => {
        const product = data.find((other) => other.id === id)
        return product === undefined ? (
          <>
            <PageHeading title="Product" parent={{ href: paths.catalogue(), title: 'Catalogue' }} />
            <Panel>
              <Empty icon="tag" title="Product not found">
                Check the address, or choose a product in the catalogue.
              </Empty>
            </Panel>
          </>
        ) : (
          <Shown product={product} />
        )
      }}
    </Loaded>
  )
}

function Shown({ product }: { product: CatalogProduct }) {
  const { id, name, description, kind, pricing, topupPricing, retiredAt } = product
  return (
    <>
      <PageHeading
        title={name}
        badge={<ProductState retiredAt={retiredAt} />}
        parent={{ href: paths.catalogue(), title: 'Catalogue' }}
        actions={<Actions product={product} />}
      >
        <p>{description}</p>
        <CopyId value={id} />
      </PageHeading>
      <Stack>
        <Panel title="Current price">
          <Facts
            facts={[
              ['Kind', kind === 'card' ? 'Card' : 'Service'],
              ['Operation fee', capitalised(describeFee(pricing))],
              pricing.fixedPrice === null ? undefined : ['Fixed price', `${pricing.fixedPrice} USD`],
              ['Amounts', describeLimits(pricing) ?? 'Any'],
              topupPricing === null ? undefined : ['Top-up fee', capitalised(describeFee(topupPricing))],
              retiredAt === null ? undefined : ['Retired', <Time key="retired" value={retiredAt} />],
            ]}
          />
        </Panel>
        <Prices productId={id} />
      </Stack>
    </>
  )
}

const COLUMNS: readonly ComparedColumn<Price>[] = [
  {
    title: 'For',
    role: 'name',
    show: ({ operationType }) => TYPE_WORDS[operationType],
    compare: (a, b) => a.operationType.localeCompare(b.operationType),
  },
  { title: 'Fee', show: ({ pricing }) => capitalised(describeFee(pricing)) },
  { title: 'Amounts', show: ({ pricing }) => describeLimits(pricing) ?? 'Any' },
  {
    title: 'Company',
    show: ({ companyId, companyName }) => companyName ?? companyId ?? 'All companies',
  },
  {
    title: 'From',
    compare: (a, b) => Date.parse(a.validFrom) - Date.parse(b.validFrom),
    show: ({ validFrom }) => (
      <>
        {Date.parse(validFrom) === 0 ? 'The beginning' : <Time value={validFrom} />}{' '}
        {Date.parse(validFrom) > now() ? '(scheduled)' : ''}
      </>
    ),
  },
]

function Prices({ productId }: { productId: string }) {
  const query = useData('catalogue', ['prices', productId], (_client, options) =>
    api.admin.products.listPrices(productId, { limit: PRICES_MAX }, options),
  )
  return (
    <Panel
      title="Prices"
      isFlush
      actions={
        <ExportCsv
          title="Prices"
          size="xs"
          read={(_client, filter, options) => api.admin.products.listPrices(productId, filter, options)}
          filter={{}}
        />
      }
    >
      <Loaded query={query}>
        {({ data, nextCursor }) => {
          // Only a whole table is sorted.
          const PriceTable = nextCursor === null ? SortedTable<Price> : Table<Price>
          return (
            <>
              <PriceTable label="Prices" columns={COLUMNS} rows={data} keyOf={({ id }) => id} />
              {nextCursor === null ? null : <OnlyNewest count={PRICES_MAX} />}
            </>
          )
        }}
      </Loaded>
    </Panel>
  )
}

function Actions({ product }: { product: CatalogProduct }) {
  const isOperator = useIsOperator()
  const [dialog, setDialog] = useState<'price' | 'retire'>()
  const close = () => setDialog(undefined)
  if (!isOperator || product.retiredAt !== null) return null
  return (
    <>
      <Button onClick={() => setDialog('price')}>Set price</Button>
      <EditProduct product={product} />
      <Button variant="default" onClick={() => setDialog('retire')}>
        Retire product
      </Button>
      {dialog === 'price' ? <NewPriceForm product={product} close={close} /> : null}
      {dialog === 'retire' ? <Retire product={product} close={close} /> : null}
    </>
  )
}

function Retire({ product, close }: { product: CatalogProduct; close: () => void }) {
  const { me } = useWorkplace()
  const retire = useAction(() => api.admin.products.retire(product.id), {
    refreshes: ['catalogue', 'products', 'audit-log'],
    onDone: () => {
      toast('Product retired.')
      close()
    },
  })
  return (
    <Confirm
      title={`Retire ${product.name}?`}
      action="Retire product"
      typed={product.name}
      of={me.hasLiveIssuer ? 'live' : 'sandbox'}
      isBusy={retire.isBusy}
      error={retire.error}
      confirm={() => void retire.run()}
      close={close}
    >
      It can no longer be ordered. Existing cards do not change. This cannot be undone.
    </Confirm>
  )
}
