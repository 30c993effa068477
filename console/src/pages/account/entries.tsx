// The entries, newest first, with the balance after each. The filters choose among the entries that were read.
import { ENTRY_KINDS, type EntryKind, type Statement, type StatementEntry } from '@cardstock/sdk'
import { Button } from '@mantine/core'
import { useMemo } from 'react'
import { useWorkplace } from '~/api/company.tsx'
import { useSearch } from '~/lib/use-search.ts'
import { findObjectPath, paths } from '~/paths.ts'
import { type Filter, Filters } from '~/ui/filters.tsx'
import { Go } from '~/ui/go.tsx'
import { Money } from '~/ui/money.tsx'
import { Empty } from '~/ui/notice.tsx'
import { Panel } from '~/ui/page.tsx'
import { type Column, Table } from '~/ui/table.tsx'
import { formatUtc, Time } from '~/ui/time.tsx'
import styles from './account.module.css'

const KIND_TITLES: Readonly<Record<EntryKind, string>> = {
  deposit: 'Deposits',
  fee: 'Fees',
  reservation: 'Reservations',
  capture: 'Payments for operations',
  release: 'Releases',
  adjustment: 'Adjustments',
}

export const ENTRY_FILTERS: readonly Filter[] = [
  { name: 'kind', label: 'Kind', choices: ENTRY_KINDS.map((value) => ({ value, label: KIND_TITLES[value] })) },
  { name: 'reference', label: 'Reference', type: 'text', placeholder: 'op_…, inv_… or card_…' },
]

const isZero = (amount: string) => /^-?[0.]*$/.test(amount)

export const ENTRY_COLUMNS: readonly Column<StatementEntry>[] = [
  { title: 'Entry', role: 'name', show: ({ description }) => description },
  { title: 'Time', show: ({ createdAt }) => <Time value={createdAt} /> },
  {
    title: 'Amount',
    role: 'amount',
    show: ({ amount }) => <Figure value={amount} />,
  },
  { title: 'Held', role: 'amount', show: ({ heldDelta }) => <Figure value={heldDelta} /> },
  { title: 'Balance', role: 'amount', show: ({ balance }) => <Money value={balance} /> },
]

/** An amount of zero is shown in grey: a reservation changes what is held, and not the balance. */
function Figure({ value }: { value: string }) {
  const money = <Money value={value} isMovement />
  return isZero(value) ? <span className="muted">{money}</span> : money
}

export function Entries({ statement }: { statement: Statement }) {
  const { kind, reference = '' } = useSearch()
  const { data } = statement
  const rows = useMemo(
    () =>
      data
        .filter((entry) => kind === undefined || entry.kind === kind)
        .filter((entry) => reference === '' || entry.reference.includes(reference))
        .toReversed(),
    [data, kind, reference],
  )
  if (data.length === 0) return <NoMovement statement={statement} />
  return (
    <div>
      <Filters filters={ENTRY_FILTERS} />
      <p className={styles.count} role="status">
        {rows.length === data.length ? nameCount(data.length) : `${rows.length} of ${nameCount(data.length)}`}
      </p>
      <Panel isFlush={rows.length > 0}>
        {rows.length === 0 ? (
          <Empty icon="search" title="Nothing matches these filters">
            Change a filter, or clear all of them.
          </Empty>
        ) : (
          <Table
            label="Entries"
            columns={ENTRY_COLUMNS}
            rows={rows}
            keyOf={({ id }) => id}
            hrefOf={(entry) => findObjectPath(entry.reference)}
          />
        )}
      </Panel>
    </div>
  )
}

function nameCount(count: number): string {
  return count === 1 ? '1 entry' : `${count.toLocaleString('en')} entries`
}

function NoMovement({ statement: { from, to } }: { statement: Statement }) {
  const { may } = useWorkplace()
  const days =
    from === to ? `on ${formatUtc(from, 'day')}` : `between ${formatUtc(from, 'day')} and ${formatUtc(to, 'day')}`
  return (
    <Panel>
      <Empty
        icon="wallet"
        title={`No movement ${days}`}
        action={
          may('funding:write') ? (
            <Button component={Go} href={paths.fund()} variant="default">
              Fund the card account
            </Button>
          ) : null
        }
      >
        Deposits, fees and payments for operations appear here. Choose other days to see earlier ones.
      </Empty>
    </Panel>
  )
}
