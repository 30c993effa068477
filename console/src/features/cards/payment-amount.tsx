// The amount of a payment. One that was declined moved no money, so it is struck out and says so.
import type { Transaction } from '@cardstock/sdk'
import { Money } from '~/ui/money.tsx'

export function PaymentAmount({ payment: { status, amount, currency } }: { payment: Transaction }) {
  const money = <Money value={amount} currency={currency} isMovement />
  if (status !== 'declined') return money
  return (
    <span className="muted">
      <span className="only-for-readers">Not charged: </span>
      <s>{money}</s>
    </span>
  )
}
