// What happened to an invoice step by step: its payments with their times and ids, and what was credited.
import { scopeOf } from '../issuer/requests/ask.ts'
import { formatId } from '../lib/ids.ts'
import { formatCents } from '../lib/money.ts'
import type { Db } from '../db/pool.ts'
import { formatMicros } from '../tron/usdt.ts'
import { type InvoiceRow, listLatePayments, listPayments, type PaymentRow } from './queries.ts'
import type { InvoiceStep } from './schema.ts'

type Step = InvoiceStep & { readonly at: string }

/** A person reads them; more would not help. */
const PAYMENTS_MAX = 50

export async function readInvoiceTimeline(db: Db, row: InvoiceRow): Promise<{ steps: Step[] }> {
  const scope = scopeOf(row)
  const [payments, late] = await Promise.all([
    listPayments(db, scope, row.id, PAYMENTS_MAX),
    listLatePayments(db, scope, row.id, PAYMENTS_MAX),
  ])
  const paymentIds = new Map(late.map(({ id, payment_key: key }) => [key, formatId('rev', id)]))
  const steps: Step[] = [
    { step: 'created', at: row.created_at.toISOString() },
    ...payments.toReversed().flatMap((payment) => stepsOfPayment(payment, paymentIds.get(payment.payment_key))),
    ...stepsOfCancellation(row),
    ...stepsOfEnd(row),
    ...late.flatMap(stepsOfDecision),
  ]
  // A stable sort: what happened at the same time stays in the order above.
  return { steps: steps.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0)) }
}

function stepsOfPayment(payment: PaymentRow, paymentId: string | undefined): Step[] {
  const { payment_key: reference, amount, paid_at: paidAt, recorded_at: recordedAt } = payment
  const transactionId = findTransactionId(reference)
  const about = {
    amount: formatMicros(amount),
    reference,
    ...(transactionId === undefined ? {} : { transactionId }),
    ...(paymentId === undefined ? {} : { paymentId }),
  }
  return [
    { step: 'paid', at: paidAt.toISOString(), ...about },
    { step: 'received', at: recordedAt.toISOString(), ...about },
  ]
}

/** The adapter for TRON calls a payment after its transaction and the number of the transfer in it. */
function findTransactionId(reference: string): string | undefined {
  return /^([0-9a-f]{64})(?::\d{1,9})?$/.exec(reference)?.[1]
}

/** An invoice that was cancelled has the time of that as its expiry, whatever came later. */
function stepsOfCancellation({ cancelled_by: cancelledBy, expires_at: expiresAt }: InvoiceRow): Step[] {
  return cancelledBy === null || expiresAt === null ? [] : [{ step: 'cancelled', at: expiresAt.toISOString() }]
}

function stepsOfEnd(row: InvoiceRow): Step[] {
  const at = row.status_at.toISOString()
  switch (row.status) {
    case 'creating':
    case 'pending':
      return []
    case 'completed':
      return [{ step: 'credited', at, amount: formatCents(row.deposit - row.fee), fee: formatCents(row.fee) }]
    case 'expired':
      return row.cancelled_by === null ? [{ step: 'expired', at }] : []
    case 'failed':
    case 'manual_review':
      return [{ step: row.status, at }]
  }
}

function stepsOfDecision(late: Awaited<ReturnType<typeof listLatePayments>>[number]): Step[] {
  const { status, deposit, fee } = late
  const paymentId = formatId('rev', late.id)
  const at = late.status_at.toISOString()
  if (status === 'completed' && deposit !== null && fee !== null)
    return [{ step: 'credited', at, amount: formatCents(deposit - fee), fee: formatCents(fee), paymentId }]
  return [{ step: status === 'failed' ? 'failed' : 'manual_review', at, paymentId }]
}
