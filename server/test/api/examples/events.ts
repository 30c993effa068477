// One event of every type for the examples. The last steps cause the types that the other steps do not.
import { EVENT_TYPES } from '../../../src/events/catalogue.ts'
import { complete, openInvoice, pay, resolve } from '../../support/invoices.ts'
import { startReceiver } from '../../support/receiver.ts'
import { ENDPOINTS } from '../../support/webhooks.ts'
import { type Journey, untilEvent } from './journey.ts'

const HOUR_MS = 3_600_000

/** Keeps the first event of each type. */
export async function collectEvents(journey: Journey): Promise<void> {
  const { world, recorder, key } = journey
  await failInvoice(journey)
  await expireInvoice(journey)
  await disableEndpoint(journey)
  for (const type of EVENT_TYPES) {
    const { body } = await world.server.get<{ data: object[] }>(`/api/v1/events?type=${type}`, key)
    const first = body.data.at(-1)
    // The time at which the worker acts varies.
    if (first !== undefined) recorder.events[type] = { ...first, createdAt: '2026-03-10T12:01:00.000Z' }
  }
}

async function failInvoice({ world: { server }, key }: Journey): Promise<void> {
  const { id } = await openInvoice(server, { key })
  await pay(server, { key }, id, { amount: '1' })
  await resolve(server, id, { outcome: 'failed' })
}

async function expireInvoice(journey: Journey): Promise<void> {
  const { server } = journey.world
  const { id } = await openInvoice(server, journey)
  server.clock.advance(HOUR_MS)
  // A payment that comes too late is what makes the server notice at once.
  await complete(server, journey, id)
  await untilEvent(journey, 'invoice.expired')
}

/** An endpoint that answers 410 is disabled. */
async function disableEndpoint(journey: Journey): Promise<void> {
  const { world, key } = journey
  const receiver = await startReceiver(410)
  const body = { url: receiver.url, events: ['webhook.ping'], description: 'Back office' }
  const { body: endpoint } = await world.server.post<{ id: string }>(ENDPOINTS, key, body)
  await world.server.post(`${ENDPOINTS}/${endpoint.id}/ping`, key)
  await untilEvent(journey, 'webhook.disabled')
  await receiver.close()
}
