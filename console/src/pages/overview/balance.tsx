// How much there is: available, held, on cards, and what was spent this month and last month, with the balance of the last thirty days as a
// chart and as a table.
import { useWorkplace } from '~/api/company.tsx'
import { useData } from '~/api/use-data.ts'
import { utcDay } from '~/lib/clock.ts'
import { presets } from '~/lib/ranges.ts'
import { paths } from '~/paths.ts'
import { Go } from '~/ui/go.tsx'
import { formatMoney, Money } from '~/ui/money.tsx'
import { Problem } from '~/ui/notice.tsx'
import { Panel } from '~/ui/page.tsx'
import { BalanceHistory } from './balance-history.tsx'
import { LowBalance } from './low-balance.tsx'
import styles from './overview.module.css'

export function BalancePanel() {
  const { may } = useWorkplace()
  const query = useData('balance', [], (client, options) => client.balance.get(options), { isMoving: true })
  return (
    <Panel>
      {/* Everything has its place before it is read, so that nothing moves when it comes. */}
      {query.isError && query.data === undefined ? (
        <Problem error={query.error} retry={() => void query.refetch()} />
      ) : (
        <div className={styles.figures} aria-busy={query.data === undefined}>
          <Figure name="Available" value={query.data?.available} isMain />
          <Figure name="Held" value={query.data?.held} />
          {may('cards:read') ? <OnCards /> : null}
          {may('operations:read') ? <SpentThisMonth /> : null}
        </div>
      )}
      <LowBalance />
      <div className={styles.chartPlace}>
        <BalanceHistory />
      </div>
    </Panel>
  )
}

function OnCards() {
  const { data } = useData('cards', ['totals'], (client, options) => client.cards.totals(options))
  return <Figure name="On cards" value={data?.balance} />
}

function SpentThisMonth() {
  const today = utcDay()
  const month = today.slice(0, 7)
  const last = presets(today).find(({ name }) => name === 'Last month')?.range.from ?? today
  const { data } = useData('transactions', ['spend of two months', last, today], (client, options) =>
    client.transactions.spend({ by: 'month', from: last, to: today }, options),
  )
  const spentIn = (wanted: string) => data?.data.find((row) => row.month === wanted)?.amount ?? '0.00'
  return (
    <div>
      <Figure name="Spent this month" value={data === undefined ? undefined : spentIn(month)} />
      <Go href={paths.spend()}>
        Last month {data === undefined ? '…' : `${formatMoney(spentIn(last.slice(0, 7)))} USD`}
      </Go>
    </div>
  )
}

function Figure({ name, value, isMain = false }: { name: string; value: string | undefined; isMain?: boolean }) {
  return (
    <div>
      <p className={styles.figureName}>{name}</p>
      <p className={isMain ? styles.figureMain : styles.figure}>
        {value === undefined ? <span className="muted">…</span> : <Money value={value} />}
      </p>
    </div>
  )
}
