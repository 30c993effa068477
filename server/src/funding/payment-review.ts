// Payments that came after their invoice was closed: what an operator sees of them, and what a decision means for one.
import type { Db } from '../db/pool.ts'
import { scopeOf } from '../issuer/requests/ask.ts'
import type { Clock } from '../lib/clock.ts'
import { formatId } from '../lib/ids.ts'
import { must } from '../lib/invariant.ts'
import { formatCents } from '../lib/money.ts'
import { centsRoundedDown, formatMicros, formatShortMicros, micros, parseMicros } from '../tron/usdt.ts'
import { refuseFields, requireNotExpired, type ReviewDecision, type ReviewSource } from '../reviews/review.ts'
import { createReviewSource, type ReviewKind } from '../reviews/source.ts'
import {
  findInvoice,
  findPaymentReview,
  findPaymentReviewAnywhere,
  listPaymentReviews,
  type PaymentEnd,
  type PaymentReviewRow,
} from './queries.ts'
import { describeInstructions, describePayments, OF_OPERATIONS, requireCredit } from './review.ts'
import { Payment, toPayment } from './schema.ts'

export type PaymentReviewKind = ReviewKind<PaymentReviewRow, PaymentEnd>

export function paymentReviews(deps: { db: Db; clock: Clock }): ReviewSource {
  return createReviewSource(deps, paymentReviewKind(deps), ({ amount }) => ({
    title: `Late payment of ${formatShortMicros(amount)} USDT`,
    names: {},
  }))
}

export function paymentReviewKind({ db }: { db: Db }): PaymentReviewKind {
  return {
    prefix: 'rev',
    object: 'payment',
    noun: 'payment',
    resource: Payment,
    permission: 'funding:write',
    list: (page) => listPaymentReviews(db, page),
    find: (scope, id) => findPaymentReview(db, scope, id),
    findAnywhere: (id) => findPaymentReviewAnywhere(db, id),
    describe: (row) => describe(db, row),
    requireFields(decision) {
      refuseFields(decision, OF_OPERATIONS)
      requireNotExpired(decision)
    },
    endOf,
    termsOf: (_row, { status, deposit, fee }) => ({
      status,
      deposit: deposit?.toString() ?? null,
      fee: fee?.toString() ?? null,
    }),
    detailsOf: (row) => ({ invoiceId: formatId('inv', row.invoice_id) }),
    show: toPayment,
  }
}

async function describe(db: Db, row: PaymentReviewRow) {
  const scope = scopeOf(row)
  const invoice = must(await findInvoice(db, scope, row.invoice_id))
  return {
    invoiceId: formatId('inv', row.invoice_id),
    amount: formatMicros(row.amount),
    heldAmount: formatCents(centsRoundedDown(micros(row.amount))),
    since: row.created_at.toISOString(),
    reasons: ['late_payment'],
    dossier: {
      type: 'payment',
      acceptedAt: row.created_at.toISOString(),
      claimedAt: null,
      request: describeInstructions(invoice),
      exchanges: [],
      payments: await describePayments(db, scope, row.invoice_id),
      note: `The invoice was ${invoice.status} when this payment arrived, and stays so.`,
    },
  }
}

function endOf(row: PaymentReviewRow, decision: ReviewDecision): PaymentEnd {
  const status = requireNotExpired(decision)
  const received = decision.receivedAmount === undefined ? row.amount : parseMicros(decision.receivedAmount)
  return { status, ...(status === 'completed' ? requireCredit(received, decision) : { deposit: null, fee: null }) }
}
