// Delivery queues: long queues, queues whose receiver begins to fail, leases, and several workers with the same queue.
import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import pg from 'pg'
import { beforeEach, describe, expect, test } from 'vitest'
import { sql } from '../../../src/db/sql.ts'
import { findId } from '../../../src/lib/ids.ts'
import { createLog } from '../../../src/lib/log.ts'
import { createAgent } from '../../../src/webhooks/connector.ts'
import { createDeliverySlots } from '../../../src/webhooks/delivery-slots.ts'
import { createDeliveryWorker } from '../../../src/webhooks/delivery-worker.ts'
import {
  type AttemptRecord,
  claimQueues,
  type QueueKey,
  recordAttempts,
  takeDeliveries,
} from '../../../src/webhooks/queries.ts'
import { createWebhookBox } from '../../../src/webhooks/assemble.ts'
import { serveQueue } from '../../../src/webhooks/serve-queue.ts'
import { fund, issueCard } from '../../books/steps.ts'
import type { TestCompany } from '../../support/harness.ts'
import { selectWaiting } from '../../support/on-citus.ts'
import { ENDPOINTS, getEndpoint, register, waitingOf } from '../../support/webhooks.ts'
import { type Receiver, until } from '../../support/receiver.ts'
import { prepareReceivers, startServer } from './server.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

const server = await startServer()
const listen = prepareReceivers()
let company: TestCompany
let receiver: Receiver
beforeEach(async () => {
  company = await server.createCompany()
  receiver = await listen()
})

async function emitMany(count: number): Promise<void> {
  await server.db.run(sql`
    select emit_event(${company.id}, 'sandbox', 'card.updated', gen_random_uuid(), '{"id": "card_x"}', ${server.clock.now()})
    from generate_series(1, ${count}::int)`)
}

describe('a long queue', () => {
  test('is delivered completely and in the order it was claimed, each event once, at most sixteen at a time', async () => {
    const underWay = new Set<ServerResponse>()
    let most = 0
    const answerAll = () => {
      for (const response of underWay) response.writeHead(200).end()
      underWay.clear()
    }
    // None of the first sixteen is answered before all of them have arrived. Later answers come after a short pause, in
    // which a seventeenth would arrive if it had been sent.
    receiver.answer = (response, count) => {
      underWay.add(response)
      most = Math.max(most, underWay.size)
      if (count >= 16) setTimeout(answerAll, 2)
    }
    await emitMany(300)
    const { id } = await register(server, company, receiver.url)
    await server.post(`${ENDPOINTS}/${id}/recover`, company.key, { since: '2020-01-01' })
    await receiver.wait(300)
    await until(async () => ((await waitingOf(server, company)) === 0 ? true : undefined))
    expect(new Set(receiver.arrivals.map(({ event }) => event.id)).size).toBe(300)
    expect(receiver.arrivals).toHaveLength(300)
    expect(most).toBe(16)
    expect((await getEndpoint(server, company, id)).health).toMatchObject({
      lastSuccessAt: server.clock.now().toISOString(),
      failures: 0,
      failingSince: null,
    })
  })

  test('whose receiver begins to fail loses only a few attempts, not a whole round', async () => {
    // The first sixteen arrive, so sixty-four are taken next.
    receiver.answer = (response, count) => void response.writeHead(count <= 16 ? 200 : 500).end()
    await emitMany(300)
    const { id } = await register(server, company, receiver.url)
    await server.post(`${ENDPOINTS}/${id}/recover`, company.key, { since: '2020-01-01' })
    await until(async () => ((await getEndpoint(server, company, id)).health.failures > 0 ? true : undefined))
    // Five failures stop it; up to fifteen others were under way already.
    expect(receiver.arrivals.length).toBeLessThanOrEqual(16 + 5 + 15)
    expect((await getEndpoint(server, company, id)).health.lastSuccessAt).not.toBeNull()
    receiver.answer = 200
    server.clock.advance(HOUR_MS)
    await until(async () => ((await waitingOf(server, company)) === 0 ? true : undefined))
  })
})

test('a payment with two events locks the queues in key order, whatever the order of its events', async () => {
  await fund(server, company, '1000')
  const card = await issueCard(server, company, { amount: '100.00' })
  const made = [await register(server, company, receiver.url), await register(server, company, receiver.url)]
  const [lower = '', higher = ''] = made.map(({ id }) => id).toSorted()
  // The payment comes first, the card's new balance second.
  for (const [id, type] of [
    [lower, 'card.updated'],
    [higher, 'transaction.created'],
  ])
    await server.request('PATCH', `${ENDPOINTS}/${id}`, { token: company.key, body: { events: [type] } })
  const lock = 'select 1 from delivery_queue where company_id = $1 and endpoint_id = $2 for no key update nowait'
  const other = new pg.Client(server.connection)
  await other.connect()
  await other.query('begin')
  await other.query(lock, [company.id, findId('we', lower)])
  const paid = server.post('/api/v1/sandbox/transactions', company.key, {
    cardId: card.id,
    type: 'purchase',
    amount: '1.00',
  })
  await until(async () => {
    const waiting = await server.db.many(selectWaiting())
    return waiting.length > 0 ? true : undefined
  })
  // It holds no lock that a transaction that locks in order could be waiting for.
  await other.query(lock, [company.id, findId('we', higher)])
  await other.query('commit')
  await other.end()
  expect((await paid).status).toBe(201)
  await receiver.wait(2)
})

test('workers that claim concurrently get each queue once between them', async () => {
  const names = Array.from({ length: 10 }, (_, index) => `https://example.com/${index}`)
  for (const url of names) await register(server, company, url)
  // Far ahead of the server's clock, so that its own worker leaves these queues alone.
  const later = new Date(server.clock.now().getTime() + 30 * DAY_MS)
  await server.db.run(sql`update delivery_queue set due_at = ${later} where company_id = ${company.id}`)
  const leaseUntil = new Date(later.getTime() + 30_000)
  const claims = await Promise.all(
    Array.from({ length: 8 }, () => claimQueues(server.db, later, leaseUntil, randomUUID(), false)),
  )
  const mine = claims.flat().filter((queue) => queue.company_id === company.id)
  expect(mine).toHaveLength(10)
  expect(new Set(mine.map((queue) => queue.endpoint_id)).size).toBe(10)
})

describe('a lease', () => {
  /** A queue with one due delivery, far ahead of the server's clock, so that the server's own worker leaves it alone. */
  async function prepare(): Promise<{ queue: QueueKey; eventId: string; later: Date; leaseUntil: Date }> {
    const { id } = await register(server, company, receiver.url)
    const later = new Date(server.clock.now().getTime() + 30 * DAY_MS)
    await server.db.run(sql`
      select emit_event(${company.id}, 'sandbox', 'card.updated', ${randomUUID()}, '{"id": "card_x"}', ${later})`)
    const row = await server.db.find<{ event_id: string }>(
      sql`select event_id from delivery where company_id = ${company.id}`,
    )
    const queue = { company_id: company.id, environment: 'sandbox' as const, endpoint_id: findId('we', id) ?? '' }
    return { queue, eventId: row?.event_id ?? '', later, leaseUntil: new Date(later.getTime() + 30_000) }
  }
  /** A claim takes some of the queues that are ready, at random, so it is repeated until it takes this one. */
  const claim = (queue: QueueKey, at: Date, leaseUntil: Date, worker: string) =>
    until(async () => {
      const claimed = await claimQueues(server.db, at, leaseUntil, worker, false)
      return claimed.some(({ endpoint_id }) => endpoint_id === queue.endpoint_id) ? true : undefined
    })
  const failedAttempt = (eventId: string, number: number, at: Date): AttemptRecord => ({
    event_id: eventId,
    id: randomUUID(),
    number,
    resend_count: 0,
    status: 'pending',
    status_code: 500,
    error: null,
    latency_ms: 1,
    response: null,
    started_at: at,
    due_at: new Date(at.getTime() + number * HOUR_MS),
  })
  const stateOf = (eventId: string) =>
    server.db.find(sql`
      select d.status, d.attempt_count, q.worker_id, q.failures, q.not_before,
             (select count(*)::int from webhook_attempt a where a.company_id = ${company.id}) as attempts
      from delivery d
      join delivery_queue q on q.company_id = d.company_id and q.environment = d.environment and q.endpoint_id = d.endpoint_id
      where d.company_id = ${company.id} and d.event_id = ${eventId}`)

  test('that was lost stops its worker from taking or recording anything, and the new worker keeps the queue', async () => {
    const { queue, eventId, later, leaseUntil } = await prepare()
    const [first, second] = [randomUUID(), randomUUID()]
    await claim(queue, later, leaseUntil, first)
    const afterLease = new Date(leaseUntil.getTime() + 1)
    const secondLease = new Date(afterLease.getTime() + 30_000)
    await claim(queue, afterLease, secondLease, second)
    const take = (worker: string) => takeDeliveries(server.db, afterLease, worker, [{ queue, size: 16 }])
    expect(await take(first)).toEqual([])
    expect(await take(second)).toMatchObject([{ id: eventId }])
    const round = {
      queue,
      attempts: [failedAttempt(eventId, 1, later)],
      until: later,
      hasSucceeded: false,
      failures: 1,
    }
    await recordAttempts(server.db, afterLease, first, new Date(0), [round])
    expect(await stateOf(eventId)).toEqual({
      status: 'pending',
      attempt_count: 0,
      worker_id: second,
      failures: 0,
      not_before: secondLease,
      attempts: 0,
    })
    await recordAttempts(server.db, afterLease, second, new Date(0), [round])
    expect(await stateOf(eventId)).toMatchObject({ attempt_count: 1, worker_id: null, failures: 1, attempts: 1 })
  })

  test('an attempt that is recorded again does not decrease the count of attempts', async () => {
    const { queue, eventId, later, leaseUntil } = await prepare()
    const worker = randomUUID()
    await claim(queue, later, leaseUntil, worker)
    const [one, two] = [failedAttempt(eventId, 1, later), failedAttempt(eventId, 2, later)]
    for (const attempts of [[one], [two], [one]]) {
      const round = { queue, attempts, until: null, hasSucceeded: false, failures: 1 }
      await recordAttempts(server.db, later, worker, new Date(0), [round])
    }
    expect(await stateOf(eventId)).toMatchObject({ attempt_count: 2, attempts: 2 })
    const row = await server.db.find<{ due_at: Date }>(sql`select due_at from delivery where event_id = ${eventId}`)
    expect(row?.due_at).toEqual(two.due_at)
  })

  test('a worker that would send too late after its claim sends nothing and returns the queue', async () => {
    const { queue, eventId, later, leaseUntil } = await prepare()
    const clock = { now: () => later }
    const agent = await createAgent({ allowPrivateAddresses: true, ownHosts: [], resolve: async () => [] })
    const deps = {
      db: server.db,
      clock,
      log: createLog({ level: 'silent' }),
      openAgent: async () => agent,
      secretBox: createWebhookBox({ secretKey: Buffer.alloc(32, 7) }),
      showOperation: () => ({}),
      slots: createDeliverySlots(),
    }
    const worker = createDeliveryWorker(deps, 10)
    await claim(queue, later, leaseUntil, worker.id)
    await serveQueue(deps, worker, { key: queue, failures: 0, claimedAtMs: performance.now() - 10_001 })
    expect(receiver.arrivals).toHaveLength(0)
    expect(await stateOf(eventId)).toMatchObject({ attempt_count: 0, worker_id: null, not_before: later })
    await claim(queue, later, leaseUntil, worker.id)
    await serveQueue(deps, worker, { key: queue, failures: 0, claimedAtMs: performance.now() })
    expect(receiver.arrivals).toHaveLength(1)
    await agent.close()
  })
})

describe('slots', () => {
  const queueOf = (company_id: string, endpoint_id: string): QueueKey => ({
    company_id,
    environment: 'sandbox',
    endpoint_id,
  })

  test('one company cannot use them all, and each of its endpoints has at least one', () => {
    const slots = createDeliverySlots({ inFlightMax: 6, companyMax: 3 })
    expect([1, 2, 3, 4].map(() => slots.tryTake(queueOf('a', 'a1')))).toEqual([true, true, true, false])
    expect([1, 2].map(() => slots.tryTake(queueOf('a', 'a2')))).toEqual([true, false])
    expect([1, 2, 3].map(() => slots.tryTake(queueOf('b', 'b1')))).toEqual([true, true, false])
    slots.release(queueOf('a', 'a1'))
    expect(slots.tryTake(queueOf('b', 'b1'))).toBe(true)
  })
})
