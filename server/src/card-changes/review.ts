// Card changes in manual review: what an operator sees of them, and what a decision means for one.
import { findCardNames, namesById } from '../cards/names.ts'
import { findCard } from '../cards/queries.ts'
import { cardChangeTitle } from '../cards/title.ts'
import type { Db } from '../db/pool.ts'
import { ApiError } from '../errors.ts'
import { scopeOf } from '../issuer/requests/ask.ts'
import { describeDossier } from '../issuer/requests/dossier.ts'
import type { Clock } from '../lib/clock.ts'
import { must } from '../lib/invariant.ts'
import { type Cents, findCents, formatCents } from '../lib/money.ts'
import { requireNotExpired, type ReviewDecision, type ReviewSource } from '../reviews/review.ts'
import { createReviewSource, type ReviewKind } from '../reviews/source.ts'
import {
  type CardChangeEnd,
  type CardChangeRow,
  findCardChange,
  findCardChangeAnywhere,
  listCardChangesInReview,
} from './queries.ts'
import { askedOf } from './request-kind.ts'
import { CardChange, toCardChange } from './schema.ts'

export type CardChangeReviewKind = ReviewKind<CardChangeRow, CardChangeEnd>

export function cardChangeReviews(deps: { db: Db; clock: Clock }): ReviewSource {
  return createReviewSource(deps, cardChangeReviewKind(deps), async (row) => {
    const names = (await findCardNames(deps.db, scopeOf(row), [row.card_id]))(row.card_id)
    return { title: cardChangeTitle(row.wanted, names), names: namesById(names) }
  })
}

export function cardChangeReviewKind({ db }: { db: Db }): CardChangeReviewKind {
  return {
    prefix: 'chg',
    object: 'card_change',
    noun: 'change',
    resource: CardChange,
    permission: 'cards:write',
    list: (page) => listCardChangesInReview(db, page),
    find: (scope, id) => findCardChange(db, scope, id),
    findAnywhere: (id) => findCardChangeAnywhere(db, id),
    describe: async (row) => ({
      heldAmount: '0.00',
      since: row.status_at.toISOString(),
      reasons: ['issuer_unknown'],
      dossier: await describeDossier(db, row, {
        asked: askedOf(row),
        type: row.wanted,
        claimedAt: row.created_at,
        note: (isAnswered) =>
          isAnswered
            ? null
            : 'The process that began this change stopped before it recorded an answer. The request may or may not have been sent.',
      }),
    }),
    async endOf(row, decision) {
      const end = endOf(row, decision)
      if (end.returned !== null) await requireOnCard(db, row, end.returned)
      return end
    },
    termsOf: (_row, { status, returned, failure }) => ({
      status,
      returned: returned?.toString() ?? null,
      failureCode: failure?.code ?? null,
      failureMessage: failure?.message ?? null,
    }),
    show: toCardChange,
  }
}

function endOf(row: CardChangeRow, decision: ReviewDecision): CardChangeEnd {
  const { receivedAmount } = decision
  const status = requireNotExpired(decision)
  if (receivedAmount !== undefined && (status !== 'completed' || row.wanted !== 'closed')) {
    throw new ApiError('validation_failed', 'body.receivedAmount is for a completed close only; leave it out.', {
      param: 'receivedAmount',
    })
  }
  const message = 'The change was reviewed and did not take place. The card is unchanged.'
  return {
    status,
    returned: receivedAmount === undefined ? null : requireCents(receivedAmount),
    failure: status === 'failed' ? { code: 'review_failed', message } : null,
  }
}

/** A larger amount would be credited in part only, as closing_credit.sql says. */
async function requireOnCard(db: Db, row: CardChangeRow, returned: bigint): Promise<void> {
  const { balance, status } = must(await findCard(db, scopeOf(row), row.card_id))
  // What was on a card that the issuer has closed meanwhile has come back already.
  if (returned <= balance || status === 'closed') return
  throw new ApiError(
    'validation_failed',
    `body.receivedAmount is more than the ${formatCents(balance)} USD that this card has here. Give at most that: what the issuer has not reported yet, such as a refund, is credited when it reports it.`,
    { param: 'receivedAmount' },
  )
}

function requireCents(text: string): Cents {
  const amount = findCents(text)
  if (amount !== undefined) return amount
  throw new ApiError('validation_failed', 'body.receivedAmount of a close is in dollars, with up to two decimals.', {
    param: 'receivedAmount',
  })
}
