// The totals of the payments that match the filters. They are read only when somebody asks for them, because the server has to read every
// matching payment.
import type { TransactionTotal, TransactionTotals } from '@cardstock/sdk'
import { useState } from 'react'
import { useData } from '~/api/use-data.ts'
import { Lines, Loaded } from '~/ui/loaded.tsx'
import { Money } from '~/ui/money.tsx'
import { Status } from '~/ui/status.tsx'
import { type Column, Table } from '~/ui/table.tsx'
import { TYPE_TITLES } from './words.ts'
import styles from './transactions.module.css'

const COLUMNS: readonly Column<TransactionTotal>[] = [
  { title: 'Type', role: 'name', show: ({ type }) => TYPE_TITLES[type] },
  { title: 'Status', show: ({ status }) => <Status value={status} /> },
  { title: 'Transactions', show: ({ count }) => <span className="tabular">{count.toLocaleString('en')}</span> },
  {
    title: 'Total',
    role: 'amount',
    show: ({ amount, currency }) => <Money value={amount} currency={currency} isMovement />,
  },
]

export function Totals({ filter }: { filter: Readonly<Record<string, string>> }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details className={styles.totals} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Totals of these transactions</summary>
      {isOpen ? <Opened filter={filter} /> : null}
    </details>
  )
}

/** A declined payment moved no money, so it counts only for somebody who asks for declined ones. */
function withoutDeclined(totals: readonly TransactionTotal[], filter: Readonly<Record<string, string>>) {
  return totals.filter(({ status }) => status !== 'declined' || filter['status'] === 'declined')
}

function Opened({ filter }: { filter: Readonly<Record<string, string>> }) {
  const query = useData<TransactionTotals>('transactions', ['totals', filter], (client, options) =>
    client.transactions.totals(filter, options),
  )
  return (
    <Loaded query={query} skeleton={<Lines count={2} height={28} />}>
      {({ data: all }) => {
        const data = withoutDeclined(all, filter)
        return data.length === 0 ? (
          <p className="muted">No transactions match.</p>
        ) : (
          <Table
            label="Totals"
            columns={COLUMNS}
            rows={data}
            keyOf={({ type, status, currency }) => `${type} ${status} ${currency}`}
          />
        )
      }}
    </Loaded>
  )
}
