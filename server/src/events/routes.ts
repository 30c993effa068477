// /events: reading them. Their deliveries are in webhooks/.
import type { Db } from '../db/pool.ts'
import { requireFound, requireId } from '../errors.ts'
import { type EventRetention, oldestKept } from './catalogue.ts'
import { findEvent, listEvents } from './queries.ts'
import { type ShowOperation, toEnvelope } from './render.ts'
import { parseInstantRange } from '../http/instant.ts'
import { answerPage } from '../http/page.ts'
import { companyRoute, ok, type Route } from '../http/route.ts'
import { IdParams, pageOf } from '../lib/wire.ts'
import type { Clock } from '../lib/clock.ts'
import type { CursorCodec } from '../lib/cursor.ts'
import * as schema from './schema.ts'

const tag = 'events'

interface Deps {
  db: Db
  clock: Clock
  cursors: CursorCodec
  showOperation: ShowOperation
  retention: EventRetention
}

export function eventRoutes({ db, clock, cursors, showOperation, retention }: Deps): Route[] {
  return [
    companyRoute(
      { anyOf: ['webhooks:read'] },
      {
        method: 'GET',
        path: '/api/v1/events',
        tag,
        id: 'listEvents',
        summary: 'List events',
        description: 'Lists the events of the last 30 days, or longer if the operator keeps them longer, newest first.',
        query: schema.EventQuery,
        responses: { 200: pageOf(schema.Event) },
        handle: async ({ caller, query }) => {
          const { from, until } = parseInstantRange(query)
          const oldest = oldestKept(clock.now(), retention)
          const filter = { type: query.type, from: from !== null && from > oldest ? from : oldest, until }
          return answerPage({
            cursors,
            name: 'events',
            scope: caller.scope,
            query,
            fetch: (slice) => listEvents(db, caller.scope, filter, slice),
            idOf: (row) => row.id,
            toWire: (row) => toEnvelope(row, showOperation),
          })
        },
      },
    ),
    companyRoute(
      { anyOf: ['webhooks:read'] },
      {
        method: 'GET',
        path: '/api/v1/events/:id',
        tag,
        id: 'getEvent',
        summary: 'Read an event',
        description: 'Returns one event, with the object as it was.',
        params: IdParams,
        responses: { 200: schema.Event },
        handle: async ({ caller, params }) => {
          const oldest = oldestKept(clock.now(), retention)
          const row = requireFound(await findEvent(db, caller.scope, requireId('evt', params.id), oldest))
          return ok(toEnvelope(row, showOperation))
        },
      },
    ),
  ]
}
