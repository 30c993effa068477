// POST /operations, GET /operations, GET /operations/{id} and its timeline, POST /quotes.
import { answerPage } from '../http/page.ts'
import { parseInstantRange } from '../http/instant.ts'
import { requireFound, requireId } from '../errors.ts'
import { companyRoute, created, ok, type Route } from '../http/route.ts'
import { IdParams, pageOf } from '../lib/wire.ts'
import type { CursorCodec } from '../lib/cursor.ts'
import { findId, ZERO_ID } from '../lib/ids.ts'
import { formatCents } from '../lib/money.ts'
import { type CreateDeps, createOperation, quoteOperation } from './create.ts'
import { listOperations } from './lists/queries.ts'
import { withNames } from './names.ts'
import { findOperation } from './queries.ts'
import {
  NewOperation,
  Operation,
  OperationQuery,
  OperationTimeline,
  permissionFor,
  QuoteSchema,
  toOperation,
  toQueuedOperation,
} from './schema.ts'
import { readTimeline } from './timeline.ts'

export function operationRoutes(deps: CreateDeps & { cursors: CursorCodec }): Route[] {
  const { db, cursors } = deps
  const tag = 'operations'
  const writes = ['cards:write', 'services:write'] as const
  return [
    companyRoute(
      { anyOf: writes, exactly: permissionFor, liveNeeds: 'liveServices' },
      {
        method: 'POST',
        path: '/api/v1/operations',
        tag,
        id: 'createOperation',
        summary: 'Issue a card, top up a card or order a service',
        description:
          'Reserves `amount` plus the fee and answers with a `queued` operation. The operation is carried out behind the request: read it until its status is `completed`, `failed` or `manual_review`, or receive the `operation.*` webhooks. `manual_review` means that the outcome is not known; the funds stay held, and you should not order the same thing again.\n\nIssuing and topping up need the scope `cards:write`, a service needs `services:write`. Send `expectedTotal` to be refused instead of charged another total.',
        refusals: [
          'amount_below_minimum',
          'amount_above_maximum',
          'amount_not_price',
          'insufficient_funds',
          'issuance_quota_exceeded',
          'holder_not_active',
          'card_not_active',
          'product_mismatch',
          'product_retired',
          'service_not_available',
          'not_offered',
          'not_found',
          'quote_changed',
        ],
        idempotent: true,
        body: NewOperation,
        responses: { 201: Operation },
        handle: async (call) => {
          const { operation, replayed } = await createOperation(deps, call.caller, call)
          call.span?.linkOperation(operation.id)
          const wire = toQueuedOperation(operation)
          return created(`/api/v1/operations/${wire.id}`, wire, { replayed })
        },
      },
    ),
    companyRoute(
      { anyOf: ['operations:read'] },
      {
        method: 'GET',
        path: '/api/v1/operations',
        tag,
        id: 'listOperations',
        summary: 'List operations',
        description:
          'Lists operations, newest first unless `sort` says otherwise. After a lost answer, filter by `idempotencyKey` to find out whether the request arrived.',
        query: OperationQuery,
        responses: { 200: pageOf(Operation) },
        handle: async ({ caller, query }) => {
          const { type, status, idempotencyKey } = query
          const cardId = query.cardId === undefined ? undefined : (findId('card', query.cardId) ?? ZERO_ID)
          const filter = { type, status, idempotencyKey, cardId, ...parseInstantRange(query) }
          return answerPage({
            cursors,
            name: 'operations',
            scope: caller.scope,
            query,
            fetch: async (slice) =>
              withNames(deps, caller.scope, await listOperations(db, caller.scope, filter, slice)),
            idOf: (row) => row.id,
            toWire: toOperation,
          })
        },
      },
    ),
    companyRoute(
      { anyOf: ['operations:read'] },
      {
        method: 'GET',
        path: '/api/v1/operations/:id',
        tag,
        id: 'getOperation',
        summary: 'Read an operation',
        description:
          'Returns the operation as it is now. Poll it until its status is `completed`, `failed` or `manual_review`.',
        params: IdParams,
        responses: { 200: Operation },
        handle: async ({ caller, params }) => {
          const row = requireFound(await findOperation(db, caller.scope, requireId('op', params.id)))
          const [named] = await withNames(deps, caller.scope, [row])
          return ok(toOperation(named ?? row))
        },
      },
    ),
    companyRoute(
      { anyOf: ['operations:read'] },
      {
        method: 'GET',
        path: '/api/v1/operations/:id/timeline',
        tag,
        id: 'getOperationTimeline',
        summary: 'Read what happened to an operation',
        description:
          'Returns what was asked for, and every step until now with its time. At most the 50 latest exchanges with the issuer are among them.',
        params: IdParams,
        responses: { 200: OperationTimeline },
        handle: async ({ caller, params }) => ok(await readTimeline(db, caller.scope, requireId('op', params.id))),
      },
    ),
    companyRoute(
      { anyOf: writes, exactly: permissionFor, openWhileSuspended: true, changesNothing: true },
      {
        method: 'POST',
        path: '/api/v1/quotes',
        tag,
        id: 'createQuote',
        summary: 'Quote an operation',
        description:
          'Returns what an operation would cost now, after the same checks. Nothing is reserved and nothing is stored. Send the total as `expectedTotal` with the operation.',
        refusals: [
          'amount_below_minimum',
          'amount_above_maximum',
          'amount_not_price',
          'holder_not_active',
          'card_not_active',
          'product_mismatch',
          'product_retired',
          'service_not_available',
          'not_offered',
          'not_found',
          'quote_changed',
        ],
        body: NewOperation,
        responses: { 200: QuoteSchema },
        handle: async ({ caller, body }) => {
          const { amount, fee, total } = await quoteOperation(deps, caller.scope, body)
          return ok({ amount: formatCents(amount), fee: formatCents(fee), total: formatCents(total), currency: 'USD' })
        },
      },
    ),
  ]
}
