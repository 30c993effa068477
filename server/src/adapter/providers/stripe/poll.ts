// Follows what happens at Stripe. An event only says that something changed: the present state is then read and reported, so events may be
// repeated and come in any order. Events are read by time with an overlap, because those of one moment may become visible one after the other.
import type { Polled, ProviderEvent } from '../../provider.ts'
import { parseEvent } from './answers.ts'
import { catchUp } from './catch-up.ts'
import type { Read } from '../../provider-kit/judge.ts'
import type { Kit } from './kit.ts'
import { readList } from './pages.ts'
import { AUTHORIZATIONS_PATH, TRANSACTIONS_PATH } from './spent.ts'
import {
  CAPTURES_SETTLE_S,
  eventsOfAuthorization,
  eventsOfTransaction,
  isEarly,
  parseAuthorization,
  parseTransaction,
  toTime,
} from './transactions.ts'

type StripeEvent = NonNullable<ReturnType<typeof parseEvent>>

const PATH = '/v1/events'
/** Stripe takes at most twenty types. */
const TYPES = [
  'issuing_authorization.created',
  'issuing_authorization.updated',
  'issuing_transaction.created',
  'issuing_transaction.updated',
  'issuing_card.created',
  'issuing_card.updated',
]
/** Each poll of Stripe also reads events that were created this long before the newest one that it knows. */
export const OVERLAP_S = 120
/** Stripe keeps events for 30 days. What is older than this is read from the payments themselves. */
export const EVENTS_KEPT_S = 25 * 86_400
/** Pages of Stripe's events in one poll. A poll that would take more covers half the time instead. */
const PAGES_MAX = 100
/** Payments and cards that one poll of Stripe reads. The next poll reads the rest, after these were stored. */
const STATES_MAX = 200
/** Pages of Stripe's events of a few minutes, which are read to their end. No programme has this many. */
const ALL_PAGES_MAX = 10_000

export type Poll = (cursor: string | undefined) => Promise<Polled>

/** `number` makes each cursor unique, so that a poll with it proves that what came with it was stored. */
interface Cursor {
  readonly at: number
  readonly number: number
}

export function createPoll(kit: Kit): Poll {
  const { clock } = kit.settings
  const now = () => Math.floor(clock.now().getTime() / 1000)
  /** The events that were reported and stored, with their times. Without it, each poll would read the payments of the overlap again. */
  const stored = new Map<string, number>()
  let reported: { readonly cursor: string; readonly events: readonly StripeEvent[] } | undefined

  return async (text) => {
    if (text === undefined) return { events: [], cursor: formatCursor({ at: now(), number: 0 }), isMore: false }
    const cursor = parseCursor(text)
    const begin = cursor.at - OVERLAP_S
    if (begin < now() - EVENTS_KEPT_S) {
      const at = now()
      const next = formatCursor({ at, number: cursor.number + 1 })
      return { events: await catchUp(kit, begin), cursor: next, isMore: true }
    }
    // Another cursor than the last one: what was reported was not stored, or by another process. Everything is read again.
    if (reported?.cursor !== text) stored.clear()
    else for (const event of reported.events) stored.set(event.id, event.created)
    for (const [id, created] of stored) if (created < begin) stored.delete(id)

    const { events, end } = await readEvents(kit, begin, now())
    const fresh = events.filter(({ id }) => !stored.has(id))
    // Our clock may be behind Stripe's. Then its newest event says how late it is there.
    const settledBy = Math.max(now(), events.at(-1)?.created ?? 0) - CAPTURES_SETTLE_S
    const { taken, early, found, failure } = await readStates(kit, fresh.slice(0, STATES_MAX), settledBy)
    if (taken.length === 0 && failure !== undefined) throw failure
    const isPart = taken.length + early < fresh.length
    // The oldest come first, so what is left before the last one that was taken is early. The overlap has that again.
    const at = isPart ? taken.at(-1)?.created : (end ?? events.at(-1)?.created)
    const next = formatCursor({ at: Math.max(cursor.at, at ?? 0), number: cursor.number + 1 })
    reported = { cursor: next, events: taken }
    return { events: found, cursor: next, isMore: isPart || end !== undefined }
  }
}

function formatCursor({ at, number }: Cursor): string {
  return `${at}/${number}`
}

function parseCursor(text: string): Cursor {
  const match = /^(\d{1,11})\/(\d{1,15})$/.exec(text)
  if (match === null) throw new TypeError('the cursor is not one of the Stripe provider')
  return { at: Number(match[1]), number: Number(match[2]) }
}

/** Reads all events from a time on, the oldest first. `end` says up to when, if there were too many. */
async function readEvents(
  { api }: Kit,
  begin: number,
  now: number,
): Promise<{ events: readonly StripeEvent[]; end: number | undefined }> {
  let end: number | undefined
  for (;;) {
    const span = (end ?? now) - begin
    const isDivisible = span > OVERLAP_S + 1
    const query = { 'types[]': TYPES, 'created[gte]': begin, 'created[lte]': end }
    const pagesMax = isDivisible ? PAGES_MAX : ALL_PAGES_MAX
    const read = await readList(api, { path: PATH, parse: parseEvent, query, pagesMax })
    // Stripe lists the newest first.
    if (read.kind === 'read') {
      return { events: read.value.toReversed().toSorted((a, b) => a.created - b.created), end }
    }
    if (read.kind !== 'too_many' || !isDivisible) {
      throw new Error(`The events of Stripe cannot be read: ${read.reason}`)
    }
    // Never shorter than the overlap: the cursor has to move on.
    end = begin + OVERLAP_S + Math.ceil((span - OVERLAP_S) / 2)
  }
}

interface States {
  /** The events whose states were read. */
  readonly taken: readonly StripeEvent[]
  /** How many events are about a payment that may still get a capture in the same second. */
  readonly early: number
  readonly found: readonly ProviderEvent[]
  /** Why the rest was not read. */
  readonly failure: Error | undefined
}

/** Reads each payment once, however many events there are about it. */
async function readStates(kit: Kit, events: readonly StripeEvent[], settledBy: number): Promise<States> {
  const taken: StripeEvent[] = []
  const early = new Set<string>()
  const found: ProviderEvent[] = []
  const latest = new Map(events.map((event) => [event.subject.id, event.created]))
  const read = new Set<string>()
  let earlyCount = 0
  const result = () => ({ taken, early: earlyCount, found })
  for (const event of events) {
    const { id } = event.subject
    try {
      if (!read.has(id)) {
        const state = await readSubject(kit, event, { at: latest.get(id) ?? event.created, settledBy })
        if (state === undefined) early.add(id)
        else found.push(...state)
      }
    } catch (error) {
      return { ...result(), failure: error instanceof Error ? error : new Error(String(error)) }
    }
    read.add(id)
    if (early.has(id)) earlyCount += 1
    else taken.push(event)
  }
  return { ...result(), failure: undefined }
}

/** Returns undefined for an authorization whose captures are not all there yet. */
async function readSubject(
  { api }: Kit,
  event: StripeEvent,
  { at, settledBy }: { at: number; settledBy: number },
): Promise<readonly ProviderEvent[] | undefined> {
  const { id, object } = event.subject
  if (object === 'issuing.authorization') {
    const read = await api.read(`${AUTHORIZATIONS_PATH}/${encodeURIComponent(id)}`, parseAuthorization)
    const authorization = requireRead(read, id)
    return isEarly(authorization, settledBy) ? undefined : eventsOfAuthorization(authorization, at)
  }
  if (object === 'issuing.transaction') {
    const read = await api.read(`${TRANSACTIONS_PATH}/${encodeURIComponent(id)}`, parseTransaction)
    return eventsOfTransaction(requireRead(read, id))
  }
  return [{ kind: 'card_status', id: event.id, providerCardId: id, createdAt: toTime(event.created) }]
}

function requireRead<Value>(read: Read<Value>, id: string): Value {
  if (read.kind === 'read') return read.value
  throw new Error(`The payment ${id} cannot be read at Stripe: ${read.reason}`)
}
