// What was spent with cards, by month, card, holder, merchant or category. The server adds it up; declined payments are left out.
import { Button, NativeSelect } from '@mantine/core'
import { amounts, type Spend, type SpendFilter, type SpendRow } from '@cardstock/sdk'
import { useData } from '~/api/use-data.ts'
import { utcDay } from '~/lib/clock.ts'
import { presets } from '~/lib/ranges.ts'
import { saveFile } from '~/lib/save-file.ts'
import { useSearch, useSetSearch } from '~/lib/use-search.ts'
import { paths } from '~/paths.ts'
import { Loaded } from '~/ui/loaded.tsx'
import { formatMoney, Money } from '~/ui/money.tsx'
import { Empty } from '~/ui/notice.tsx'
import { PageHeading, Panel, Stack } from '~/ui/page.tsx'
import type { ComparedColumn } from '~/ui/sort-rows.ts'
import { SortedTable } from '~/ui/sorted-table.tsx'
import { LongTable } from '~/ui/windowed-table.tsx'
import { GROUPS, nameRow, toCsv } from './words.ts'
import styles from './spend.module.css'

/** The most that the server returns. */
const ROWS_MAX = 1_000
const RANGE_DEFAULT = 'This month'

export default function SpendPage() {
  const search = useSearch()
  const setSearch = useSetSearch()
  const ranges = presets(utcDay())
  const chosen = ranges.find(({ name }) => name === (search['days'] ?? RANGE_DEFAULT)) ?? ranges[0]
  const { from, to } = chosen?.range ?? { from: utcDay(), to: utcDay() }
  const by = toGroup(search['by'])
  const query = useData('transactions', ['spend', by, from, to], (client, options) =>
    client.transactions.spend({ by, from, to, limit: ROWS_MAX }, options),
  )
  const save = (spend: Spend) =>
    saveFile(new Blob([toCsv(by, spend)], { type: 'text/csv;charset=utf-8' }), `spend-by-${by}-${from}-${to}.csv`)
  return (
    <>
      <PageHeading
        title="Spend"
        actions={
          <Button
            variant="default"
            disabled={query.data === undefined || query.data.data.length === 0}
            onClick={() => query.data !== undefined && save(query.data)}
          >
            Download CSV
          </Button>
        }
      >
        Card payments less refunds. Declined payments are left out.
      </PageHeading>
      <Stack>
        <div className={styles.choices}>
          <NativeSelect
            label="Group by"
            value={by}
            data={Object.entries(GROUPS).map(([value, label]) => ({ value, label }))}
            onChange={(event) => setSearch({ by: event.currentTarget.value })}
          />
          <NativeSelect
            label="Period (UTC)"
            value={chosen?.name ?? ''}
            data={ranges.map(({ name }) => name)}
            onChange={(event) => setSearch({ days: event.currentTarget.value })}
          />
        </div>
        <Loaded query={query}>{(spend) => <Sums by={by} spend={spend} days={{ from, to }} />}</Loaded>
      </Stack>
    </>
  )
}

function toGroup(text: string | undefined): SpendFilter['by'] {
  return (Object.keys(GROUPS) as SpendFilter['by'][]).find((by) => by === text) ?? 'merchant'
}

function Sums({ by, spend, days }: { by: SpendFilter['by']; spend: Spend; days: Days }) {
  const { data, others, amount, count } = spend
  if (data.length === 0) {
    return (
      <Empty icon="activity" title="Nothing spent in this period">
        Card payments are added up here. Choose another period to see earlier ones.
      </Empty>
    )
  }
  // The smallest of those that are not shown are not known, so that only a whole table is sorted.
  const Shown = others === null ? SortedTable<SpendRow> : LongTable<SpendRow>
  return (
    <Panel
      title={`${formatMoney(amount)} USD in ${count.toLocaleString('en')} ${count === 1 ? 'payment' : 'payments'}`}
      isFlush
    >
      <Shown
        label={`Spend by ${by}`}
        columns={columnsOf(by, largest(data))}
        rows={data}
        keyOf={(row) => row.card?.id ?? row.holder?.id ?? row.category?.id ?? row.month ?? row.merchant ?? ''}
        hrefOf={(row) => hrefOf(row, days)}
      />
      {others === null ? null : (
        <p className={styles.others}>
          {others.groups.toLocaleString('en')} more rows, {formatMoney(others.amount)} USD in total, are not shown.
        </p>
      )}
    </Panel>
  )
}

function columnsOf(by: SpendFilter['by'], most: bigint): readonly ComparedColumn<SpendRow>[] {
  return [
    { title: GROUPS[by], role: 'name', show: nameRow, compare: byName },
    ...(by === 'card'
      ? [{ title: 'Holder', show: ({ holder }: SpendRow) => holder?.name ?? '–', compare: byHolder }]
      : []),
    { title: 'Payments', role: 'figure', show: ({ count }) => count.toLocaleString('en'), compare: byCount },
    { title: 'Share', show: ({ amount }) => <Bar percent={sizeOf(amount, most)} /> },
    { title: 'Spent', role: 'amount', show: ({ amount }) => <Money value={amount} />, compare: byAmount },
  ]
}

const sortedBy = (row: SpendRow) => row.month ?? nameRow(row)
const byName = (a: SpendRow, b: SpendRow) => sortedBy(a).localeCompare(sortedBy(b), 'en')
const byHolder = (a: SpendRow, b: SpendRow) => (a.holder?.name ?? '').localeCompare(b.holder?.name ?? '', 'en')
const byCount = (a: SpendRow, b: SpendRow) => a.count - b.count
const byAmount = (a: SpendRow, b: SpendRow) => amounts.compare(a.amount, b.amount)

function largest(rows: readonly SpendRow[]): bigint {
  return rows.reduce((most, { amount }) => (amounts.parse(amount) > most ? amounts.parse(amount) : most), 0n)
}

/** Returns whole per cent of the largest amount. */
function sizeOf(amount: string, most: bigint): number {
  const own = amounts.parse(amount)
  return most === 0n || own < 0n ? 0 : Number((own * 100n) / most)
}

function Bar({ percent }: { percent: number }) {
  return (
    <span className={styles.track} aria-hidden="true">
      <span className={styles.bar} style={{ inlineSize: `${percent}%` }} />
    </span>
  )
}

interface Days {
  readonly from: string
  readonly to: string
}

/** A group leads to its payments in the same days. */
function hrefOf({ card, holder, category }: SpendRow, days: Days): string | undefined {
  if (category !== undefined) return paths.transactions({ category: category.id, ...days })
  if (card !== undefined) return paths.card(card.id)
  return holder === undefined ? undefined : paths.holder(holder.id)
}
