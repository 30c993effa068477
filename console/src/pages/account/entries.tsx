// The entries, newest first, with the balance after each, as the list of entries names them. Reservations can be folded away.
import { type AccountEntry, ENTRY_KINDS, type EntryKind, type Statement } from '@cardstock/sdk'
import { Button } from '@mantine/core'
import { useWorkplace } from '~/api/company.tsx'
import { formatDay } from '~/lib/day.ts'
import { useSearch } from '~/lib/use-search.ts'
import { findObjectPath, paths } from '~/paths.ts'
import { ExportCsv } from '~/ui/export-csv.tsx'
import { type Filter, Filters, pickFilters } from '~/ui/filters.tsx'
import { Go } from '~/ui/go.tsx'
import { LongList } from '~/ui/long-list.tsx'
import { Money } from '~/ui/money.tsx'
import { Empty } from '~/ui/notice.tsx'
import { Panel } from '~/ui/page.tsx'
import type { Column } from '~/ui/table.tsx'
import { formatTime, Time } from '~/ui/time.tsx'
import type { ReadBatch } from '~/ui/use-long-list.ts'
import type { Range } from '~/lib/ranges.ts'

const KIND_TITLES: Readonly<Record<EntryKind, string>> = {
  deposit: 'Deposits',
  fee: 'Fees',
  reservation: 'Reservations',
  capture: 'Charges for operations',
  release: 'Releases',
  adjustment: 'Adjustments',
}

const ENTRY_FILTERS: readonly Filter[] = [
  { name: 'moves', label: 'Reservations', choices: [{ value: 'balance', label: 'Hidden' }] },
  { name: 'kind', label: 'Kind', choices: ENTRY_KINDS.map((value) => ({ value, label: KIND_TITLES[value] })) },
  { name: 'reference', label: 'Reference', type: 'text', placeholder: 'op_… or inv_…' },
]

const isZero = (amount: string) => /^-?[0.]*$/.test(amount)

const ENTRY_COLUMNS: readonly Column<AccountEntry>[] = [
  // The server names a deposit by the day of its invoice.
  { title: 'Entry', role: 'name', show: ({ title }) => title.replace(/\d{4}-\d{2}-\d{2}$/, formatDay) },
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

const readEntries: ReadBatch<AccountEntry> = (client, filter, options) => client.balance.entries(filter, options)

/** The entries of some days, with their filters and a file of those that match. */
export function EntryList({ range }: { range: Range }) {
  const chosen = pickFilters(ENTRY_FILTERS, useSearch())
  const base = { from: range.from, to: range.to }
  const head = (
    <Filters filters={ENTRY_FILTERS} list="Entries">
      <ExportCsv title="Entries" read={readEntries} filter={{ ...base, ...chosen }} />
    </Filters>
  )
  return (
    <div>
      <LongList<AccountEntry>
        title="Entries"
        head={head}
        topic="statements"
        base={base}
        chosen={chosen}
        read={readEntries}
        columns={ENTRY_COLUMNS}
        keyOf={({ id }) => id}
        hrefOf={({ reference }) => findObjectPath(reference)}
        empty={null}
      />
    </div>
  )
}

export function Entries({ statement }: { statement: Statement }) {
  const { data, from, to } = statement
  if (data.length === 0) return <NoMovement statement={statement} />
  return <EntryList range={{ from, to }} />
}

function NoMovement({ statement: { from, to } }: { statement: Statement }) {
  const { may } = useWorkplace()
  const days =
    from === to ? `on ${formatTime(from, 'day')}` : `between ${formatTime(from, 'day')} and ${formatTime(to, 'day')}`
  return (
    <Panel>
      <Empty
        icon="wallet"
        title={`No movement ${days}`}
        action={
          may('funding:write') ? (
            <Button component={Go} href={paths.fund()} variant="default">
              Add funds
            </Button>
          ) : null
        }
      >
        Deposits, fees and charges for operations appear here. To see earlier ones, choose another period.
      </Empty>
    </Panel>
  )
}
