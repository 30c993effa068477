// GET /request-logs: what the company's keys asked in the last seven days.
import type { Db } from '../db/pool.ts'
import { parseInstantRange } from '../http/instant.ts'
import { answerPage } from '../http/page.ts'
import { companyRoute, type Route } from '../http/route.ts'
import type { Clock } from '../lib/clock.ts'
import type { CursorCodec } from '../lib/cursor.ts'
import { findId, ZERO_ID } from '../lib/ids.ts'
import { pageOf } from '../lib/wire.ts'
import { oldestKept } from './prune.ts'
import { listRequestLogs } from './queries.ts'
import { RequestLogQuery, RequestLogSchema, toRequestLog } from './schema.ts'

export function requestLogRoutes({ db, clock, cursors }: { db: Db; clock: Clock; cursors: CursorCodec }): Route[] {
  return [
    companyRoute(
      { anyOf: ['webhooks:read'] },
      {
        method: 'GET',
        path: '/api/v1/request-logs',
        tag: 'request logs',
        id: 'listRequestLogs',
        summary: 'List requests',
        description:
          'Lists the requests that keys of this company made in this environment in the last seven days, newest first. ' +
          'A request appears within a second or two. A server process records at most 250 successful requests per second of all ' +
          'companies together (500 after a quiet moment), and 500 refused ones, of which one company gets at most half; what exceeds that is ' +
          'left out.',
        query: RequestLogQuery,
        responses: { 200: pageOf(RequestLogSchema) },
        handle: async ({ caller, query }) => {
          const { from, until } = parseInstantRange(query)
          const oldest = oldestKept(clock.now())
          const filter = {
            status: query.status,
            path: query.path,
            keyId: query.keyId === undefined ? undefined : (findId('key', query.keyId) ?? ZERO_ID),
            from: from !== null && from > oldest ? from : oldest,
            until,
          }
          return answerPage({
            cursors,
            name: 'request logs',
            scope: caller.scope,
            query,
            fetch: (slice) => listRequestLogs(db, caller.scope, filter, slice),
            idOf: (row) => row.id,
            toWire: toRequestLog,
          })
        },
      },
    ),
  ]
}
