// Yields a company's new events or requests, so that it works without a public address: events from the stream, or else by
// polling a list.
import {
  type Cardstock,
  CardstockError,
  type EventFilter,
  type EventType,
  type RequestLog,
  type RequestLogFilter,
  type WebhookEvent,
} from '@cardstock/sdk'
import { streamEvents } from './event-stream.ts'
import type { Output } from '../output.ts'

const POLL_INTERVAL_MS = 500
/** How far back each poll looks again: an item may become visible a little after its createdAt. */
const OVERLAP_MS = 10_000
/** More than the ids seen within the overlap at any sensible rate; older ones cannot appear again. */
const SEEN_MAX = 100_000

export interface TailOptions {
  /** Only events of these types; all if there are none. */
  readonly types?: readonly EventType[] | undefined
  /** Called once, when no later event can be missed any more. */
  onOpen(): void
  /** Called if there is no stream, before the events are polled instead. */
  onFallback(reason: string): void
}

/** Yields a company's events as they happen. */
export async function* tailEvents(api: Cardstock, options: TailOptions): AsyncGenerator<WebhookEvent> {
  const { types = [], onOpen, onFallback } = options
  const startedAt = new Date()
  try {
    yield* streamEvents(api, types, onOpen)
  } catch (error) {
    if (!(error instanceof CardstockError) || !isWithoutStream(error)) throw error
    onFallback(error.message)
    onOpen()
    for await (const event of followEvents(api, types, startedAt))
      if (types.length === 0 || types.includes(event.type)) yield event
  }
}

/** Returns an `onFallback` that tells the person at the terminal. */
export function noteFallback(out: Output): TailOptions['onFallback'] {
  return (reason) => out.note(`There is no stream of events (${reason}). Polling instead.`)
}

/** An older server does not know the path, some proxies do not pass the type on, and a busy server has no room. */
function isWithoutStream({ statusCode, code }: CardstockError): boolean {
  const isBusy = statusCode === 429 || (statusCode !== undefined && statusCode >= 500)
  return statusCode === 404 || statusCode === 406 || isBusy || code === 'unexpected_answer'
}

/** The list can be asked for one type only; of several, it yields other events too. */
function followEvents(api: Cardstock, types: readonly EventType[], startedAt: Date): AsyncGenerator<WebhookEvent> {
  const filter: EventFilter = types.length === 1 ? { type: types[0] } : {}
  return follow((from) => api.events.list({ ...filter, from, limit: 100 }), startedAt)
}

export function followRequests(api: Cardstock, filter: RequestLogFilter): AsyncGenerator<RequestLog> {
  return follow((from) => api.requestLogs.list({ ...filter, from, limit: 100 }), new Date())
}

/** `list` returns the items from an instant on, newest first. */
async function* follow<Item extends { id: string; createdAt: string }>(
  list: (from: string) => AsyncIterable<Item>,
  startedAt: Date,
): AsyncGenerator<Item> {
  const seen = new Set<string>()
  const start = startedAt.getTime()
  let from = start
  for (;;) {
    const fresh: Item[] = []
    for await (const item of list(new Date(from).toISOString())) {
      if (!seen.has(item.id)) fresh.push(item)
    }
    for (const item of fresh.toReversed()) {
      seen.add(item.id)
      yield item
    }
    const newest = fresh[0]
    if (newest !== undefined) from = Math.max(start, Date.parse(newest.createdAt) - OVERLAP_MS)
    if (seen.size > SEEN_MAX) for (const id of [...seen].slice(0, SEEN_MAX / 2)) seen.delete(id)
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS))
  }
}
