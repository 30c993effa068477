// Everything that can wait for a person's decision, each kind behind the same few verbs. A new kind is a new source.
import type { Actor } from '../access/audit.ts'
import type { Db } from '../db/pool.ts'
import { ApiError } from '../errors.ts'
import type { FundingDeps } from '../funding/create.ts'
import {
  findInvoiceAnywhere,
  findPaymentReviewAnywhere,
  listInvoiceReviews,
  listPaymentReviews,
} from '../funding/queries.ts'
import { showInvoice } from '../funding/read.ts'
import {
  describeInvoiceReview,
  describePaymentReview,
  resolveInvoiceReview,
  resolvePayment,
} from '../funding/review.ts'
import { toPayment } from '../funding/schema.ts'
import type { Page } from '../http/page.ts'
import type { Prefix } from '../lib/ids.ts'
import { findOperationAnywhere, listReviews } from '../operations/queries.ts'
import { describeReview, resolveReview } from '../operations/review.ts'
import { toOperation } from '../operations/schema.ts'

/** What an operator decided; which fields make sense depends on what it is about. */
export interface Decision {
  readonly outcome: 'completed' | 'failed' | 'expired'
  readonly reason: string
  readonly evidence?: string
  readonly cardId?: string
  readonly last4?: string
  readonly receipt?: string
  readonly receivedAmount?: string
}

interface ReviewRow {
  readonly id: string
  readonly status: string
}

export interface ReviewSource<Row extends ReviewRow = ReviewRow> {
  /** Of the ids that it answers to. */
  readonly prefix: Prefix
  /** Open reviews, oldest first. */
  list(page: Page): Promise<Row[]>
  /** Open or decided. */
  find(id: string): Promise<Row | undefined>
  describe(row: Row): Promise<unknown>
  /** The object after the decision, as the API shows it. */
  resolve(actor: Actor, row: Row, decision: Decision): Promise<unknown>
}

export type SourceDeps = Pick<FundingDeps, 'db' | 'clock' | 'payLinks'> & { db: Db }

export function reviewSources(deps: SourceDeps): ReviewSource[] {
  const { db } = deps
  return [
    source({
      prefix: 'op',
      list: (page) => listReviews(db, page),
      find: (id) => findOperationAnywhere(db, id),
      describe: (row) => describeReview(deps, row),
      resolve: async (actor, row, { outcome, receivedAmount, ...decision }) => {
        if (outcome === 'expired') throw refuse('outcome of an operation must be completed or failed')
        refuseFields({ receivedAmount })
        return toOperation(await resolveReview(deps, actor, row, { ...decision, outcome }))
      },
    }),
    source({
      prefix: 'inv',
      list: (page) => listInvoiceReviews(db, page),
      find: (id) => findInvoiceAnywhere(db, id),
      describe: (row) => describeInvoiceReview(deps, row),
      resolve: async (actor, row, { cardId, last4, receipt, ...decision }) => {
        refuseFields({ cardId, last4, receipt })
        return showInvoice(deps, await resolveInvoiceReview(deps, actor, row, decision))
      },
    }),
    source({
      prefix: 'rev',
      list: (page) => listPaymentReviews(db, page),
      find: (id) => findPaymentReviewAnywhere(db, id),
      describe: (row) => describePaymentReview(deps, row),
      resolve: async (actor, row, { cardId, last4, receipt, ...decision }) => {
        refuseFields({ cardId, last4, receipt })
        return toPayment(await resolvePayment(deps, actor, row, decision))
      },
    }),
  ]
}

/** A source only ever gets rows that it gave out itself, which is what makes this cast true. */
function source<Row extends ReviewRow>(definition: ReviewSource<Row>): ReviewSource {
  return definition as unknown as ReviewSource
}

function refuse(problem: string): ApiError {
  return new ApiError('validation_failed', `body.${problem}.`)
}

function refuseFields(fields: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) throw refuse(`${name} does not belong to this kind of review; leave it out`)
  }
}
