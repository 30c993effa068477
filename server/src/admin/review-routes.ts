// /admin/v1/reviews: what waits for a person's decision, and the decision. /admin/v1/ledger/audit: is the book right?
import { Type } from 'typebox'
import type { Db } from '../db/pool.ts'
import { answerPage } from '../http/page.ts'
import { requireFound, requireId } from '../http/require-id.ts'
import { findSource, listReviews, Review, ReviewDecision, type ReviewSource } from '../http/review.ts'
import { ok, okAsIs, operatorRoute, type Route } from '../http/route.ts'
import { EnvironmentSchema, IdParams, object, pageOf, pageQuery } from '../http/wire.ts'
import { auditLedger } from '../ledger/audit.ts'
import type { CursorCodec } from '../lib/cursor.ts'

const AuditSchema = object(
  {
    accounts: Type.Integer(),
    entries: Type.Integer(),
    differences: Type.Array(
      object({ companyId: Type.String(), environment: EnvironmentSchema, difference: Type.String() }),
    ),
  },
  'LedgerAudit',
)

interface Deps {
  auditDb: Db
  cursors: CursorCodec
  reviews: readonly ReviewSource[]
}

export function reviewRoutes({ auditDb, cursors, reviews }: Deps): Route[] {
  const tag = 'admin'
  const requireSource = (id: string) => requireFound(findSource(reviews, id))
  return [
    operatorRoute({
      method: 'GET',
      path: '/admin/v1/reviews',
      tag,
      summary: 'What is in manual review, oldest first, with everything known about it',
      query: object(pageQuery),
      responses: { 200: pageOf(Review) },
      handle: async ({ query }) =>
        answerPage({
          cursors,
          name: 'reviews',
          oldestFirst: true,
          query,
          fetch: (page) => listReviews(reviews, page),
          idOf: ({ id }) => id,
          toWire: ({ review }) => review,
        }),
    }),
    operatorRoute({
      method: 'GET',
      path: '/admin/v1/reviews/:id',
      tag,
      summary: 'One review',
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
      summary: 'Decide what became of it',
      params: IdParams,
      body: ReviewDecision,
      responses: { 200: Type.Unsafe({ oneOf: reviews.map((source) => source.resource) }) },
      handle: async ({ actor, params, body }) => {
        const source = requireSource(params.id)
        return okAsIs(await source.resolve(actor, requireId(source.prefix, params.id), body))
      },
    }),
    operatorRoute({
      method: 'GET',
      path: '/admin/v1/ledger/audit',
      tag,
      summary: 'Derive every balance again and name differences',
      responses: { 200: AuditSchema },
      handle: async () => ok(await auditLedger(auditDb)),
    }),
  ]
}
