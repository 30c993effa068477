// Records payments that an issuer confirmed: the live issuer by signed events, the sandbox issuer by the sandbox calls.
// A client must never be able to report a payment of a live invoice.
import { ApiError } from '../errors.ts'
import { newId } from '../lib/ids.ts'
import { must } from '../lib/invariant.ts'
import type { Scope } from '../lib/scope.ts'
import { parseMicros } from '../tron/usdt.ts'
import type { FundingDeps } from './deps.ts'
import { type ConfirmedPayment, type InvoiceRow, type PaymentVerdict, recordPayment } from './queries.ts'
import { getInvoice } from './read.ts'

type Deps = Pick<FundingDeps, 'db' | 'clock' | 'payLinks'>

export async function confirmPayment(
  { db, clock, payLinks }: Deps,
  scope: Scope,
  invoiceId: string,
  payment: ConfirmedPayment,
): Promise<PaymentVerdict> {
  const now = clock.now()
  const payUrl = payLinks.urlOf(scope, invoiceId)
  return must(await recordPayment(db, scope, invoiceId, now, { ...payment, reviewId: newId(now), payUrl })).verdict
}

/** Records a settlement that the live issuer reported by a signed event. */
export async function takeSettlement(
  deps: Deps,
  scope: Scope,
  { token, paymentId, amount, paidAt }: { token: string; paymentId: string; amount: string; paidAt: string },
): Promise<'taken' | 'later' | 'not_found' | 'conflict'> {
  const payment = { key: paymentId, amount: parseMicros(amount), paidAt: new Date(paidAt) }
  if (payment.amount === 0n) return 'conflict'
  const verdict = await confirmPayment(deps, scope, token, payment)
  switch (verdict) {
    case 'completed':
    case 'review':
    case 'own_review':
    case 'duplicate':
      return 'taken'
    case 'not_ready':
      return 'later'
    case 'no_invoice':
      return 'not_found'
    case 'mismatch':
    case 'too_many':
      return 'conflict'
  }
}

/** POST /sandbox/invoices/{id}/complete: simulates that exactly the right amount arrived just now. */
export async function completeInSandbox(deps: Deps, scope: Scope, id: string): Promise<InvoiceRow> {
  const row = await getInvoice(deps, scope, id)
  if (row.status === 'completed') return row
  if (row.status !== 'pending') throw notPayable(row)
  // Repeated calls must record the same payment, so its time must be the same too.
  const payment = {
    key: `sandbox complete ${id}`,
    amount: must(row.pay_amount ?? undefined),
    paidAt: row.created_at,
  }
  await confirmPayment(deps, scope, id, payment)
  return getInvoice(deps, scope, id)
}

/** POST /sandbox/invoices/{id}/payments: simulates a payment of any amount at any time. */
export async function payInSandbox(
  deps: Deps,
  scope: Scope,
  id: string,
  payment: { amount: bigint; at: Date | undefined },
): Promise<InvoiceRow> {
  const row = await getInvoice(deps, scope, id)
  if (payment.amount === 0n)
    throw new ApiError('validation_failed', 'body.amount must be at least "0.000001".', { param: 'amount' })
  const now = deps.clock.now()
  const verdict = await confirmPayment(deps, scope, id, {
    key: `sandbox ${newId(now)}`,
    amount: payment.amount,
    paidAt: payment.at ?? now,
  })
  if (verdict === 'not_ready') throw notPayable(row)
  if (verdict === 'too_many') throw new ApiError('invoice_not_payable', 'This invoice has 1000 payments already.')
  return getInvoice(deps, scope, id)
}

function notPayable({ status }: InvoiceRow): ApiError {
  return new ApiError('invoice_not_payable', `This invoice is ${status}; only a pending one can be completed.`, {
    details: { status },
  })
}
