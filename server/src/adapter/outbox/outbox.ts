// The events of an issuer. It stores them and sends them until the server accepts or refuses them. The reference issuer repeats or reorders
// them if it is told to.
import type { Clock } from '../../lib/clock.ts'
import type { Db } from '../../db/pool.ts'
import { newId } from '../../lib/ids.ts'
import type { Job } from '../../worker/loop.ts'
import { exchange, type Peer } from '../../issuer/http/exchange.ts'
import type { IssuerEvent } from '../../issuer/http/event-schema.ts'
import { EVENTS_PATH } from '../../issuer/http/protocol.ts'
import type { Notice } from './notice.ts'
import { type EventRow, insertEvent, listDueEvents, updateEvent } from './queries.ts'

/** Events arrive within a moment, a few at a time, and one that is not taken is sent again ever more slowly, until it is. */
const INTERVAL_MS = 100
const EVENTS_PER_RUN = 50
const DELAY_MIN_MS = 250
const DELAY_MAX_MS = 60_000
/** After these the pause is the longest. */
const DOUBLINGS_MAX = 8
const DUPLICATES = 3
/**
 * By these the server refuses an event for its content, for good, if they are signed. Others may be a proxy's, or end when the secrets and the
 * clocks agree: the event waits.
 */
const FINAL: ReadonlySet<number> = new Set([400, 404, 409])
/** How long an event may take to be answered. */
export const EVENT_TIMEOUT_MS = 10_000
/** On a stop: events that take longer are left, and are sent again after the next start. The server knows those that it has taken. */
const STOP_WITHIN_MS = 3_000

/** `duplicate` sends each event three times, `reorder` the newest first, `hold` none. */
export const EVENT_MODES = ['normal', 'duplicate', 'reorder', 'hold'] as const
export type EventMode = (typeof EVENT_MODES)[number]

type NewEvent = IssuerEvent extends infer Event
  ? Event extends unknown
    ? Omit<Event, 'id' | 'createdAt'>
    : never
  : never

export async function queueEvent({ db, clock }: { db: Db; clock: Clock }, event: NewEvent): Promise<string> {
  const at = clock.now()
  const id = `ievt_${newId(at).replaceAll('-', '')}`
  await insertEvent(db, { id, body: JSON.stringify({ id, createdAt: at.toISOString(), ...event }), at })
  return id
}

interface EventDeps {
  readonly db: Db
  readonly clock: Clock
  /** How they are sent at this moment; normal by default. */
  readonly mode?: () => EventMode
  /** Returns undefined while the server's address is not known. */
  readonly findServer: () => Peer | undefined
  readonly notice: Notice
}

export function eventJob(deps: EventDeps): Job {
  const { db, clock, mode = () => 'normal', findServer, notice } = deps
  return {
    name: 'issuer events',
    intervalMs: INTERVAL_MS,
    stopWithinMs: STOP_WITHIN_MS,
    async run() {
      if (mode() === 'hold') return false
      const due = await listDueEvents(db, clock.now(), EVENTS_PER_RUN)
      const server = due.length === 0 ? undefined : findServer()
      if (server === undefined) {
        if (due.length > 0)
          notice.undelivered(undefined, 'the address of the server is not known yet; start the server')
        return false
      }
      const rows = mode() === 'reorder' ? due.toReversed() : due
      for (const row of rows) await send(deps, server, row, mode() === 'duplicate' ? DUPLICATES : 1)
      return due.length === EVENTS_PER_RUN
    },
  }
}

async function send({ db, clock, notice }: EventDeps, server: Peer, row: EventRow, times: number): Promise<void> {
  let status: EventRow['status'] = 'waiting'
  let reason = ''
  for (let sent = 0; sent < times; sent += 1) {
    const result = await exchange(server, 'event', { method: 'POST', path: EVENTS_PATH, body: JSON.parse(row.body) })
    if (result.kind === 'answered' && result.status === 200) status = 'delivered'
    else {
      reason = result.kind === 'answered' ? `the answer was ${result.status}` : result.reason
      if (result.kind === 'answered' && FINAL.has(result.status)) status = 'refused'
    }
  }
  if (status === 'delivered') notice.delivered()
  else notice.undelivered(server.baseUrl, reason)
  const delayMs = Math.min(DELAY_MIN_MS * 2 ** Math.min(row.attempts, DOUBLINGS_MAX), DELAY_MAX_MS)
  await updateEvent(db, row.id, { status, dueAt: new Date(clock.now().getTime() + delayMs) })
}
