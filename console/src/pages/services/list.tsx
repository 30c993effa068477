// The services that can be ordered, with their prices, and the latest orders.
import { Button } from '@mantine/core'
import type { Pricing, Product } from '@cardstock/sdk'
import { useWorkplace } from '~/api/company.tsx'
import { useData } from '~/api/use-data.ts'
import { describeFee, describeLimits } from '~/features/order/fee-rule.ts'
import { paths } from '~/paths.ts'
import { asBatch, ExportCsv } from '~/ui/export-csv.tsx'
import { Go } from '~/ui/go.tsx'
import { Lines, Loaded } from '~/ui/loaded.tsx'
import { formatMoney } from '~/ui/money.tsx'
import { Empty } from '~/ui/notice.tsx'
import { PageHeading, Panel, Stack } from '~/ui/page.tsx'
import { Table } from '~/ui/table.tsx'
import type { ReadBatch } from '~/ui/use-long-list.ts'
import { OPERATION_COLUMNS } from '~/features/operations/columns.tsx'
import styles from './services.module.css'

const isService = ({ kind }: Product) => kind === 'service'

const readServices: ReadBatch<Product> = async (client, _filter, options) =>
  asBatch((await client.products.list(options)).data.filter(isService))

export default function Services() {
  const { may } = useWorkplace()
  const query = useData('products', ['list'], (client, options) => client.products.list(options))
  return (
    <>
      <PageHeading title="Services" actions={<ExportCsv title="Services" read={readServices} filter={{}} />}>
        Paid from the card account, delivered to the recipient you name.
      </PageHeading>
      <Stack>
        <Loaded query={query} skeleton={<Lines count={4} height={72} />}>
          {({ data }) => <Catalogue services={data.filter(isService)} />}
        </Loaded>
        {may('operations:read') ? <Orders /> : null}
      </Stack>
    </>
  )
}

function Catalogue({ services }: { services: readonly Product[] }) {
  if (services.length === 0) {
    return (
      <Panel>
        <Empty icon="grid" title="No services yet">
          The operator decides which services you can order. Ask the operator if you need one.
        </Empty>
      </Panel>
    )
  }
  return (
    <ul className={styles.catalogue}>
      {services.map((service) => (
        <Service key={service.id} service={service} />
      ))}
    </ul>
  )
}

function Service({ service }: { service: Product }) {
  const { may } = useWorkplace()
  const { id, name, description, pricing } = service
  return (
    <li className={styles.service}>
      <h2 className={styles.name}>{name}</h2>
      <p className={styles.description}>{description}</p>
      <p className={styles.price}>{describeAmount(pricing)}</p>
      <p className={styles.fee}>Fee: {describeFee(pricing)}</p>
      {may('services:write') ? (
        <Button component={Go} href={paths.orderService(id)} variant="default" aria-label={`Order ${name}`}>
          Order
        </Button>
      ) : null}
    </li>
  )
}

function describeAmount(pricing: Pricing): string {
  if (pricing.fixedPrice !== null) return `${formatMoney(pricing.fixedPrice)} USD`
  return describeLimits(pricing) ?? 'Any amount'
}

const SHOWN_MAX = 5

function Orders() {
  const query = useData(
    'operations',
    ['services'],
    (client, options) => client.operations.list({ type: 'service', limit: SHOWN_MAX }, options),
    { isMoving: true },
  )
  return (
    <Panel title="Latest orders" isFlush actions={<Go href={paths.operations({ type: 'service' })}>All orders</Go>}>
      <Loaded query={query} skeleton={<Lines count={3} height={28} />}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty icon="activity" title="No services ordered yet">
              Choose a service above to order it.
            </Empty>
          ) : (
            <Table
              label="Latest orders"
              columns={OPERATION_COLUMNS}
              rows={data}
              keyOf={({ id }) => id}
              hrefOf={({ id }) => paths.operation(id)}
            />
          )
        }
      </Loaded>
    </Panel>
  )
}
