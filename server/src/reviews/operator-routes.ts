// /admin/v1/reviews: lists what is in manual review, and records an operator's decision about it.
import { Type } from 'typebox'
import { answerPage } from '../http/page.ts'
import { requireFound, requireId } from '../errors.ts'
import { findSource, listReviews, resolvedObject, Review, ReviewDecision, type ReviewSource } from './review.ts'
import { ok, okAsIs, operatorRoute, type Route } from '../http/route.ts'
import { EnvironmentSchema, field, IdParams, object, pageOf, pageQuery } from '../lib/wire.ts'
import type { CursorCodec } from '../lib/cursor.ts'

const ReviewQuery = object({
  ...pageQuery,
  environment: Type.Optional(field(EnvironmentSchema, 'Only reviews of this environment.')),
})

interface Deps {
  cursors: CursorCodec
  reviews: readonly ReviewSource[]
}

export function reviewOperatorRoutes({ cursors, reviews }: Deps): Route[] {
  const tag = 'reviews'
  const requireSource = (id: string) => requireFound(findSource(reviews, id))
  return [
    operatorRoute({
      method: 'GET',
      path: '/admin/v1/reviews',
      tag,
      id: 'listReviews',
      summary: 'List reviews',
      description:
        'Lists everything that waits for a decision, oldest first, with all that is known about it: what was sent, what came back, and when.',
      query: ReviewQuery,
      responses: { 200: pageOf(Review) },
      handle: async ({ query }) =>
        answerPage({
          cursors,
          name: 'reviews',
          oldestFirst: true,
          query,
          fetch: (page) => listReviews(reviews, { ...page, environment: query.environment }),
          idOf: ({ id }) => id,
          toWire: ({ review }) => review,
        }),
    }),
    operatorRoute({
      method: 'GET',
      path: '/admin/v1/reviews/:id',
      tag,
      id: 'getReview',
      summary: 'Read a review',
      description:
        'Returns one review, also after it was decided: then with the decision. An object that never was in review is not found.',
      params: IdParams,
      responses: { 200: Review },
      handle: async ({ params }) => {
        const source = requireSource(params.id)
        return ok(requireFound(await source.find(requireId(source.prefix, params.id))))
      },
    }),
    operatorRoute({
      method: 'POST',
      path: '/admin/v1/reviews/:id/resolve',
      tag,
      id: 'resolveReview',
      summary: 'Decide a review',
      description:
        'Decides what happened. `completed` captures or credits the money, `failed` releases it. The decision, its reason and the operator are written to the audit log. A review can be decided once.',
      refusals: ['already_resolved', 'balance_limit_exceeded'],
      params: IdParams,
      body: ReviewDecision,
      responses: { 200: resolvedObject(reviews) },
      handle: async ({ actor, params, body }) => {
        const source = requireSource(params.id)
        return okAsIs(await source.resolve(actor, requireId(source.prefix, params.id), body))
      },
    }),
  ]
}
