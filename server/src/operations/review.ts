// Operations in manual review: what an operator sees of them, and the decision that ends the review.
import { type Actor, auditRecord } from '../access/audit.ts'
import { findCard } from '../cards/queries.ts'
import { type Db, isUniqueViolation } from '../db/pool.ts'
import { ApiError, notFound, requireFound } from '../errors.ts'
import {
  refuseFields,
  requireNotExpired,
  type Review,
  type ReviewDecision,
  type ReviewSource,
} from '../reviews/review.ts'
import { describeExchanges, describeRequest } from '../issuer/exchanges.ts'
import { last4Of } from '../issuer/sandbox.ts'
import type { Clock } from '../lib/clock.ts'
import { findId, formatId, newId } from '../lib/ids.ts'
import { must } from '../lib/invariant.ts'
import { formatCents } from '../lib/money.ts'
import type { Scope } from '../lib/scope.ts'
import {
  findOperation,
  findOperationAnywhere,
  listOperationsInReview,
  type OperationRow,
  type Resolution,
  resolveOperation,
} from './queries.ts'
import { askedOf } from './request-kind.ts'
import { Operation, toOperation } from './schema.ts'

interface Deps {
  db: Db
  clock: Clock
}

export function operationReviews(deps: Deps): ReviewSource {
  const { db } = deps
  return {
    prefix: 'op',
    resource: Operation,
    permission: 'cards:write',
    list: async (page) => {
      const rows = await listOperationsInReview(db, page)
      return Promise.all(rows.map(async (row) => ({ id: row.id, review: await describeReview({ db }, row) })))
    },
    find: async (id) => {
      const row = await findOperationAnywhere(db, id)
      return row?.status === 'manual_review' ? describeReview({ db }, row) : undefined
    },
    resolve: async (actor, id, decision, within) => {
      const row = await (within === undefined ? findOperationAnywhere(db, id) : findOperation(db, within, id))
      const found = requireFound(row)
      requireNotExpired(decision)
      refuseFields(decision, ['receivedAmount'])
      return toOperation(await resolveReview(deps, actor, found, decision))
    },
  }
}

/** Returns everything known about a review: what was sent, what was answered, and when. */
export async function describeReview({ db }: Pick<Deps, 'db'>, row: OperationRow): Promise<Review> {
  const scope = { companyId: row.company_id, environment: row.environment }
  const exchanges = await describeExchanges(db, scope, row.id)
  return {
    id: formatId('op', row.id),
    object: 'operation',
    companyId: formatId('co', row.company_id),
    environment: row.environment,
    heldAmount: formatCents(row.amount + row.fee),
    since: row.status_at.toISOString(),
    reasons: ['issuer_unknown'],
    dossier: {
      type: row.type,
      acceptedAt: row.created_at.toISOString(),
      claimedAt: row.claimed_at?.toISOString() ?? null,
      request: describeRequest(askedOf(row)),
      exchanges,
      note: exchanges.some((exchange) => exchange.purpose === 'request')
        ? null
        : 'The process that claimed it ended before it recorded an answer. The request may or may not have been sent.',
    },
  }
}

/** Refuses an operation that is not in review: it was already decided, or its outcome is known. */
export async function resolveReview(
  { db, clock }: Deps,
  actor: Actor,
  row: OperationRow,
  decision: ReviewDecision,
): Promise<OperationRow> {
  const scope = { companyId: row.company_id, environment: row.environment }
  if (row.status !== 'manual_review') throw alreadyResolved(row.status)
  const resolution = await toResolution(db, scope, row, { decision, now: clock.now() })
  const record = auditRecord(clock, actor, {
    action: `review.${decision.outcome}`,
    object: formatId('op', row.id),
    details: { ...decision },
  })
  const { verdict } = must(
    await resolveOperation(db, scope, row.id, clock.now(), resolution, record).catch((error: unknown) => {
      // Another review has used this card id since it was checked.
      throw isUniqueViolation(error) ? cardIdNotFree() : error
    }),
  )
  if (verdict === null) throw notFound()
  if (verdict !== 'resolved') throw alreadyResolved(verdict)
  return must(await findOperation(db, scope, row.id))
}

async function toResolution(
  db: Db,
  scope: Scope,
  row: OperationRow,
  { decision, now }: { decision: ReviewDecision; now: Date },
): Promise<Resolution> {
  const from = ['manual_review'] as const
  if (decision.outcome === 'failed') {
    const failure = {
      code: 'review_failed',
      message: 'The operation was reviewed and did not take place. The funds were released.',
    }
    return { from, status: 'failed', receipt: null, card: null, failure }
  }
  const receipt = decision.receipt ?? `rcpt_${row.id.replaceAll('-', '')}`
  if (row.type === 'issue')
    return { from, status: 'completed', receipt, card: await newCard(db, scope, row, { decision, now }), failure: null }
  if (decision.cardId !== undefined && decision.cardId !== (row.card_id && formatId('card', row.card_id))) {
    throw new ApiError('validation_failed', "body.cardId is not this operation's card; leave it out.")
  }
  return { from, status: 'completed', receipt, card: null, failure: null }
}

async function newCard(
  db: Db,
  scope: Scope,
  row: OperationRow,
  { decision, now }: { decision: ReviewDecision; now: Date },
): Promise<{ id: string; last4: string }> {
  const last4 = decision.last4 ?? (scope.environment === 'sandbox' ? last4Of(row.id) : undefined)
  if (last4 === undefined) {
    throw new ApiError(
      'validation_failed',
      'body.last4 is required: the last four digits of the card that the issuer made.',
    )
  }
  if (decision.cardId === undefined) return { id: newId(now), last4 }
  const id = findId('card', decision.cardId)
  if (id === undefined || (await findCard(db, scope, id)) !== undefined) {
    throw cardIdNotFree()
  }
  return { id, last4 }
}

function cardIdNotFree(): ApiError {
  return new ApiError(
    'validation_failed',
    'body.cardId must be an unused id of the form card_ and 32 hex digits; leave it out to get one.',
  )
}

function alreadyResolved(status: string): ApiError {
  return new ApiError('already_resolved', `This operation is not in manual review; it is ${status}.`, {
    details: { status },
  })
}
