// The first event of an operation is stored as the operation itself. It is read, delivered, resent and deleted like any
// other event.
import { beforeEach, expect, test } from 'vitest'
import { readConfig } from '../../../src/config/config.ts'
import { newId } from '../../../src/lib/ids.ts'
import { pruneJob } from '../../../src/webhooks/jobs.ts'
import { expectError } from '../expect-error.ts'
import { createCustomer, type Customer, issueBody, send } from '../../support/operations.ts'
import { attemptsOf, register, waitForAttempts } from '../../support/webhooks.ts'
import { type Arrival, until } from '../../support/receiver.ts'
import { prepareReceivers, startServer } from './server.ts'

const DAY_MS = 86_400_000
/** Not the default, so that the setting is seen to count. */
const KEPT_DAYS = 40

const server = await startServer({
  WEBHOOK_ALLOW_PRIVATE_ADDRESSES: 'true',
  RETENTION_EVENTS_DAYS: String(KEPT_DAYS),
})
const listen = prepareReceivers()
let customer: Customer
beforeEach(async () => {
  customer = await createCustomer(server)
})

const events = async (query = '') =>
  (await server.get<{ data: Arrival['event'][] }>(`/api/v1/events${query}`, customer.key)).body.data

/** An operation, once it has completed. */
async function order(key: string): Promise<string> {
  const answer = await send(server, customer, issueBody(customer), key)
  expect(answer.status, answer.text).toBe(201)
  const { id } = answer.body
  await until(async () =>
    (await events('?limit=100')).find((event) => event.type === 'operation.completed' && event.data['id'] === id),
  )
  return id.replace('op_', '')
}

test('it has the id of the operation, and comes first even if all events are in one millisecond', async () => {
  // Many ids of this millisecond carry into the part of an id that distinguishes the events of an object.
  for (let count = 0; count < 50_000; count += 1) newId(server.clock.now())
  const id = await order('one')
  const mine = (await events()).filter((event) => event.type.startsWith('operation.'))
  expect(mine.map(({ type, sequence }) => [type, sequence])).toEqual([
    ['operation.completed', 3],
    ['operation.processing', 2],
    ['operation.queued', 1],
  ])
  expect(mine.at(-1)).toMatchObject({ id: `evt_${id}`, createdAt: server.clock.now().toISOString() })
  expect((await server.get(`/api/v1/events/evt_${id}`, customer.key)).body).toEqual(mine.at(-1))
  expect(await events('?type=operation.queued')).toEqual([mine.at(-1)])
  const stranger = await server.createCompany()
  expectError(await server.get(`/api/v1/events/evt_${id}`, stranger.key), 'not_found')
})

test('it is delivered as the API shows it, and resent on request', async () => {
  const receiver = await listen()
  await register(server, customer, receiver.url, ['operation.queued'])
  const eventId = `evt_${await order('delivered')}`
  await waitForAttempts(server, customer, eventId, 1)
  expect(receiver.arrivals.map(({ event }) => event)).toEqual(await events('?type=operation.queued'))
  const resent = await server.post(`/api/v1/events/${eventId}/resend`, customer.key, {})
  expect(resent.body).toEqual({ deliveries: 1 })
  expect(await waitForAttempts(server, customer, eventId, 2)).toHaveLength(2)
})

test('an endpoint that recovers gets the ones it missed', async () => {
  const ids = [await order('missed'), await order('missed-too')]
  const receiver = await listen()
  const { id } = await register(server, customer, receiver.url, ['operation.queued'])
  const since = new Date(server.clock.now().getTime() - 1000).toISOString()
  await server.post(`/api/v1/webhook-endpoints/${id}/recover`, customer.key, { since })
  await until(() => (receiver.arrivals.length >= 2 ? true : undefined))
  expect(receiver.arrivals.map(({ event }) => event.id).toSorted()).toEqual(ids.map((hex) => `evt_${hex}`).toSorted())
})

test('after the days that events are kept it is deleted with its deliveries and attempts, and the operation stays', async () => {
  const receiver = await listen()
  await register(server, customer, receiver.url, ['operation.queued'])
  const hex = await order('old')
  await waitForAttempts(server, customer, `evt_${hex}`, 1)
  const then = server.clock.now()
  server.clock.advance(KEPT_DAYS * DAY_MS)
  expect((await events('?type=operation.queued')).map((event) => event.id)).toEqual([`evt_${hex}`])
  server.clock.advance(1)
  expect(await events('?from=2020-01-01')).toEqual([])
  expectError(await server.get(`/api/v1/events/evt_${hex}`, customer.key), 'not_found')
  expectError(await server.get(`/api/v1/events/evt_${hex}/attempts`, customer.key), 'not_found')
  expectError(await server.post(`/api/v1/events/evt_${hex}/resend`, customer.key, {}), 'not_found')
  expect((await server.get(`/api/v1/operations/op_${hex}`, customer.key)).status).toBe(200)

  const job = pruneJob(server.db, () => new Date(then.getTime() + 1))
  await job.run()
  for (const table of ['delivery', 'webhook_attempt', 'event']) {
    const text = `select from ${table} where company_id = $1`
    expect(await server.db.many({ name: undefined, text, values: [customer.id] }), table).toEqual([])
  }
  expect((await server.get(`/api/v1/operations/op_${hex}`, customer.key)).status).toBe(200)
})

test.each(['29', '3651', 'forever'])('RETENTION_EVENTS_DAYS=%s is refused', (days) => {
  expect(() => readConfig({ RETENTION_EVENTS_DAYS: days })).toThrow(/RETENTION_EVENTS_DAYS/)
})

test('attempts of another company are not shown', async () => {
  const hex = await order('private')
  expect(await attemptsOf(server, customer, `evt_${hex}`)).toEqual([])
  const stranger = await server.createCompany()
  expectError(await server.get(`/api/v1/events/evt_${hex}/attempts`, stranger.key), 'not_found')
})

test('the attempts of an endpoint are those of all its events, newest first, and of no other endpoint', async () => {
  const receiver = await listen()
  const { id } = await register(server, customer, receiver.url, ['operation.queued'])
  const other = await register(server, customer, receiver.url, ['webhook.disabled'])
  const ids = [await order('first'), await order('second')]
  for (const hex of ids) await waitForAttempts(server, customer, `evt_${hex}`, 1)
  const read = async (endpoint: string) =>
    (
      await server.get<{ data: { eventId: string; id: string }[] }>(
        `/api/v1/webhook-endpoints/${endpoint}/attempts`,
        customer.key,
      )
    ).body.data
  const attempts = await read(id)
  expect(attempts.map(({ eventId }) => eventId).toSorted()).toEqual(ids.map((hex) => `evt_${hex}`).toSorted())
  expect(attempts.map((attempt) => attempt.id)).toEqual(
    attempts
      .map((attempt) => attempt.id)
      .toSorted()
      .toReversed(),
  )
  expect(await read(other.id)).toEqual([])
  const stranger = await server.createCompany()
  expectError(await server.get(`/api/v1/webhook-endpoints/${id}/attempts`, stranger.key), 'not_found')
})
