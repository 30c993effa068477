// GET /admin/v1/overview and /admin/v1/health: the whole programme at a glance. Both only read.
import type { Health } from '../db/health.ts'
import type { Db } from '../db/pool.ts'
import { ok, operatorRoute, type Route } from '../http/route.ts'
import type { CallRecord } from '../issuer/call-record.ts'
import type { Clock } from '../lib/clock.ts'
import { withDeadline } from '../lib/deadline.ts'
import { remember } from '../telemetry/remember.ts'
import { readIssuerHealth, readOverview, readServerHealth } from './read.ts'
import { ProgrammeHealth, ProgrammeOverview } from './schema.ts'
import type { ServerRecord } from './server-record.ts'

interface Deps {
  readonly db: Db
  readonly clock: Clock
  readonly health: Health
  readonly callRecord: Pick<CallRecord, 'flush'>
  readonly serverRecord: Pick<ServerRecord, 'flush'>
  readonly issuers: { readonly live: unknown }
}

/** A healthy database takes a few milliseconds. */
const FLUSH_MS_MAX = 1_000

export function programmeOperatorRoutes(deps: Deps): Route[] {
  const { db, clock, callRecord, serverRecord, issuers } = deps
  const tag = 'programme'
  // The sums read every card, so readers share them for a few seconds.
  const overview = remember(clock, () => readOverview(db))
  return [
    operatorRoute({
      method: 'GET',
      path: '/admin/v1/overview',
      tag,
      id: 'getOverview',
      summary: 'Show what waits, and the money of the programme',
      description:
        'Returns what waits for an operator and since when, and what all card accounts and cards have. The figures may be five seconds old.',
      responses: { 200: ProgrammeOverview },
      handle: async () => ok(await overview()),
    }),
    operatorRoute({
      method: 'GET',
      path: '/admin/v1/health',
      tag,
      id: 'getProgrammeHealth',
      summary: 'Show how the issuers answer and what the server does',
      description:
        'Returns when each issuer last answered, how quickly, how many calls had no clear answer, how long operations wait, and how many requests and webhooks all processes handled, with a day of history.',
      responses: { 200: ProgrammeHealth },
      handle: async () => {
        // The page matters most when writing fails: it is shown without the last seconds then.
        const flushed = Promise.all([callRecord.flush(), serverRecord.flush()])
        await withDeadline(flushed, FLUSH_MS_MAX).catch(() => undefined)
        const environments = issuers.live === undefined ? (['sandbox'] as const) : (['live', 'sandbox'] as const)
        const [shown, server] = await Promise.all([readIssuerHealth(deps, environments), readServerHealth(deps)])
        return ok({ issuers: shown, server })
      },
    }),
  ]
}
