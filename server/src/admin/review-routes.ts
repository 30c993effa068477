// /admin/v1/reviews: what waits for a person's decision, and the decision. /admin/v1/ledger/audit: is the book right?
import { Type } from 'typebox'
import type { Db } from '../db/pool.ts'
import { answerPage } from '../http/page.ts'
import { requireFound, requireId } from '../http/require-id.ts'
import { ok, operatorRoute, type Route } from '../http/route.ts'
import { Amount, EnvironmentSchema, IdParams, nullable, object, pageOf, pageQuery, Timestamp } from '../http/wire.ts'
import { auditLedger } from '../ledger/audit.ts'
import type { Clock } from '../lib/clock.ts'
import type { CursorCodec } from '../lib/cursor.ts'
import { findOperationAnywhere, listReviews } from '../operations/queries.ts'
import { describeReview, resolveReview } from '../operations/review.ts'
import { Operation, toOperation } from '../operations/schema.ts'

const Review = object(
  {
    id: Type.String(),
    object: Type.Enum(['operation', 'invoice', 'payment']),
    companyId: Type.String(),
    environment: EnvironmentSchema,
    heldAmount: Amount,
    since: Timestamp,
    reasons: Type.Array(Type.String()),
    dossier: object({
      type: Type.String(),
      acceptedAt: Timestamp,
      claimedAt: nullable(Timestamp),
      request: Type.Record(Type.String(), Type.Unknown()),
      exchanges: Type.Array(
        object({
          purpose: Type.String(),
          sent: Type.Unknown(),
          received: Type.Unknown(),
          outcome: Type.String(),
          startedAt: Timestamp,
          finishedAt: nullable(Timestamp),
        }),
      ),
      note: nullable(Type.String()),
    }),
  },
  'Review',
)

const text = (lengthMax: number, about: string) =>
  Type.String({ minLength: 1, maxLength: lengthMax, pattern: '\\S', description: about })
const Resolution = object({
  outcome: Type.Enum(['completed', 'failed']),
  reason: text(2000, 'why it is decided so, 1 to 2000 characters'),
  evidence: Type.Optional(text(10_000, 'what it is decided on, 1 to 10000 characters')),
  cardId: Type.Optional(text(100, 'the id for the card that an issue made')),
  last4: Type.Optional(
    Type.String({ pattern: '^\\d{4}$', description: 'the four last digits of the card that an issue made' }),
  ),
  receipt: Type.Optional(text(255, "the issuer's receipt, 1 to 255 characters")),
})

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

export function reviewRoutes({
  db,
  auditDb,
  clock,
  cursors,
}: {
  db: Db
  auditDb: Db
  clock: Clock
  cursors: CursorCodec
}): Route[] {
  const tag = 'admin'
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
          fetch: async (page) => {
            const rows = await listReviews(db, page)
            return Promise.all(
              rows.map(async ({ id, ...row }) => ({ id, review: await describeReview({ db }, { id, ...row }) })),
            )
          },
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
        const row = await findOperationAnywhere(db, requireId('op', params.id))
        return ok(await describeReview({ db }, requireFound(row?.status === 'manual_review' ? row : undefined)))
      },
    }),
    operatorRoute({
      method: 'POST',
      path: '/admin/v1/reviews/:id/resolve',
      tag,
      summary: 'Decide what became of it',
      params: IdParams,
      body: Resolution,
      responses: { 200: Operation },
      handle: async ({ actor, params, body }) => {
        const row = requireFound(await findOperationAnywhere(db, requireId('op', params.id)))
        return ok(toOperation(await resolveReview({ db, clock }, actor, row, body)))
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
