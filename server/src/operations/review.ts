// Operations in manual review: what an operator sees of them, and what a decision means for one.
import { findCard } from '../cards/queries.ts'
import { type Db, isUniqueViolation } from '../db/pool.ts'
import { ApiError } from '../errors.ts'
import { describeDossier } from '../issuer/requests/dossier.ts'
import { scopeOf } from '../issuer/requests/ask.ts'
import { last4Of } from '../issuer/sandbox.ts'
import type { Clock } from '../lib/clock.ts'
import { findId, formatId } from '../lib/ids.ts'
import { must } from '../lib/invariant.ts'
import { formatCents } from '../lib/money.ts'
import { refuseFields, requireNotExpired, type ReviewDecision, type ReviewSource } from '../reviews/review.ts'
import { createReviewSource, type ReviewKind } from '../reviews/source.ts'
import { cardIdOf } from '../cards/card-id.ts'
import { namesById } from '../cards/names.ts'
import { type NameDeps, withNames } from './names.ts'
import {
  findOperation,
  findOperationAnywhere,
  listOperationsInReview,
  type OperationEnd,
  type OperationRow,
} from './queries.ts'
import { askedOf } from './request-kind.ts'
import { Operation, toOperation } from './schema.ts'

export type OperationReviewKind = ReviewKind<OperationRow, OperationEnd>

export function operationReviews(deps: NameDeps & { clock: Clock }): ReviewSource {
  return createReviewSource(deps, operationReviewKind(deps), async (row) => {
    const [named] = await withNames(deps, scopeOf(row), [row])
    const { title = 'Top-up of a card', ...names } = must(named).names
    return { title, names: namesById(names) }
  })
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
    endOf: (row, decision) => endOf(db, row, decision),
    termsOf: (_row, { status, receipt, card, failure }) => ({
      status,
      receipt: receipt ?? null,
      cardId: card?.id ?? null,
      last4: card?.last4 ?? null,
      failureCode: failure?.code ?? null,
      failureMessage: failure?.message ?? null,
    }),
    // Another review has used this card id since it was checked.
    refusalOf: (error) => (isUniqueViolation(error) ? cardIdNotFree() : undefined),
    show: toOperation,
  }
}

async function endOf(db: Db, row: OperationRow, decision: ReviewDecision): Promise<OperationEnd> {
  if (requireNotExpired(decision) === 'failed') {
    const message = 'The operation was reviewed and did not take place. The funds were released.'
    return { status: 'failed', failure: { code: 'review_failed', message } }
  }
  const receipt = decision.receipt ?? `rcpt_${row.id.replaceAll('-', '')}`
  if (row.type === 'issue') return { status: 'completed', receipt, card: await newCard(db, row, decision) }
  if (decision.cardId !== undefined && decision.cardId !== (row.card_id && formatId('card', row.card_id))) {
    throw new ApiError('validation_failed', "body.cardId is not this operation's card; leave it out.", {
      param: 'cardId',
    })
  }
  return { status: 'completed', receipt }
}

async function newCard(db: Db, row: OperationRow, decision: ReviewDecision): Promise<{ id: string; last4: string }> {
  const last4 = decision.last4 ?? (row.environment === 'sandbox' ? last4Of(row.id) : undefined)
  if (last4 === undefined) {
    throw new ApiError(
      'validation_failed',
      'body.last4 is required: the last four digits of the card that the issuer made.',
      { param: 'last4' },
    )
  }
  const sent = cardIdOf(row.id)
  if (decision.cardId === undefined) return { id: sent, last4 }
  const id = findId('card', decision.cardId)
  // The live issuer was told the id of the card, and names the card by it.
  if (row.environment === 'live' && id !== sent) {
    throw new ApiError(
      'validation_failed',
      `body.cardId is not the id that was sent to the issuer, ${formatId('card', sent)}; leave it out.`,
      { param: 'cardId' },
    )
  }
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
