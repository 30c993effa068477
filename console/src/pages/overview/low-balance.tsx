// Warns when less is available than the company wants to have, and lets people who may fund the account set that amount.
import { Button } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { useWorkplace } from '~/api/company.tsx'
import { useData } from '~/api/use-data.ts'
import { paths } from '~/paths.ts'
import { Go } from '~/ui/go.tsx'
import { formatMoney } from '~/ui/money.tsx'
import { Notice } from '~/ui/notice.tsx'
import styles from './overview.module.css'

const SetAlert = lazy(() => import('./set-alert.tsx'))

export function LowBalance() {
  const { may } = useWorkplace()
  const [isOpen, setOpen] = useState(false)
  const { data } = useData('balance', ['alert'], (client, options) => client.balance.alert(options), { isMoving: true })
  // Its place, so that the chart below does not move.
  if (data === undefined) return may('funding:write') ? <div className={styles.warningPlace} /> : null
  const { threshold, isLow } = data
  return (
    <>
      {isLow && threshold !== null ? (
        <Notice tone="amber" title="Low balance">
          <p>Less than {formatMoney(threshold)} USD is available.</p>
          <Go href={paths.fund()}>Add funds</Go>
        </Notice>
      ) : null}
      {may('funding:write') ? (
        <Button size="xs" variant="subtle" className={styles.warning} onClick={() => setOpen(true)}>
          {threshold === null
            ? 'Set low-balance warning'
            : `Change low-balance warning (${formatMoney(threshold)} USD)`}
        </Button>
      ) : null}
      <Suspense>{isOpen ? <SetAlert threshold={threshold} close={() => setOpen(false)} /> : null}</Suspense>
    </>
  )
}
