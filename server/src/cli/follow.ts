// Yields a company's new events or requests by polling a list, so that it works without a public address.
import type { Cardstock, EventFilter, RequestLog, RequestLogFilter, WebhookEvent } from '@cardstock/sdk'
import { systemClock } from '../lib/clock.ts'

const POLL_INTERVAL_MS = 500
/** How far back each poll looks again: an item may become visible a little after its createdAt. */
const OVERLAP_MS = 10_000
/** More than the ids seen within the overlap at any sensible rate; older ones cannot appear again. */
const SEEN_MAX = 100_000

export function followEvents(api: Cardstock, filter: EventFilter = {}): AsyncGenerator<WebhookEvent> {
  return follow((from) => api.events.list({ ...filter, from, limit: 100 }))
}

export function followRequests(api: Cardstock, filter: RequestLogFilter): AsyncGenerator<RequestLog> {
  return follow((from) => api.requestLogs.list({ ...filter, from, limit: 100 }))
}

/** `list` returns the items from an instant on, newest first. */
async function* follow<Item extends { id: string; createdAt: string }>(
  list: (from: string) => AsyncIterable<Item>,
): AsyncGenerator<Item> {
  const seen = new Set<string>()
  let from = systemClock.now().getTime()
  const start = from
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
