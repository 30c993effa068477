// Webhook endpoints, deliveries and the stream of events in the examples.
import { until } from '../../support/wait.ts'
import { startReceiver } from '../../support/receiver.ts'
import { type Journey, type Made, next } from './journey.ts'

export async function receiveWebhooks(journey: Journey): Promise<void> {
  const { recorder, key: token } = journey
  const receiver = await startReceiver()
  const endpoint = await recorder.call<Made>('endpoint', 'POST /api/v1/webhook-endpoints', {
    token,
    body: { url: receiver.url, events: ['operation.completed', 'operation.failed'], description: 'Back office' },
    expect: 201,
  })
  const path = `/api/v1/webhook-endpoints/${endpoint.id}`
  await recorder.call('endpoints', 'GET /api/v1/webhook-endpoints?limit=1', { token, expect: 200 })
  await recorder.call('endpoint', `GET ${path}`, { token, expect: 200 })
  await recorder.call('all events', `PATCH ${path}`, { token, body: { events: ['*'] }, expect: 200 })
  await recorder.call('rotate', `POST ${path}/rotate-secret`, { token, body: { overlapSeconds: 3600 }, expect: 200 })
  next(journey)
  const ping = await recorder.call<Made>('ping', `POST ${path}/ping`, { token, expect: 202 })
  await until('the ping was delivered', async () => {
    const { body } = await journey.world.server.get<{ data: object[] }>(`/api/v1/events/${ping.id}/attempts`, token)
    return body.data.length > 0 ? true : undefined
  })
  await recorder.call('event', `GET /api/v1/events/${ping.id}`, { token, expect: 200 })
  await recorder.call('attempts', `GET /api/v1/events/${ping.id}/attempts`, { token, expect: 200 })
  await recorder.call('attempts', `GET ${path}/attempts`, { token, expect: 200 })
  await recorder.call('by type', 'GET /api/v1/events?type=webhook.ping', { token, expect: 200 })
  await recorder.call('resend', `POST /api/v1/events/${ping.id}/resend`, {
    token,
    body: { endpointId: endpoint.id },
    expect: 202,
  })
  await recorder.call('since', `POST ${path}/recover`, { token, body: { since: '2026-03-10' }, expect: 202 })
  await recorder.stream('a ping', '/api/v1/events/stream?types=webhook.ping', token, () =>
    recorder.call('ping', `POST ${path}/ping`, { token, expect: 202 }),
  )
  await recorder.call('delete', `DELETE ${path}`, { token, expect: 204 })
  await receiver.close()
}
