// Card changes in manual review: describes them to an operator, and applies the operator's decision.
import { type Actor, auditRecord } from '../access/audit.ts'
import type { Db } from '../db/pool.ts'
import { ApiError, notFound, requireFound } from '../errors.ts'
import { type Review, type ReviewDecision, requireNotExpired, type ReviewSource } from '../reviews/review.ts'
import { describeExchanges, describeRequest } from '../issuer/exchanges.ts'
import type { Clock } from '../lib/clock.ts'
import { formatId } from '../lib/ids.ts'
import { must } from '../lib/invariant.ts'
import { type Cents, findCents } from '../lib/money.ts'
import {
  type CardChangeRow,
  findCardChange,
  findCardChangeAnywhere,
  listCardChangesInReview,
  resolveCardChange,
} from './queries.ts'
import { askedOf } from './request-kind.ts'
import { CardChange, toCardChange } from './schema.ts'

interface Deps {
  db: Db
  clock: Clock
}

export function cardChangeReviews(deps: Deps): ReviewSource {
  const { db } = deps
  return {
    prefix: 'chg',
    resource: CardChange,
    permission: 'cards:write',
    list: async (page) => {
      const rows = await listCardChangesInReview(db, page)
      return Promise.all(rows.map(async (row) => ({ id: row.id, review: await describe(db, row) })))
    },
    find: async (id) => {
      const row = await findCardChangeAnywhere(db, id)
      return row?.status === 'manual_review' ? describe(db, row) : undefined
    },
    resolve: async (actor, id, decision, within) => {
      const row = await (within === undefined ? findCardChangeAnywhere(db, id) : findCardChange(db, within, id))
      return toCardChange(await resolve(deps, actor, requireFound(row), decision))
    },
  }
}

async function describe(db: Db, row: CardChangeRow): Promise<Review> {
  const scope = { companyId: row.company_id, environment: row.environment }
  const exchanges = await describeExchanges(db, scope, row.id)
  const wasAnswered = exchanges.some((exchange) => exchange.purpose === 'request')
  return {
    id: formatId('chg', row.id),
    object: 'card_change',
    companyId: formatId('co', row.company_id),
    environment: row.environment,
    heldAmount: '0.00',
    since: row.status_at.toISOString(),
    reasons: ['issuer_unknown'],
    dossier: {
      type: row.wanted,
      acceptedAt: row.created_at.toISOString(),
      claimedAt: row.created_at.toISOString(),
      request: describeRequest(askedOf(row)),
      exchanges,
      note: wasAnswered
        ? null
        : 'The process that began this change stopped before it recorded an answer. The request may or may not have been sent.',
    },
  }
}

async function resolve({ db, clock }: Deps, actor: Actor, row: CardChangeRow, decision: ReviewDecision) {
  const scope = { companyId: row.company_id, environment: row.environment }
  if (row.status !== 'manual_review') throw alreadyResolved(row.status)
  const { receivedAmount } = decision
  const outcome = requireNotExpired(decision)
  if (receivedAmount !== undefined && (outcome !== 'completed' || row.wanted !== 'closed')) {
    throw new ApiError('validation_failed', 'body.receivedAmount is for a completed close only; leave it out.')
  }
  const message = 'The change was reviewed and did not take place. The card is unchanged.'
  const record = auditRecord(clock, actor, {
    action: `review.${outcome}`,
    object: formatId('chg', row.id),
    details: { ...decision },
  })
  const { verdict } = must(
    await resolveCardChange(db, scope, row.id, {
      now: clock.now(),
      from: ['manual_review'],
      status: outcome,
      returned: receivedAmount === undefined ? null : requireCents(receivedAmount),
      failure: outcome === 'failed' ? { code: 'review_failed', message } : null,
      record,
    }),
  )
  if (verdict === null) throw notFound()
  if (verdict !== 'resolved') throw alreadyResolved(verdict)
  return must(await findCardChange(db, scope, row.id))
}

function requireCents(text: string): Cents {
  const amount = findCents(text)
  if (amount !== undefined) return amount
  throw new ApiError('validation_failed', 'body.receivedAmount of a close is in dollars, with up to two decimals.')
}

function alreadyResolved(status: string): ApiError {
  return new ApiError('already_resolved', `This change is not in manual review; it is ${status}.`, {
    details: { status },
  })
}
