// GET /holders, GET and PATCH /holders/{id}, POST /holders, POST /holders/{id}/erase.
import { auditRecord, callerActor } from '../access/audit.ts'
import type { Db } from '../db/pool.ts'
import { answerWholeList } from '../http/page.ts'
import { requireFound, requireId } from '../errors.ts'
import { companyRoute, created, ok, type Route } from '../http/route.ts'
import { IdParams, wholeListOf } from '../lib/wire.ts'
import type { Clock } from '../lib/clock.ts'
import type { CursorCodec } from '../lib/cursor.ts'
import { formatId } from '../lib/ids.ts'
import { createHolder } from './create.ts'
import { eraseHolder, holderErased } from './erase.ts'
import { listHolders } from './lists/queries.ts'
import { findHolder, updateHolder } from './queries.ts'
import { ERASE_DESCRIPTION, Holder, HolderChange, HolderQuery, NewHolder, toHolder } from './schema.ts'

export function holderRoutes({ db, clock, cursors }: { db: Db; clock: Clock; cursors: CursorCodec }): Route[] {
  return [
    companyRoute(
      { anyOf: ['holders:read'] },
      {
        method: 'GET',
        path: '/api/v1/holders',
        tag: 'holders',
        id: 'listHolders',
        summary: 'List cardholders',
        description:
          'Lists cardholders, newest first unless `sort` says otherwise. Without `limit` the answer is the whole list. With `limit` it is one page, and `nextCursor` leads to the next.',
        query: HolderQuery,
        responses: { 200: wholeListOf(Holder) },
        handle: async ({ caller, query }) =>
          answerWholeList({
            cursors,
            name: 'holders',
            scope: caller.scope,
            query,
            fetch: (slice) => listHolders(db, caller.scope, query, slice),
            idOf: (row) => row.id,
            nameOf: (row) => row.name_key,
            toWire: (row) => toHolder(row),
          }),
      },
    ),
    companyRoute(
      { anyOf: ['holders:read'] },
      {
        method: 'GET',
        path: '/api/v1/holders/:id',
        tag: 'holders',
        id: 'getHolder',
        summary: 'Read a cardholder',
        description: 'Returns one cardholder.',
        params: IdParams,
        responses: { 200: Holder },
        handle: async ({ caller, params }) =>
          ok(toHolder(requireFound(await findHolder(db, caller.scope, requireId('hld', params.id))))),
      },
    ),
    companyRoute(
      { anyOf: ['holders:write'] },
      {
        method: 'POST',
        path: '/api/v1/holders',
        tag: 'holders',
        id: 'createHolder',
        summary: 'Add a cardholder',
        description:
          'Adds a person or company that cards can be issued to. In the sandbox a new cardholder is `active` immediately; in live it is `pending` until the operator approves it.',
        refusals: ['holder_erased'],
        idempotent: true,
        body: NewHolder,
        responses: { 201: Holder },
        handle: async ({ caller, idempotencyKey, body }) => {
          const { holder, replayed } = await createHolder({ db, clock }, caller.scope, idempotencyKey, body)
          const wire = toHolder(holder)
          return created(`/api/v1/holders/${wire.id}`, wire, { replayed })
        },
      },
    ),
    ...changingRoutes({ db, clock }),
  ]
}

function changingRoutes({ db, clock }: { db: Db; clock: Clock }): Route[] {
  return [
    companyRoute(
      { anyOf: ['holders:write'] },
      {
        method: 'PATCH',
        path: '/api/v1/holders/:id',
        tag: 'holders',
        id: 'updateHolder',
        summary: 'Change a cardholder',
        description:
          'Changes the name, the e-mail address or your own id of a cardholder. Cards that exist keep what the issuer was told. In live, an active cardholder with another name is `pending` until the operator approves it again.',
        refusals: ['holder_erased'],
        params: IdParams,
        body: HolderChange,
        responses: { 200: Holder },
        handle: async (call) => {
          const { scope } = call.caller
          const id = requireId('hld', call.params.id)
          const record = auditRecord(clock, callerActor(call.caller, call), {
            action: 'holder.updated',
            object: formatId('hld', id),
            // Only which fields: the log must not keep personal data that is erased later.
            details: { environment: scope.environment, fields: Object.keys(call.body) },
          })
          const row = await updateHolder(db, scope, id, call.body, record)
          if (row === undefined) {
            requireFound(await findHolder(db, scope, id))
            throw holderErased(id)
          }
          return ok(toHolder(row))
        },
      },
    ),
    companyRoute(
      { anyOf: ['holders:write'] },
      {
        method: 'POST',
        path: '/api/v1/holders/:id/erase',
        tag: 'holders',
        id: 'eraseHolder',
        summary: "Erase a cardholder's personal data",
        description: ERASE_DESCRIPTION,
        refusals: ['holder_in_use'],
        params: IdParams,
        responses: { 200: Holder },
        handle: async (call) => {
          const { scope } = call.caller
          const holderId = requireId('hld', call.params.id)
          return ok(toHolder(await eraseHolder({ db, clock }, scope, callerActor(call.caller, call), holderId)))
        },
      },
    ),
  ]
}
