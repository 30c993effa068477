// GET /cards, their totals, and GET /cards/{id}.
import type { Db } from '../db/pool.ts'
import { answerWholeList } from '../http/page.ts'
import { requireFound, requireId } from '../errors.ts'
import { companyRoute, ok, type Route } from '../http/route.ts'
import { IdParams, object, wholeListOf } from '../lib/wire.ts'
import type { CursorCodec } from '../lib/cursor.ts'
import { findId, ZERO_ID } from '../lib/ids.ts'
import { formatCents } from '../lib/money.ts'
import { withHolder } from './names.ts'
import { listCards } from './lists/queries.ts'
import { addCards, findCard } from './queries.ts'
import { Card, CardQuery, CardTotals, toCard } from './schema.ts'
import { CARD_STATUSES } from './states.ts'

export function cardRoutes({ db, cursors }: { db: Db; cursors: CursorCodec }): Route[] {
  return [
    companyRoute(
      { anyOf: ['cards:read'] },
      {
        method: 'GET',
        path: '/api/v1/cards',
        tag: 'cards',
        id: 'listCards',
        summary: 'List cards',
        description:
          'Lists cards, newest first unless `sort` says otherwise. The card number is never stored; `last4` is all there is. Without `limit` the answer is the whole list. With `limit` it is one page, and `nextCursor` leads to the next.',
        query: CardQuery,
        responses: { 200: wholeListOf(Card) },
        handle: async ({ caller, query }) => {
          const { status, productId, q } = query
          const holderId = query.holderId === undefined ? undefined : (findId('hld', query.holderId) ?? ZERO_ID)
          return answerWholeList({
            cursors,
            name: 'cards',
            scope: caller.scope,
            query,
            fetch: async (slice) =>
              withHolder(
                db,
                caller.scope,
                await listCards(db, caller.scope, { status, productId, holderId, q }, slice),
              ),
            idOf: (row) => row.id,
            nameOf: (row) => row.name_key,
            toWire: (row) => toCard(row),
          })
        },
      },
    ),
    companyRoute(
      { anyOf: ['cards:read'] },
      {
        method: 'GET',
        path: '/api/v1/cards/totals',
        tag: 'cards',
        id: 'getCardTotals',
        summary: 'Add up cards',
        description: 'Returns how many cards there are and what is on them, in all and for each status.',
        query: object({}),
        responses: { 200: CardTotals },
        handle: async ({ caller }) => {
          const rows = await addCards(db, caller.scope)
          return ok({
            count: rows.reduce((sum, { count }) => sum + count, 0),
            balance: formatCents(rows.reduce((sum, { balance }) => sum + balance, 0n)),
            currency: 'USD',
            data: rows
              .toSorted((a, b) => CARD_STATUSES.indexOf(a.status) - CARD_STATUSES.indexOf(b.status))
              .map((row) => ({ ...row, balance: formatCents(row.balance) })),
          })
        },
      },
    ),
    companyRoute(
      { anyOf: ['cards:read'] },
      {
        method: 'GET',
        path: '/api/v1/cards/:id',
        tag: 'cards',
        id: 'getCard',
        summary: 'Read a card',
        description: 'Returns one card.',
        params: IdParams,
        responses: { 200: Card },
        handle: async ({ caller, params }) => {
          const row = requireFound(await findCard(db, caller.scope, requireId('card', params.id)))
          const [named] = await withHolder(db, caller.scope, [row])
          return ok(toCard(named ?? row))
        },
      },
    ),
  ]
}
