// Funding the card account: a new invoice or the one that is open, how it works, and all invoices.
import { type FundingInvoice, INVOICE_STATUSES } from '@cardstock/sdk'
import type { CompanyClient } from '~/api/client.ts'
import { useWorkplace } from '~/api/company.tsx'
import { useData } from '~/api/use-data.ts'
import { useSearch } from '~/lib/use-search.ts'
import { paths } from '~/paths.ts'
import { ExportCsv } from '~/ui/export-csv.tsx'
import { type Filter, Filters, pickFilters } from '~/ui/filters.tsx'
import { Paging } from '~/ui/list-page.tsx'
import { Lines, Loaded } from '~/ui/loaded.tsx'
import { Money } from '~/ui/money.tsx'
import { Empty } from '~/ui/notice.tsx'
import { OrderField } from '~/ui/order-field.tsx'
import { Columns, PageHeading, Panel } from '~/ui/page.tsx'
import { BY_TIME, useListOrder } from '~/ui/sort.ts'
import { Status } from '~/ui/status.tsx'
import { STATUSES } from '~/ui/statuses.ts'
import { type Column, Table } from '~/ui/table.tsx'
import { Time } from '~/ui/time.tsx'
import type { ReadBatch } from '~/ui/use-long-list.ts'
import { HowItWorks } from './how-it-works.tsx'
import { NewInvoice } from './new-invoice.tsx'
import { OpenInvoice } from './open-invoice.tsx'
import { SandboxMoney } from './sandbox-money.tsx'
import styles from './fund.module.css'

const ROWS_PER_BATCH = 20

const COLUMNS: readonly Column<FundingInvoice>[] = [
  { title: 'Invoice', role: 'name', show: ({ depositAmount }) => <Money value={depositAmount} /> },
  { title: 'Status', show: ({ status }) => <Status value={status} /> },
  { title: 'Created', sort: BY_TIME, show: ({ createdAt }) => <Time value={createdAt} /> },
  { title: 'Received', role: 'figure', show: ({ receivedAmount }) => <Received amount={receivedAmount} /> },
  // Only a completed invoice was credited.
  {
    title: 'Credited',
    role: 'amount',
    show: ({ status, creditAmount }) => (status === 'completed' ? <Money value={creditAmount} /> : '–'),
  },
]

function Received({ amount }: { amount: string | null }) {
  return amount === null ? '–' : <Money value={amount} currency="USDT" />
}

const FILTERS: readonly Filter[] = [
  {
    name: 'status',
    label: 'Status',
    choices: INVOICE_STATUSES.map((value) => ({ value, label: STATUSES[value]?.word ?? value })),
  },
]

const readInvoices: ReadBatch<FundingInvoice> = (client, filter, options) => client.invoices.list(filter, options)

/**
 * The invoice that is open, of which there is at most one, and the newest in review, however many invoices are newer. One that is being
 * created becomes pending, so that it is looked for in this order: it is in neither list only if there is none.
 */
async function readUnfinished(client: CompanyClient, options: { signal: AbortSignal }) {
  const newest = async (status: FundingInvoice['status']) =>
    (await client.invoices.list({ status, limit: 1 }, options)).data[0]
  const findOpen = async () => (await newest('creating')) ?? (await newest('pending'))
  const [open, inReview] = await Promise.all([findOpen(), newest('manual_review')])
  return { open, inReview }
}

export default function Fund() {
  const { may } = useWorkplace()
  const unfinished = useData('invoices', ['unfinished'], readUnfinished, { isMoving: true })
  return (
    <>
      <PageHeading title="Invoices">Add funds to the card account by USDT transfer.</PageHeading>
      <Columns
        main={
          <>
            <Loaded query={unfinished} skeleton={<Lines count={4} height={40} />}>
              {({ open, inReview }) => (
                <>
                  {inReview === undefined ? null : <OpenInvoice invoice={inReview} />}
                  {open === undefined ? may('funding:write') ? <NewInvoice /> : null : <OpenInvoice invoice={open} />}
                </>
              )}
            </Loaded>
            <Invoices />
          </>
        }
        side={
          <>
            <HowItWorks />
            <SandboxMoney />
          </>
        }
      />
    </>
  )
}

function Invoices() {
  const search = useSearch()
  const chosen = pickFilters(FILTERS, search)
  const { cursor } = search
  const { order, chosen: sorted } = useListOrder('time')
  const filter = { ...chosen, ...sorted, limit: ROWS_PER_BATCH, ...(cursor === undefined ? {} : { cursor }) }
  const query = useData('invoices', ['list', filter], (client, options) => client.invoices.list(filter, options), {
    isMoving: cursor === undefined,
    keepsFormer: true,
  })
  const isFiltered = Object.keys(chosen).length > 0
  return (
    <div>
      <h2 className={styles.listTitle}>All invoices</h2>
      <Filters filters={FILTERS} list="Invoices">
        {order === undefined ? null : <OrderField sorts="time" order={order} />}
        <ExportCsv title="Invoices" read={readInvoices} filter={{ ...chosen, ...sorted }} />
      </Filters>
      <Loaded query={query} skeleton={<Lines count={5} height={32} />}>
        {({ data, nextCursor }) =>
          data.length === 0 && cursor === undefined ? (
            <Panel>
              <Empty
                icon={isFiltered ? 'search' : 'fund'}
                title={isFiltered ? 'No invoices match this filter' : 'No invoices yet'}
              >
                {isFiltered
                  ? 'Choose another status, or clear the filter.'
                  : 'Each transfer has its own invoice, with an address and an exact amount.'}
              </Empty>
            </Panel>
          ) : (
            <>
              <Panel isFlush>
                <Table
                  label="Invoices"
                  order={order}
                  columns={COLUMNS}
                  rows={data}
                  keyOf={({ id }) => id}
                  hrefOf={({ id }) => paths.invoice(id)}
                />
              </Panel>
              <Paging nextCursor={nextCursor} />
            </>
          )
        }
      </Loaded>
    </div>
  )
}
