// Offers invoices and late payments in review to the review list, for operators and the sandbox.
import { requireFound } from '../errors.ts'
import { refuseFields, requireNotExpired, type ReviewSource } from '../reviews/review.ts'
import type { FundingDeps } from './deps.ts'
import {
  findInvoice,
  findInvoiceAnywhere,
  findPaymentReview,
  findPaymentReviewAnywhere,
  listInvoiceReviews,
  listPaymentReviews,
} from './queries.ts'
import { showInvoice } from './read.ts'
import { describeInvoiceReview, describePaymentReview, resolveInvoiceReview, resolvePayment } from './review.ts'
import { Invoice, Payment, toPayment } from './schema.ts'

const OF_OPERATIONS = ['cardId', 'last4', 'receipt'] as const

export function fundingReviews(deps: Pick<FundingDeps, 'db' | 'clock' | 'payLinks'>): ReviewSource[] {
  const { db } = deps
  const invoices: ReviewSource = {
    prefix: 'inv',
    resource: Invoice,
    permission: 'funding:write',
    list: async (page) => {
      const rows = await listInvoiceReviews(db, page)
      return Promise.all(rows.map(async (row) => ({ id: row.id, review: await describeInvoiceReview(deps, row) })))
    },
    find: async (id) => {
      const row = await findInvoiceAnywhere(db, id)
      return row?.status === 'manual_review' ? describeInvoiceReview(deps, row) : undefined
    },
    resolve: async (actor, id, decision, within) => {
      const row = await (within === undefined ? findInvoiceAnywhere(db, id) : findInvoice(db, within, id))
      refuseFields(decision, OF_OPERATIONS)
      return showInvoice(deps, await resolveInvoiceReview(deps, actor, requireFound(row), decision))
    },
  }
  const payments: ReviewSource = {
    prefix: 'rev',
    resource: Payment,
    permission: 'funding:write',
    list: async (page) => {
      const rows = await listPaymentReviews(db, page)
      return Promise.all(rows.map(async (row) => ({ id: row.id, review: await describePaymentReview(deps, row) })))
    },
    find: async (id) => {
      const row = await findPaymentReviewAnywhere(db, id)
      return row?.status === 'manual_review' ? describePaymentReview(deps, row) : undefined
    },
    resolve: async (actor, id, decision, within) => {
      const row = await (within === undefined ? findPaymentReviewAnywhere(db, id) : findPaymentReview(db, within, id))
      const found = requireFound(row)
      refuseFields(decision, OF_OPERATIONS)
      return toPayment(await resolvePayment(deps, actor, found, { ...decision, outcome: requireNotExpired(decision) }))
    },
  }
  return [invoices, payments]
}
