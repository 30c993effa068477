// POST /sandbox/reviews/{id}/resolve decides a review without an operator. It must never work in live.
import { Type } from 'typebox'
import { callerActor } from '../access/audit.ts'
import { requireFound, requireId } from '../errors.ts'
import { scopeMissing } from '../http/require-access.ts'
import { findSource, resolvedObject, ReviewDecision, type ReviewSource } from './review.ts'
import { companyRoute, okAsIs, type Route } from '../http/route.ts'
import { IdParams, object } from '../lib/wire.ts'

const SandboxDecision = object(
  {
    outcome: ReviewDecision.properties.outcome,
    receivedAmount: Type.Optional(ReviewDecision.properties.receivedAmount),
  },
  'SandboxReviewDecision',
  'What to decide.',
)

export function reviewSandboxRoutes(reviews: readonly ReviewSource[]): Route[] {
  const tag = 'sandbox'
  return [
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
