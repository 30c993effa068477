// Sandbox-only calls: credit funds, and decide a review without an operator.
import { Type } from 'typebox'
import { callerActor } from '../access/audit.ts'
import type { Db } from '../db/pool.ts'
import { ApiError, requireFound, requireId } from '../errors.ts'
import { scopeMissing } from '../http/require-access.ts'
import { findSource, resolvedObject, ReviewDecision, type ReviewSource } from '../reviews/review.ts'
import { companyRoute, ok, okAsIs, type Route } from '../http/route.ts'
import { Amount, field, IdParams, object } from '../lib/wire.ts'
import { deposit } from '../ledger/deposit.ts'
import type { Clock } from '../lib/clock.ts'
import { payloadDigest } from '../lib/digest.ts'
import { parseCents, ZERO } from '../lib/money.ts'

interface Deps {
  db: Db
  clock: Clock
  reviews: readonly ReviewSource[]
}

const SandboxDecision = object(
  {
    outcome: ReviewDecision.properties.outcome,
    receivedAmount: Type.Optional(ReviewDecision.properties.receivedAmount),
  },
  'SandboxReviewDecision',
  'What to decide.',
)

const NewFunding = object(
  { amount: field(Amount, 'How much to credit.') },
  'NewSandboxFunding',
  'Sandbox money to credit.',
)

export function sandboxRoutes({ db, clock, reviews }: Deps): Route[] {
  const tag = 'sandbox'
  return [
    companyRoute(
      { anyOf: ['cards:write'], sandboxOnly: true },
      {
        method: 'POST',
        path: '/api/v1/sandbox/funding',
        tag,
        id: 'creditSandboxFunds',
        summary: 'Credit sandbox funds',
        description: 'Adds money to the sandbox card account, without a fee.',
        refusals: ['amount_below_minimum', 'balance_limit_exceeded'],
        idempotent: true,
        body: NewFunding,
        responses: { 200: object({}, 'Empty', 'An empty object.') },
        handle: async ({ caller, idempotencyKey, body }) => {
          const amount = parseCents(body.amount)
          if (amount === 0n) throw new ApiError('amount_below_minimum', 'The amount must be at least "0.01".')
          const digest = payloadDigest(body).toString('hex')
          const { replayed } = await deposit({ db, clock }, caller.scope, { amount, fee: ZERO, idempotencyKey, digest })
          return replayed ? { ...ok({}), headers: { 'idempotent-replayed': 'true' } } : ok({})
        },
      },
    ),
    companyRoute(
      { anyOf: [...new Set(reviews.map((source) => source.permission))], sandboxOnly: true },
      {
        method: 'POST',
        path: '/api/v1/sandbox/reviews/:id/resolve',
        tag,
        id: 'resolveSandboxReview',
        summary: 'Decide a sandbox review',
        description:
          'Decides an operation, an invoice or a payment that is in `manual_review`, as an operator would in live. `id` is the id of the object itself.',
        refusals: ['already_resolved', 'not_found', 'balance_limit_exceeded'],
        params: IdParams,
        body: SandboxDecision,
        responses: { 200: resolvedObject(reviews) },
        handle: async ({ caller, params, body, address, requestId }) => {
          const source = requireFound(findSource(reviews, params.id))
          if (!caller.permissions.has(source.permission)) throw scopeMissing(caller, [source.permission])
          const actor = callerActor(caller, { address, requestId })
          const decision = { ...body, reason: 'decided in the sandbox' }
          return okAsIs(await source.resolve(actor, requireId(source.prefix, params.id), decision, caller.scope))
        },
      },
    ),
  ]
}
