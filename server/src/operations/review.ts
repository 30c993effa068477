// Operations in manual review: what an operator sees of them, and what a decision means for one.
import { findCard } from '../cards/queries.ts'
import { type Db, isUniqueViolation } from '../db/pool.ts'
import { ApiError } from '../errors.ts'
import { describeDossier } from '../issuer/requests/dossier.ts'
import { scopeOf } from '../issuer/requests/ask.ts'
import { last4Of } from '../issuer/sandbox.ts'
import type { Clock } from '../lib/clock.ts'
import { findId, formatId, newId } from '../lib/ids.ts'
import { must } from '../lib/invariant.ts'
import { formatCents } from '../lib/money.ts'
import { refuseFields, requireNotExpired, type ReviewDecision, type ReviewSource } from '../reviews/review.ts'
import { createReviewSource, type ReviewKind } from '../reviews/source.ts'
import {
  findOperation,
  findOperationAnywhere,
  listOperationsInReview,
  type OperationEnd,
  type OperationRow,
  resolveOperation,
} from './queries.ts'
import { askedOf } from './request-kind.ts'
import { Operation, toOperation } from './schema.ts'

export type OperationReviewKind = ReviewKind<OperationRow, OperationEnd>

export function operationReviews(deps: { db: Db; clock: Clock }): ReviewSource {
  return createReviewSource(deps, operationReviewKind(deps))
}

export function operationReviewKind({ db }: { db: Db }): OperationReviewKind {
  return {
    prefix: 'op',
    object: 'operation',
    noun: 'operation',
    resource: Operation,
    permission: 'cards:write',
    list: (page) => listOperationsInReview(db, page),
    find: (scope, id) => findOperation(db, scope, id),
    findAnywhere: (id) => findOperationAnywhere(db, id),
    describe: async (row) => ({
      heldAmount: formatCents(row.amount + row.fee),
      since: row.status_at.toISOString(),
      reasons: ['issuer_unknown'],
      dossier: await describeDossier(db, row, {
        asked: askedOf(row),
        type: row.type,
        claimedAt: row.claimed_at,
        note: (isAnswered) =>
          isAnswered
            ? null
            : 'The process that claimed it ended before it recorded an answer. The request may or may not have been sent.',
      }),
    }),
    requireFields(decision) {
      requireNotExpired(decision)
      refuseFields(decision, ['receivedAmount'])
    },
    endOf: (row, decision, now) => endOf(db, row, decision, now),
    async resolve(row, end, change) {
      const resolving = resolveOperation(db, scopeOf(row), row.id, { end, ...change })
      const { verdict } = must(
        await resolving.catch((error: unknown) => {
          // Another review has used this card id since it was checked.
          throw isUniqueViolation(error) ? cardIdNotFree() : error
        }),
      )
      return verdict
    },
    show: toOperation,
  }
}

async function endOf(db: Db, row: OperationRow, decision: ReviewDecision, now: Date): Promise<OperationEnd> {
  if (requireNotExpired(decision) === 'failed') {
    const message = 'The operation was reviewed and did not take place. The funds were released.'
    return { status: 'failed', failure: { code: 'review_failed', message } }
  }
  const receipt = decision.receipt ?? `rcpt_${row.id.replaceAll('-', '')}`
  if (row.type === 'issue') return { status: 'completed', receipt, card: await newCard(db, row, { decision, now }) }
  if (decision.cardId !== undefined && decision.cardId !== (row.card_id && formatId('card', row.card_id))) {
    throw new ApiError('validation_failed', "body.cardId is not this operation's card; leave it out.", {
      param: 'cardId',
    })
  }
  return { status: 'completed', receipt }
}

async function newCard(
  db: Db,
  row: OperationRow,
  { decision, now }: { decision: ReviewDecision; now: Date },
): Promise<{ id: string; last4: string }> {
  const last4 = decision.last4 ?? (row.environment === 'sandbox' ? last4Of(row.id) : undefined)
  if (last4 === undefined) {
    throw new ApiError(
      'validation_failed',
      'body.last4 is required: the last four digits of the card that the issuer made.',
      { param: 'last4' },
    )
  }
  if (decision.cardId === undefined) return { id: newId(now), last4 }
  const id = findId('card', decision.cardId)
  if (id === undefined || (await findCard(db, scopeOf(row), id)) !== undefined) {
    throw cardIdNotFree()
  }
  return { id, last4 }
}

function cardIdNotFree(): ApiError {
  return new ApiError(
    'validation_failed',
    'body.cardId must be an unused id of the form card_ and 32 hex digits; leave it out to get one.',
    { param: 'cardId' },
  )
}
