// GET /api/v1/events/stream with a session: the stream asks again and again whether it may go on, which is no use of the session.
import { afterAll, expect, it } from 'vitest'
import { TestServer } from '../../support/harness.ts'
import { SseClient } from '../../support/sse.ts'
import { until } from '../../support/wait.ts'
import { expectError } from '../expect-error.ts'
import { type Browser, join } from './people.ts'

const RATE = 10
const rates = { RATE_LIMIT_PER_SECOND: String(RATE), RATE_LIMIT_BURST: String(RATE) }
const server = await TestServer.start(rates, { streamLimits: { checkMs: 20, beatMs: 20 } })
const company = await server.createCompany()
afterAll(() => server.stop())

const MINUTE_MS = 60_000

async function open({ cookie }: Browser, path?: string): Promise<SseClient> {
  const headers = { cookie, 'sec-fetch-site': 'same-origin', 'cardstock-environment': 'sandbox' }
  const client = await SseClient.open(server.baseUrl, headers, path === undefined ? {} : { path })
  expect(client.status).toBe(200)
  return client
}

it('an open stream does not keep a session alive that nobody uses', async () => {
  const person = await join(server, 'developer', company)
  const client = await open(person)
  server.clock.advance(59 * MINUTE_MS)
  const before = client.comments
  await until('the stream was checked', () => client.comments > before + 3)
  server.clock.advance(2 * MINUTE_MS)
  await client.ends()
  expectError(await person.get('/console/v1/me'), 'invalid_session')
})

it('a stream takes nothing from the rate of the person', async () => {
  const client = await open(await join(server, 'developer', company))
  const before = client.comments
  // Many times what a person may request in this time.
  await until('the stream was checked', () => client.comments > before + 4 * RATE)
  expect(client.ending).toBeUndefined()
  client.close()
})

it.each([
  ['signs out', (person: Browser) => person.post('/console/v1/sign-out')],
  [
    'loses the right to read events',
    async (person: Browser) => {
      const { id } = (await person.get<{ id: string }>('/console/v1/me')).body
      const owner = await join(server, 'owner', company)
      return owner.send('PATCH', `/api/v1/people/${id}`, { body: { role: 'finance' } })
    },
  ],
])('a stream ends when the person %s', async (_name, act) => {
  const person = await join(server, 'developer', company)
  const client = await open(person)
  const answer = await act(person)
  expect(answer.status, answer.text).toBeLessThan(300)
  await client.ends()
})

it('what changes is told to every role by its type only, and webhooks only to roles that may read events', async () => {
  const path = '/api/v1/changes'
  const developer = await open(await join(server, 'developer', company), path)
  const viewer = await open(await join(server, 'viewer', company), path)
  const hook = { url: 'https://hooks.example.com/changes' }
  const endpoint = await server.post<{ id: string }>('/api/v1/webhook-endpoints', company.key, hook)
  const ping = await server.post(`/api/v1/webhook-endpoints/${endpoint.body.id}/ping`, company.key, {})
  expect(ping.status, ping.text).toBeLessThan(300)
  const invoice = await server.post('/api/v1/card-account/invoices', company.key, { amount: '50.00' })
  expect(invoice.status, invoice.text).toBe(201)
  expect(await developer.has(2)).toEqual([{ type: 'webhook.ping' }, { type: 'invoice.pending' }])
  const [told] = await viewer.has(1)
  expect(told).toEqual({ type: 'invoice.pending' })
  const route = server.app.routes.find(({ id }) => id === 'streamChanges')
  expect(route?.description).toContain(`data: ${JSON.stringify(told)}`)
  developer.close()
  viewer.close()
  expect((await server.get(path, company.key)).status).toBe(401)
})
