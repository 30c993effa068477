// Reads the balance at the end of each of the last days. The server computes it for any number of entries.
import { useMemo } from 'react'
import { useData } from '~/api/use-data.ts'
import { utcDay } from '~/lib/clock.ts'
import { Chart, type ChartPoint } from '~/ui/chart.tsx'
import { Loaded } from '~/ui/loaded.tsx'

const DAYS = 30
/** One point is no line. */
const POINTS_MIN = 2

/** Leaves out the days before the first money, so that the first deposit is not a needle at the end of a flat line. */
function withoutStart(points: readonly ChartPoint[]): readonly ChartPoint[] {
  const first = points.findIndex(({ value }) => value !== '0.00')
  return first === -1 ? [] : points.slice(first)
}

export function BalanceHistory() {
  const [from, to] = [utcDay(DAYS - 1), utcDay()]
  const query = useData('balance', ['history', from, to], (client, options) =>
    client.balance.history({ from, to }, options),
  )
  const points = useMemo(
    () => withoutStart(query.data?.data.map(({ day, balance }) => ({ day, value: balance })) ?? []),
    [query.data],
  )
  return (
    <Loaded query={query} skeleton={null}>
      {() =>
        points.length < POINTS_MIN ? (
          <p className="muted">The balance chart appears once there are two days to show.</p>
        ) : (
          <Chart title="Balance at the end of each day" unit="USD" points={points} />
        )
      }
    </Loaded>
  )
}
