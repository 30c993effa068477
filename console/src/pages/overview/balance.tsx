// What is available and what is held, with the balance of the last thirty days as a chart and as a table.
import { lazy, Suspense } from 'react'
import { useData } from '~/api/use-data.ts'
import { Loaded } from '~/ui/loaded.tsx'
import { Money } from '~/ui/money.tsx'
import { Panel } from '~/ui/page.tsx'
import styles from './overview.module.css'

const BalanceHistory = lazy(() => import('./balance-history.tsx'))

export function BalancePanel() {
  const query = useData('balance', [], (client, options) => client.balance.get(options), { isMoving: true })
  return (
    <Panel>
      <Loaded query={query}>
        {({ available, held, total }) => (
          <div className={styles.figures}>
            <Figure name="Available" value={available} isMain />
            <Figure name="Held" value={held} />
            <Figure name="Total" value={total} />
          </div>
        )}
      </Loaded>
      <Suspense fallback={<div className={styles.chartPlace} />}>
        <BalanceHistory />
      </Suspense>
    </Panel>
  )
}

function Figure({ name, value, isMain = false }: { name: string; value: string; isMain?: boolean }) {
  return (
    <div>
      <p className={styles.figureName}>{name}</p>
      <p className={isMain ? styles.figureMain : styles.figure}>
        <Money value={value} />
      </p>
    </div>
  )
}
