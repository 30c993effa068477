// Invoices in manual review: what an operator sees of them, and what a decision means for one.
import type { Db } from '../db/pool.ts'
import { ApiError } from '../errors.ts'
import { describeRequest } from '../issuer/exchanges.ts'
import { scopeOf } from '../issuer/requests/ask.ts'
import { describeDossier } from '../issuer/requests/dossier.ts'
import { formatCents } from '../lib/money.ts'
import type { Scope } from '../lib/scope.ts'
import { centsRoundedDown, formatMicros, micros, parseMicros } from '../tron/usdt.ts'
import { refuseFields, type ReviewDecision, type ReviewSource } from '../reviews/review.ts'
import { createReviewSource, type ReviewKind } from '../reviews/source.ts'
import type { FundingDeps } from './deps.ts'
import {
  findInvoice,
  findInvoiceAnywhere,
  type InvoiceEnd,
  type InvoiceRow,
  listInvoiceReviews,
  listPayments,
  type PaymentRow,
} from './queries.ts'
import { showInvoice } from './read.ts'
import { askedOf } from './request-kind.ts'
import { creditOf } from './rules.ts'
import { Invoice } from './schema.ts'

/** A person reads them; more would not help. */
const PAYMENTS_MAX = 50
/** The fields of a decision that are about operations. */
export const OF_OPERATIONS = ['cardId', 'last4', 'receipt'] as const

export type InvoiceReviewKind = ReviewKind<InvoiceRow, InvoiceEnd>

export function invoiceReviews(deps: Pick<FundingDeps, 'db' | 'clock' | 'payLinks'>): ReviewSource {
  return createReviewSource(deps, invoiceReviewKind(deps), ({ requested }) => ({
    title: `Invoice for ${formatCents(requested)} USD`,
    names: {},
  }))
}

export function invoiceReviewKind(deps: Pick<FundingDeps, 'db' | 'payLinks'>): InvoiceReviewKind {
  const { db, payLinks } = deps
  return {
    prefix: 'inv',
    object: 'invoice',
    noun: 'invoice',
    resource: Invoice,
    permission: 'funding:write',
    list: (page) => listInvoiceReviews(db, page),
    find: (scope, id) => findInvoice(db, scope, id),
    findAnywhere: (id) => findInvoiceAnywhere(db, id),
    describe: (row) => describe(db, row),
    requireFields: (decision) => refuseFields(decision, OF_OPERATIONS),
    endOf,
    termsOf: (row, { status, seen, received, deposit, fee, failure }) => ({
      status,
      seen: seen?.toString() ?? null,
      received: received?.toString() ?? null,
      deposit: deposit?.toString() ?? null,
      fee: fee?.toString() ?? null,
      failureCode: failure?.code ?? null,
      failureMessage: failure?.message ?? null,
      payUrl: payLinks.urlOf(scopeOf(row), row.id),
    }),
    show: (row) => showInvoice(deps, row),
  }
}

/** What was asked for, what came back, and the payments reported. */
async function describe(db: Db, row: InvoiceRow) {
  const note = () =>
    row.address === null
      ? 'It is not known whether the issuer created this invoice. The issuer is not asked again.'
      : null
  return {
    heldAmount: formatCents(centsRoundedDown(micros(row.received ?? 0n))),
    since: row.status_at.toISOString(),
    reasons: row.reasons,
    dossier: {
      ...(await describeDossier(db, row, { asked: askedOf(row), type: 'invoice', claimedAt: row.created_at, note })),
      request: describeInstructions(row),
      payments: await describePayments(db, scopeOf(row), row.id),
    },
  }
}

function endOf(row: InvoiceRow, decision: ReviewDecision): InvoiceEnd {
  const nothing = { seen: row.received, received: null, deposit: null, fee: null, failure: null }
  switch (decision.outcome) {
    case 'completed': {
      const received = decision.receivedAmount === undefined ? row.received : parseMicros(decision.receivedAmount)
      if (received === null) {
        throw new ApiError(
          'validation_failed',
          'body.receivedAmount is required: the issuer reported no payment of this invoice.',
          { param: 'receivedAmount' },
        )
      }
      return { ...nothing, status: 'completed', received, ...requireCredit(received, decision) }
    }
    case 'failed': {
      const message = 'The invoice was reviewed and not accepted. Nothing was credited.'
      return { ...nothing, status: 'failed', failure: { code: 'review_failed', message } }
    }
    case 'expired':
      return { ...nothing, status: 'expired' }
  }
}

export function requireCredit(received: bigint, { receivedAmount }: ReviewDecision) {
  const credit = creditOf(micros(received))
  if (credit === undefined) {
    throw new ApiError(
      'validation_failed',
      'Less than a cent was received, so nothing can be credited. Decide failed or expired instead.',
      { param: receivedAmount === undefined ? 'outcome' : 'receivedAmount' },
    )
  }
  return credit
}

/** Returns the request for an invoice and what the issuer said to pay. */
export function describeInstructions(row: InvoiceRow) {
  const { address, pay_amount: payAmount, expires_at: expiresAt } = row
  return {
    ...describeRequest(askedOf(row)),
    address,
    payAmount: payAmount === null ? null : formatMicros(payAmount),
    expiresAt: expiresAt?.toISOString() ?? null,
  }
}

/** Returns the newest payments of an invoice, oldest first. */
export async function describePayments(db: Db, scope: Scope, invoiceId: string) {
  const payments = await listPayments(db, scope, invoiceId, PAYMENTS_MAX)
  return payments.toReversed().map((payment: PaymentRow) => ({
    reference: payment.payment_key,
    amount: formatMicros(payment.amount),
    paidAt: payment.paid_at.toISOString(),
    recordedAt: payment.recorded_at.toISOString(),
  }))
}
