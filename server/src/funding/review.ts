// Invoices and payments in manual review: describes them to an operator, and applies the operator's decision.
import { type Actor, auditRecord } from '../access/audit.ts'
import { ApiError, notFound } from '../errors.ts'
import type { Review, ReviewDecision } from '../reviews/review.ts'
import { describeExchanges, describeRequest } from '../issuer/exchanges.ts'
import { scopeOf } from '../issuer/requests/ask.ts'
import { formatId } from '../lib/ids.ts'
import { must } from '../lib/invariant.ts'
import { formatCents } from '../lib/money.ts'
import { centsRoundedDown, formatMicros, micros, parseMicros } from '../lib/usdt.ts'
import type { FundingDeps } from './deps.ts'
import {
  findInvoice,
  findPaymentReview,
  type InvoiceResolution,
  type InvoiceRow,
  listPayments,
  type PaymentReviewRow,
  type PaymentRow,
  resolveInvoice,
  resolvePaymentReview,
} from './queries.ts'
import { creditOf } from './rules.ts'
import { askedOf } from './request-kind.ts'

/** A person reads them; more would not help. */
const PAYMENTS_MAX = 50

type Deps = Pick<FundingDeps, 'db' | 'clock' | 'payLinks'>

/** Returns everything known about an invoice: what was asked for, what came back, and the payments reported. */
export async function describeInvoiceReview({ db }: Pick<Deps, 'db'>, row: InvoiceRow): Promise<Review> {
  const scope = scopeOf(row)
  const exchanges = await describeExchanges(db, scope, row.id)
  const payments = await listPayments(db, scope, row.id, PAYMENTS_MAX)
  return {
    id: formatId('inv', row.id),
    object: 'invoice',
    companyId: formatId('co', row.company_id),
    environment: row.environment,
    heldAmount: formatCents(centsRoundedDown(micros(row.received ?? 0n))),
    since: row.status_at.toISOString(),
    reasons: row.reasons,
    dossier: {
      type: 'invoice',
      acceptedAt: row.created_at.toISOString(),
      claimedAt: row.created_at.toISOString(),
      request: { ...describeRequest(askedOf(row)), ...instructionsOf(row) },
      exchanges,
      payments: payments.toReversed().map(toReviewPayment),
      note:
        row.address === null
          ? 'It is not known whether the issuer created this invoice. The issuer is not asked again.'
          : null,
    },
  }
}

export async function describePaymentReview({ db }: Pick<Deps, 'db'>, row: PaymentReviewRow): Promise<Review> {
  const scope = scopeOf(row)
  const invoice = must(await findInvoice(db, scope, row.invoice_id))
  const payments = await listPayments(db, scope, row.invoice_id, PAYMENTS_MAX)
  return {
    id: formatId('rev', row.id),
    object: 'payment',
    invoiceId: formatId('inv', row.invoice_id),
    amount: formatMicros(row.amount),
    companyId: formatId('co', row.company_id),
    environment: row.environment,
    heldAmount: formatCents(centsRoundedDown(micros(row.amount))),
    since: row.created_at.toISOString(),
    reasons: ['late_payment'],
    dossier: {
      type: 'payment',
      acceptedAt: row.created_at.toISOString(),
      claimedAt: null,
      request: { ...describeRequest(askedOf(invoice)), ...instructionsOf(invoice) },
      exchanges: [],
      payments: payments.toReversed().map(toReviewPayment),
      note: `The invoice was ${invoice.status} when this payment arrived, and stays so.`,
    },
  }
}

/** Applies a decision. Refuses it if the invoice is not in review, or if more money came since `row` was read. */
export async function resolveInvoiceReview(
  { db, clock, payLinks }: Deps,
  actor: Actor,
  row: InvoiceRow,
  decision: ReviewDecision,
): Promise<InvoiceRow> {
  const scope = scopeOf(row)
  if (row.status !== 'manual_review') throw alreadyResolved('invoice', row.status)
  const resolution = toResolution(row, decision)
  const log = auditRecord(clock, actor, {
    action: `review.${decision.outcome}`,
    object: formatId('inv', row.id),
    details: { ...decision },
  })
  const payUrl = payLinks.urlOf(scope, row.id)
  const { verdict } = must(await resolveInvoice(db, scope, row.id, clock.now(), { ...resolution, payUrl, log }))
  if (verdict === null) throw notFound()
  if (verdict === 'changed') {
    throw new ApiError(
      'already_resolved',
      'More money arrived for this invoice since you read it. Read it again, then decide.',
    )
  }
  if (verdict !== 'resolved') throw alreadyResolved('invoice', verdict)
  return must(await findInvoice(db, scope, row.id))
}

function toResolution(row: InvoiceRow, decision: ReviewDecision): InvoiceResolution {
  const nothing = { seen: row.received, received: null, deposit: null, fee: null, failure: null }
  switch (decision.outcome) {
    case 'completed': {
      const received = decision.receivedAmount === undefined ? row.received : parseMicros(decision.receivedAmount)
      if (received === null) {
        throw new ApiError(
          'validation_failed',
          'body.receivedAmount is required: the issuer reported no payment of this invoice.',
        )
      }
      return { ...nothing, status: 'completed', received, ...requireCredit(received) }
    }
    case 'failed': {
      const message = 'The invoice was reviewed and not accepted. Nothing was credited.'
      return { ...nothing, status: 'failed', failure: { code: 'review_failed', message } }
    }
    case 'expired':
      return { ...nothing, status: 'expired' }
  }
}

export async function resolvePayment(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  actor: Actor,
  row: PaymentReviewRow,
  decision: ReviewDecision & { outcome: 'completed' | 'failed' },
): Promise<PaymentReviewRow> {
  const scope = scopeOf(row)
  if (row.status !== 'manual_review') throw alreadyResolved('payment', row.status)
  const status = decision.outcome
  const received = decision.receivedAmount === undefined ? row.amount : parseMicros(decision.receivedAmount)
  const credit = status === 'completed' ? requireCredit(received) : { deposit: null, fee: null }
  const log = auditRecord(clock, actor, {
    action: `review.${status}`,
    object: formatId('rev', row.id),
    details: { ...decision, invoiceId: formatId('inv', row.invoice_id) },
  })
  const { verdict } = must(await resolvePaymentReview(db, scope, row.id, clock.now(), { status, ...credit, log }))
  if (verdict === null) throw notFound()
  if (verdict !== 'resolved') throw alreadyResolved('payment', verdict)
  return must(await findPaymentReview(db, scope, row.id))
}

function requireCredit(received: bigint) {
  const credit = creditOf(micros(received))
  if (credit === undefined) {
    throw new ApiError(
      'validation_failed',
      'Less than a cent was received, so nothing can be credited. Decide failed or expired instead.',
    )
  }
  return credit
}

function instructionsOf({ address, pay_amount, expires_at }: InvoiceRow) {
  return {
    address,
    payAmount: pay_amount === null ? null : formatMicros(pay_amount),
    expiresAt: expires_at?.toISOString() ?? null,
  }
}

function toReviewPayment(payment: PaymentRow) {
  return {
    reference: payment.payment_key,
    amount: formatMicros(payment.amount),
    paidAt: payment.paid_at.toISOString(),
    recordedAt: payment.recorded_at.toISOString(),
  }
}

function alreadyResolved(what: string, status: string): ApiError {
  return new ApiError('already_resolved', `This ${what} is not in manual review; it is ${status}.`, {
    details: { status },
  })
}
