// The state of a payment. One that was declined says why, if the network said it.
import type { Transaction } from '@cardstock/sdk'
import { Status } from '~/ui/status.tsx'
import styles from './payment-status.module.css'

export function PaymentStatus({ payment: { status, description } }: { payment: Transaction }) {
  if (status !== 'declined' || description === '') return <Status value={status} />
  return (
    <span className={styles.declined}>
      <Status value={status} />
      <span className={styles.reason}>{description}</span>
    </span>
  )
}
