// Follows what happens at Lithic. An event only says that something changed: the present state is then read and reported, so events may be
// repeated and come in any order. Lists are read by time with an overlap, because events of one moment may become visible one after the other.
import type { Polled, ProviderEvent } from '../../provider.ts'
import { type Page, pageOf } from '../../provider-kit/parse.ts'
import { parseEvent } from './answers.ts'
import type { Kit } from './kit.ts'
import { eventsOf, parseTransaction } from './transactions.ts'

type LithicEvent = NonNullable<ReturnType<typeof parseEvent>>

const PATH = '/v1/events'
const PAYMENT = 'card_transaction.updated'
/** Lithic takes at most ten types. */
const TYPES = [
  PAYMENT,
  'card.created',
  'card.updated',
  'card.converted',
  'card.renewed',
  'card.reissued',
  'card.shipped',
]
/** Each poll of Lithic also reads events that were created this long before the newest one that it knows. */
export const OVERLAP_MS = 2 * 60_000
/** A page of long payments can exceed what is read of an answer. Smaller pages are asked for then. */
const PAGE_SIZES = [50, 5, 1]
const TOO_LONG = 'UND_ERR_RES_EXCEEDED_MAX_SIZE'
/** Pages of Lithic's events in one poll. A poll that would take more covers half the time instead. */
const PAGES_MAX = 100
/** Payments and cards that one poll of Lithic reads. The next poll reads the rest, after these were stored. */
const STATES_MAX = 200
/** Lithic's events of a shorter time are read to their end, however many pages they have. */
const SPAN_MS_MIN = 1_000
/** Pages of Lithic's events that are read to their end. No programme has this many in a few minutes. */
const ALL_PAGES_MAX = 10_000

export type Poll = (cursor: string | undefined) => Promise<Polled>

/** `number` makes each cursor unique, so that a poll with it proves that what came with it was stored. */
interface Cursor {
  readonly atMs: number
  readonly number: number
}

export function createPoll(kit: Kit): Poll {
  /** The events that were reported and stored, with their times. Without it, each poll would read the payments of the overlap again. */
  const stored = new Map<string, number>()
  let reported: { readonly cursor: string; readonly events: readonly LithicEvent[] } | undefined

  return async (text) => {
    if (text === undefined) {
      return {
        events: [],
        cursor: formatCursor({ atMs: kit.settings.clock.now().getTime(), number: 0 }),
        isMore: false,
      }
    }
    const cursor = parseCursor(text)
    // Another cursor than the last one: what was reported was not stored, or by another process. Everything is read again.
    if (reported?.cursor !== text) stored.clear()
    else for (const event of reported.events) stored.set(event.token, event.createdMs)
    const beginMs = cursor.atMs - OVERLAP_MS
    for (const [token, createdMs] of stored) if (createdMs < beginMs) stored.delete(token)

    const { events, endMs } = await readEvents(kit, beginMs)
    const fresh = events.filter(({ token }) => !stored.has(token))
    const { taken, found, failure } = await readStates(kit, fresh.slice(0, STATES_MAX))
    if (taken.length === 0 && failure !== undefined) throw failure
    const isPart = taken.length < fresh.length
    // The oldest come first, so nothing before the last one that was taken is left.
    const atMs = isPart ? taken.at(-1)?.createdMs : (endMs ?? events.map(({ createdMs }) => createdMs).reduce(later, 0))
    const next = formatCursor({ atMs: later(cursor.atMs, atMs ?? 0), number: cursor.number + 1 })
    reported = { cursor: next, events: taken }
    return { events: found, cursor: next, isMore: isPart || endMs !== undefined }
  }
}

function later(a: number, b: number): number {
  return Math.max(a, b)
}

function formatCursor({ atMs, number }: Cursor): string {
  return `${new Date(atMs).toISOString()}/${number}`
}

function parseCursor(text: string): Cursor {
  const [time = '', number = ''] = text.split('/')
  const atMs = Date.parse(time)
  if (Number.isNaN(atMs) || !/^\d{1,15}$/.test(number))
    throw new TypeError('the cursor is not one of the Lithic provider')
  return { atMs, number: Number(number) }
}

/** Reads all events from a time on. `endMs` says up to when, if there were too many. */
async function readEvents(kit: Kit, beginMs: number): Promise<{ events: LithicEvent[]; endMs: number | undefined }> {
  let endMs: number | undefined
  for (;;) {
    const spanMs = (endMs ?? kit.settings.clock.now().getTime()) - beginMs
    const isDivisible = spanMs > SPAN_MS_MIN + OVERLAP_MS
    const events = await readSpan(kit, { beginMs, endMs, pagesMax: isDivisible ? PAGES_MAX : ALL_PAGES_MAX })
    if (events !== undefined) return { events, endMs }
    if (!isDivisible) throw new Error('Lithic has more events of one moment than can be read.')
    // Never shorter than the overlap: the cursor has to move on.
    endMs = beginMs + OVERLAP_MS + Math.ceil((spanMs - OVERLAP_MS) / 2)
  }
}

interface Span {
  readonly beginMs: number
  readonly endMs: number | undefined
  readonly pagesMax: number
}

/** Returns the oldest first, or undefined if there are more pages than were allowed. */
async function readSpan(kit: Kit, { beginMs, endMs, pagesMax }: Span): Promise<LithicEvent[] | undefined> {
  const events = new Map<string, LithicEvent>()
  const begin = new Date(beginMs).toISOString()
  // Lithic leaves out what was created exactly at the end.
  const end = endMs === undefined ? undefined : new Date(endMs + 1).toISOString()
  let after: string | undefined
  for (let page = 0; page < pagesMax; page += 1) {
    const { items, hasMore } = await readPage(kit, { begin, end, starting_after: after })
    for (const event of items) events.set(event.token, event)
    after = items.at(-1)?.token
    // Lithic lists the newest first.
    if (!hasMore || after === undefined) {
      return [...events.values()].toReversed().toSorted((a, b) => a.createdMs - b.createdMs)
    }
  }
  return undefined
}

async function readPage({ api }: Kit, query: Record<string, string | undefined>): Promise<Page<LithicEvent>> {
  let reason = ''
  for (const page_size of PAGE_SIZES) {
    const all = { event_types: TYPES.join(','), with_content: 'true', page_size, ...query }
    const read = await api.read(PATH, pageOf(parseEvent), all)
    if (read.kind === 'read') return read.value
    reason = read.reason
    if (!reason.startsWith(TOO_LONG)) break
  }
  throw new Error(`The events of Lithic cannot be read: ${reason}`)
}

interface States {
  /** The events whose states were read. */
  readonly taken: readonly LithicEvent[]
  readonly found: readonly ProviderEvent[]
  /** Why the rest was not read. */
  readonly failure: Error | undefined
}

/** Reads each payment once, however many events there are about it. */
async function readStates(kit: Kit, events: readonly LithicEvent[]): Promise<States> {
  const taken: LithicEvent[] = []
  const found: ProviderEvent[] = []
  const read = new Set<string>()
  for (const event of events) {
    const subject = event.type === PAYMENT ? event.transactionToken : event.cardToken
    try {
      if (subject === undefined) throw new Error(`The event ${event.token} of Lithic does not say what it is about.`)
      if (!read.has(subject)) found.push(...(await readSubject(kit, event, subject)))
    } catch (error) {
      return { taken, found, failure: error instanceof Error ? error : new Error(String(error)) }
    }
    read.add(subject)
    taken.push(event)
  }
  return { taken, found, failure: undefined }
}

async function readSubject({ api }: Kit, event: LithicEvent, subject: string): Promise<readonly ProviderEvent[]> {
  if (event.type === PAYMENT) {
    const path = `/v1/transactions/${encodeURIComponent(subject)}`
    return eventsOf(requireRead(await api.read(path, parseTransaction), `The payment ${subject}`))
  }
  const createdAt = new Date(event.createdMs).toISOString()
  return [{ kind: 'card_status', id: event.token, providerCardId: subject, createdAt }]
}

function requireRead<Value>(
  read: { kind: 'read'; value: Value } | { kind: 'absent' | 'unknown'; reason: string },
  what: string,
): Value {
  if (read.kind === 'read') return read.value
  throw new Error(`${what} cannot be read at Lithic: ${read.reason}`)
}
