// The balance at the end of each of the last days, from the account's statement.
import { type Statement } from '@cardstock/sdk'
import { useMemo } from 'react'
import { useData } from '../../api/use-data.ts'
import { utcDay } from '../../lib/clock.ts'
import { Chart, type ChartPoint } from '../../ui/chart.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import styles from './overview.module.css'

const DAYS = 30

export default function BalanceHistory() {
  const [from, to] = [utcDay(DAYS - 1), utcDay()]
  const query = useData('statements', [from, to], (client, options) => client.statements.get({ from, to }, options))
  // A company with more entries than a statement holds sees its figures without the chart.
  if (query.isError) return null
  return (
    <Loaded query={query} skeleton={<div className={styles.chartPlace} />}>
      {(statement) => <History statement={statement} />}
    </Loaded>
  )
}

function History({ statement }: { statement: Statement }) {
  const points = useMemo(() => closingBalances(statement), [statement])
  return <Chart title="Balance at the end of each day" unit="USD" points={points} />
}

/** One point per day: the balance after the day's last entry, or that of the day before. */
function closingBalances({ from, openingBalance, data }: Statement): ChartPoint[] {
  const lastOfDay = new Map(data.map(({ createdAt, balance }) => [createdAt.slice(0, 10), balance]))
  const points: ChartPoint[] = []
  let balance = openingBalance
  for (let ago = DAYS - 1; ago >= 0; ago -= 1) {
    const day = utcDay(ago)
    if (day < from) continue
    balance = lastOfDay.get(day) ?? balance
    points.push({ day, value: balance })
  }
  return points
}
