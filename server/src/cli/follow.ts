// Yields a company's new events by polling, so that it works without a public address.
import type { Cardstock, EventFilter, WebhookEvent } from '@cardstock/sdk'
import { systemClock } from '../lib/clock.ts'

const POLL_INTERVAL_MS = 500
/** How far back each poll looks again: an event may become visible a little after its createdAt. */
const OVERLAP_MS = 10_000
/** More than the ids seen within the overlap at any sensible rate; older ones cannot appear again. */
const SEEN_MAX = 100_000

export async function* followEvents(api: Cardstock, filter: EventFilter = {}): AsyncGenerator<WebhookEvent> {
  const seen = new Set<string>()
  let from = systemClock.now().getTime()
  const start = from
  for (;;) {
    const fresh: WebhookEvent[] = []
    for await (const event of api.events.list({ ...filter, from: new Date(from).toISOString(), limit: 100 })) {
      if (!seen.has(event.id)) fresh.push(event)
    }
    for (const event of fresh.toReversed()) {
      seen.add(event.id)
      yield event
    }
    const newest = fresh[0]
    if (newest !== undefined) from = Math.max(start, Date.parse(newest.createdAt) - OVERLAP_MS)
    if (seen.size > SEEN_MAX) for (const id of [...seen].slice(0, SEEN_MAX / 2)) seen.delete(id)
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS))
  }
}
