// The figures of the server over all processes: every process adds what it did in a minute, once, and no figure is invented.
import type { ProgrammeHealth } from '@cardstock/sdk'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Db } from '../../../src/db/pool.ts'
import { createLog } from '../../../src/lib/log.ts'
import { createServerRecord } from '../../../src/programme/server-record.ts'
import { fund, issueCard, operate, settled } from '../../books/steps.ts'
import { TestServer } from '../../support/harness.ts'
import { startReceiver } from '../../support/receiver.ts'
import { until } from '../../support/wait.ts'

let first: TestServer
let second: TestServer

beforeAll(async () => {
  first = await TestServer.start()
  const { connection, clock } = first
  second = await TestServer.start({}, { database: { connection, drop: async () => {} }, clock, role: 'api' })
})
afterAll(async () => {
  await second.stop()
  await first.stop()
})

const readHealth = async (server: TestServer) =>
  (await server.get<ProgrammeHealth>('/admin/v1/health', server.operatorToken)).body.server
const pointAt = async (server: TestServer, at: string) =>
  (await readHealth(server)).history.find((point) => point.at === at)

/** Goes to this time, where each process begins a minute. */
async function beginAt(time: string): Promise<void> {
  first.clock.set(time)
  await readHealth(first)
  await readHealth(second)
}

test('the requests and server errors of two processes are added up, and what waited is measured once', async () => {
  await beginAt('2026-03-10T13:00:00.000Z')
  for (const server of [first, first, first, second, second]) await server.request('GET', '/healthz')
  second.app.drain()
  expect((await second.request('GET', '/readyz')).status).toBe(503)
  expect(await pointAt(first, '2026-03-10T13:00:00.000Z')).toBeUndefined()

  // The minute has ended, but a process whose clock is behind may not have written it.
  first.clock.set('2026-03-10T13:01:04.000Z')
  expect(await pointAt(second, '2026-03-10T13:00:00.000Z')).toBeUndefined()
  await readHealth(first)
  first.clock.set('2026-03-10T13:01:05.000Z')
  const health = await readHealth(second)
  expect(health).toMatchObject({ databaseUsable: true, until: '2026-03-10T13:01:00.000Z' })
  expect(health.history.at(-1)).toEqual({
    at: '2026-03-10T13:00:00.000Z',
    minutes: 1,
    processes: 2,
    // With those that read the health: one of the second process, and two of the first.
    requests: 9,
    serverErrors: 1,
    webhookAttempts: 0,
    webhookFailures: 0,
    callsInFlight: 0,
    callsStopped: false,
    queued: 0,
    inReview: 0,
    oldestDeliverySeconds: 0,
  })
})

test('attempts of webhooks and calls in flight are counted, and a time in which nobody wrote has no point', async () => {
  await beginAt('2026-03-10T14:00:00.000Z')
  const receiver = await startReceiver(500)
  const company = await first.createCompany()
  await fund(first, company, '1000')
  const card = await issueCard(first, company)
  await first.post('/api/v1/webhook-endpoints', company.key, { url: receiver.url, events: ['*'] })
  await operate(first, company, { type: 'topup', cardId: card.id, amount: '10.99' })
  await until('the attempt is counted', async () => {
    const text = await first.app.metrics.registry.getSingleMetricAsString('webhook_attempts_total')
    return /outcome="retry"\} [1-9]/.test(text)
  })
  await receiver.close()
  // The sandbox completes others without a call.
  await settled(first, company, await operate(first, company, { type: 'topup', cardId: card.id, amount: '10.88' }))
  await beginAt('2026-03-10T14:01:00.000Z')
  await beginAt('2026-03-10T14:01:05.000Z')
  const point = await pointAt(first, '2026-03-10T14:00:00.000Z')
  expect(point?.webhookAttempts).toBeGreaterThan(0)
  expect(point?.webhookFailures).toBe(point?.webhookAttempts)
  expect(point?.callsInFlight).toBeGreaterThan(0)

  await beginAt('2026-03-10T14:20:00.000Z')
  await beginAt('2026-03-10T14:21:05.000Z')
  const times = (await readHealth(first)).history.map(({ at }) => at.slice(11, 16))
  expect(times.slice(times.indexOf('14:00'))).toEqual(['14:00', '14:20'])
})

test('what could not be written is written later, and is not added twice if only the answer was lost', async () => {
  let isLost: 'statement' | 'answer' | undefined = 'statement'
  const db: Db = {
    ...first.db,
    async find(statement) {
      if (isLost === 'statement') throw new Error('The database is away.')
      const row = await first.db.find(statement)
      if (isLost === 'answer') throw new Error('The connection broke.')
      return row as never
    },
  }
  const clock = { now: () => new Date(now) }
  let now = '2026-03-10T15:00:30.000Z'
  const record = createServerRecord({
    db,
    clock,
    log: createLog({ level: 'silent' }),
    takeCalls: () => ({ callsInFlight: 0, areCallsStopped: true }),
    measure: async () => ({ queued: 7, inReview: 0, oldestDeliveryMs: 0 }),
  })
  record.onAnswer(500)
  now = '2026-03-10T15:01:00.000Z'
  await record.flush()
  isLost = 'answer'
  await record.flush()
  isLost = undefined
  record.onAnswer(200)
  now = '2026-03-10T15:05:00.000Z'
  await record.flush()
  first.clock.set('2026-03-10T15:06:05.000Z')
  // Of the first minute nobody knows what waited, because its measurement did not take place.
  expect(await pointAt(second, '2026-03-10T15:00:00.000Z')).toMatchObject({
    minutes: 2,
    processes: 1,
    requests: 2,
    serverErrors: 1,
    callsStopped: true,
    queued: null,
  })
  await record.close()
})
