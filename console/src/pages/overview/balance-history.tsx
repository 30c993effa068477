// Reads the balance at the end of each of the last days. The server computes it for any number of entries.
import { useMemo } from 'react'
import { useData } from '~/api/use-data.ts'
import { utcDay } from '~/lib/clock.ts'
import { Chart } from '~/ui/chart.tsx'
import { Loaded } from '~/ui/loaded.tsx'
import styles from './overview.module.css'

const DAYS = 30

export default function BalanceHistory() {
  const [from, to] = [utcDay(DAYS - 1), utcDay()]
  const query = useData('balance', ['history', from, to], (client, options) =>
    client.balance.history({ from, to }, options),
  )
  const points = useMemo(
    () => query.data?.data.map(({ day, balance }) => ({ day, value: balance })) ?? [],
    [query.data],
  )
  return (
    <Loaded query={query} skeleton={<div className={styles.chartPlace} />}>
      {() => <Chart title="Balance at the end of each day" unit="USD" points={points} />}
    </Loaded>
  )
}
