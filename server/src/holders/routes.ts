// GET /holders, GET /holders/{id}, POST /holders.
import type { Db } from '../db/pool.ts'
import { answerWholeList } from '../http/page.ts'
import { requireFound, requireId } from '../errors.ts'
import { companyRoute, created, ok, type Route } from '../http/route.ts'
import { IdParams, wholeListOf } from '../lib/wire.ts'
import type { Clock } from '../lib/clock.ts'
import type { CursorCodec } from '../lib/cursor.ts'
import { createHolder } from './create.ts'
import { findHolder, listHolders } from './queries.ts'
import { Holder, HolderQuery, NewHolder, toHolder } from './schema.ts'

export function holderRoutes({ db, clock, cursors }: { db: Db; clock: Clock; cursors: CursorCodec }): Route[] {
  return [
    companyRoute(
      { anyOf: ['holders:read'] },
      {
        method: 'GET',
        path: '/api/v1/holders',
        tag: 'holders',
        summary: 'List cardholders',
        query: HolderQuery,
        responses: { 200: wholeListOf(Holder) },
        handle: async ({ caller, query }) =>
          answerWholeList({
            cursors,
            name: 'holders',
            scope: caller.scope,
            query,
            fetch: (page) => listHolders(db, caller.scope, query, page),
            idOf: (row) => row.id,
            toWire: toHolder,
          }),
      },
    ),
    companyRoute(
      { anyOf: ['holders:read'] },
      {
        method: 'GET',
        path: '/api/v1/holders/:id',
        tag: 'holders',
        summary: 'Read one cardholder',
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
        summary: 'Add a cardholder',
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
  ]
}
