// /admin/v1/reviews: what waits for a person's decision, and the decision. /admin/v1/ledger/audit: is the book right?
import { Type } from 'typebox'
import type { Db } from '../db/pool.ts'
import { notFound } from '../errors.ts'
import { Invoice, Payment, UsdtAmount } from '../funding/schema.ts'
import { answerPage, type Page } from '../http/page.ts'
import { requireFound } from '../http/require-id.ts'
import { ok, operatorRoute, type Route } from '../http/route.ts'
import { Amount, EnvironmentSchema, IdParams, nullable, object, pageOf, pageQuery, Timestamp } from '../http/wire.ts'
import { auditLedger } from '../ledger/audit.ts'
import type { CursorCodec } from '../lib/cursor.ts'
import { findId } from '../lib/ids.ts'
import { Operation } from '../operations/schema.ts'
import { type ReviewSource, reviewSources, type SourceDeps } from './review-sources.ts'

const Review = object(
  {
    id: Type.String(),
    object: Type.Enum(['operation', 'invoice', 'payment']),
    invoiceId: Type.Optional(Type.String({ description: 'of a payment: the invoice that it came for' })),
    amount: Type.Optional(UsdtAmount),
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
      payments: Type.Optional(
        Type.Array(
          object({ reference: Type.String(), amount: Type.String(), paidAt: Timestamp, recordedAt: Timestamp }),
        ),
      ),
      note: nullable(Type.String()),
    }),
  },
  'Review',
)

const text = (lengthMax: number, about: string) =>
  Type.String({ minLength: 1, maxLength: lengthMax, pattern: '\\S', description: about })
const Resolution = object({
  outcome: Type.Enum(['completed', 'failed', 'expired']),
  reason: text(2000, 'why it is decided so, 1 to 2000 characters'),
  evidence: Type.Optional(text(10_000, 'what it is decided on, 1 to 10000 characters')),
  cardId: Type.Optional(text(100, 'the id for the card that an issue made')),
  last4: Type.Optional(
    Type.String({ pattern: '^\\d{4}$', description: 'the four last digits of the card that an issue made' }),
  ),
  receipt: Type.Optional(text(255, "the issuer's receipt, 1 to 255 characters")),
  receivedAmount: Type.Optional(UsdtAmount),
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

/** The source that an id belongs to, and the row; the one not-found answer for everything else. */
async function getReview(sources: readonly ReviewSource[], text: string) {
  for (const source of sources) {
    const id = findId(source.prefix, text)
    if (id !== undefined) return { source, row: requireFound(await source.find(id)) }
  }
  throw notFound()
}

/** Ids carry their time, so that the oldest of each source merge into the oldest of all. */
async function listOldest(sources: readonly ReviewSource[], page: Page) {
  const lists = await Promise.all(
    sources.map(async (source) => (await source.list(page)).map((row) => ({ source, row }))),
  )
  const oldest = lists.flat().toSorted((a, b) => (a.row.id < b.row.id ? -1 : 1))
  return Promise.all(
    oldest.slice(0, page.limit).map(async ({ source, row }) => ({ id: row.id, review: await source.describe(row) })),
  )
}

export function reviewRoutes(deps: SourceDeps & { auditDb: Db; cursors: CursorCodec }): Route[] {
  const { auditDb, cursors } = deps
  const sources = reviewSources(deps)
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
          fetch: (page) => listOldest(sources, page),
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
        const { source, row } = await getReview(sources, params.id)
        if (row.status !== 'manual_review') throw notFound()
        return ok(await source.describe(row))
      },
    }),
    operatorRoute({
      method: 'POST',
      path: '/admin/v1/reviews/:id/resolve',
      tag,
      summary: 'Decide what became of it',
      params: IdParams,
      body: Resolution,
      responses: { 200: Type.Union([Operation, Invoice, Payment]) },
      handle: async ({ actor, params, body }) => {
        const { source, row } = await getReview(sources, params.id)
        return ok(await source.resolve(actor, row, body))
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
