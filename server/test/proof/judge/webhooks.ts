// Judges webhooks: every event has a delivery for every endpoint that asked for it, and a delivery counts as delivered only
// if its receiver answered 2xx.
import type { Arrival } from './evidence.ts'
import { groupBy, scopeName } from './scopes.ts'
import type { DeliveryRow, EndpointRow, EventRow, Snapshot } from './snapshot.ts'

/** After the last of these attempts a delivery is listed as failed. */
const ATTEMPTS_MAX = 10

export function judgeWebhooks(
  snapshot: Snapshot,
  arrivals: readonly Arrival[] | undefined,
  isQuiet: boolean,
): string[] {
  const endpoints = new Map(snapshot.endpoints.map((row) => [row.id, row]))
  const deliveries = new Map(snapshot.deliveries.map((row) => [`${row.event_id} ${row.endpoint_id}`, row]))
  const events = groupBy(snapshot.events, scopeName)
  const missing = snapshot.endpoints.flatMap((endpoint) =>
    (events.get(scopeName(endpoint)) ?? [])
      .filter((event) => isWanted(endpoint, event) && !deliveries.has(`${event.id} ${endpoint.id}`))
      .map((event) => `event ${event.id} (${event.type}) has no delivery for endpoint ${endpoint.id}`),
  )
  const received = groupBy(arrivals ?? [], ({ eventId, endpointId }) => `${eventId} ${endpointId}`)
  const unproven = snapshot.deliveries.flatMap((delivery) => {
    const own = received.get(`${delivery.event_id} ${delivery.endpoint_id}`) ?? []
    return judgeDelivery(delivery, endpoints.get(delivery.endpoint_id), { arrivals: arrivals && own, isQuiet })
  })
  return [...missing, ...unproven, ...judgeArrivals(snapshot, arrivals ?? [])]
}

/** Only enabled endpoints: one that was disabled missed events, and gets them when it is enabled again. */
function isWanted({ status, created_at, events, id }: EndpointRow, event: EventRow): boolean {
  if (status !== 'enabled' || event.created_at <= created_at) return false
  if (event.type === 'webhook.ping') return event.object_id === id
  return events[0] === '*' || events.includes(event.type)
}

function judgeDelivery(
  { event_id, endpoint_id, status, attempt_count, resend_count }: DeliveryRow,
  endpoint: EndpointRow | undefined,
  { arrivals, isQuiet }: { arrivals: readonly Arrival[] | undefined; isQuiet: boolean },
): string[] {
  const what = `the delivery of event ${event_id} to endpoint ${endpoint_id}`
  switch (status) {
    case 'delivered': {
      const isTaken =
        arrivals === undefined || arrivals.some(({ statusCode = 0 }) => statusCode >= 200 && statusCode < 300)
      return isTaken ? [] : [`${what} is marked delivered, but the receiver never answered 2xx`]
    }
    case 'failed':
      return attempt_count >= ATTEMPTS_MAX || resend_count > 0
        ? []
        : [`${what} was given up after ${attempt_count} attempts`]
    case 'pending':
      return isQuiet && endpoint?.status === 'enabled' ? [`${what} is still pending`] : []
  }
}

/** Nothing reaches a receiver of another company. */
function judgeArrivals({ events, endpoints }: Snapshot, arrivals: readonly Arrival[]): string[] {
  const scopes = new Map(events.map((row) => [row.id, scopeName(row)]))
  const owners = new Map(endpoints.map((row) => [row.id, scopeName(row)]))
  return arrivals
    .filter(({ eventId, endpointId }) => {
      const owner = owners.get(endpointId)
      return owner !== undefined && scopes.has(eventId) && scopes.get(eventId) !== owner
    })
    .map(
      ({ eventId, endpointId }) =>
        `event ${eventId} was sent to endpoint ${endpointId} of another company or environment`,
    )
}
