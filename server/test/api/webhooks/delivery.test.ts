// Deliveries to real receivers on loopback: signatures, retries, disabling, recovery. The test controls the clock.
import type { ServerResponse } from 'node:http'
import { Webhook } from 'standardwebhooks'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { sql } from '../../../src/db/sql.ts'
import { ATTEMPT_DELAYS_MS } from '../../../src/webhooks/schedule.ts'
import { expectError } from '../expect-error.ts'
import { type TestCompany, TestServer } from '../../support/harness.ts'
import {
  type Attempt,
  attemptsOf,
  emit,
  ENDPOINTS,
  getEndpoint,
  isDue,
  isServiceSignature,
  register,
  waitForAttempts,
  waitingOf,
} from '../../support/webhooks.ts'
import { type Arrival, type Receiver, until } from '../../support/receiver.ts'
import { prepareReceivers, startServer } from './server.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

const server = await startServer()
// The independent verifier uses the real clock.
server.clock.set(new Date().toISOString())
const listen = prepareReceivers()
let company: TestCompany
let receiver: Receiver
beforeEach(async () => {
  company = await server.createCompany()
  receiver = await listen()
})

async function firstEventId(): Promise<string> {
  return (await receiver.wait(1))[0]?.event.id ?? ''
}

describe('the request', () => {
  test('is the event as GET shows it, with both signatures, accepted by the verifier of Standard Webhooks', async () => {
    server.clock.set(new Date().toISOString())
    const { secret } = await register(server, company, receiver.url)
    await emit(server, company)
    const [arrival] = (await receiver.wait(1)) as [Arrival]
    const { body } = await server.get(`/api/v1/events/${arrival.event.id}`, company.key)
    expect(arrival.event).toEqual(body)
    expect(Object.keys(arrival.event)).toEqual([
      'id',
      'type',
      'createdAt',
      'environment',
      'companyId',
      'version',
      'sequence',
      'data',
    ])
    expect(arrival.headers['content-type']).toBe('application/json')
    expect(arrival.headers['webhook-id']).toBe(arrival.event.id)
    const t = Math.floor(server.clock.now().getTime() / 1000)
    expect(arrival.headers['service-signature']).toMatch(new RegExp(`^t=${t},v1=[0-9a-f]{64}$`))
    expect(isServiceSignature(String(arrival.headers['service-signature']), secret, arrival.raw)).toBe(true)
    const altered = Buffer.from(arrival.raw.toString().replace('card.updated', 'card.created'))
    expect(isServiceSignature(String(arrival.headers['service-signature']), secret, altered)).toBe(false)
    const verifier = new Webhook(secret)
    const headers = arrival.headers as Record<string, string>
    expect(verifier.verify(arrival.raw.toString(), headers)).toEqual(body)
    expect(() => verifier.verify(altered.toString(), headers)).toThrow(/No matching signature/)
    for (const seconds of [-301, 301]) {
      vi.useFakeTimers({ now: (t + seconds) * 1000, toFake: ['Date'] })
      try {
        expect(() => verifier.verify(arrival.raw.toString(), headers)).toThrow(/too (old|new)/)
      } finally {
        vi.useRealTimers()
      }
    }
  })

  test('is signed by every secret during a rotation, and by the new one alone after it', async () => {
    const { id, secret: old } = await register(server, company, receiver.url)
    const rotated = await server.post<{ secret: string }>(`${ENDPOINTS}/${id}/rotate-secret`, company.key, {})
    expect(rotated.status).toBe(200)
    expect(rotated.body.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    await emit(server, company)
    const signature = String((await receiver.wait(1))[0]?.headers['service-signature'])
    const raw = receiver.arrivals[0]?.raw ?? Buffer.alloc(0)
    expect(signature.match(/v1=/g)).toHaveLength(2)
    expect(String(receiver.arrivals[0]?.headers['webhook-signature']).split(' ')).toHaveLength(2)
    for (const secret of [old, rotated.body.secret]) expect(isServiceSignature(signature, secret, raw)).toBe(true)
    server.clock.advance(24 * HOUR_MS)
    await emit(server, company)
    const later = (await receiver.wait(2))[1] as Arrival
    expect(isServiceSignature(String(later.headers['service-signature']), old, later.raw)).toBe(false)
    expect(isServiceSignature(String(later.headers['service-signature']), rotated.body.secret, later.raw)).toBe(true)
    const at0 = await server.post<{ secret: string }>(`${ENDPOINTS}/${id}/rotate-secret`, company.key, {
      overlapSeconds: 0,
    })
    await emit(server, company)
    const last = (await receiver.wait(3))[2] as Arrival
    expect(String(last.headers['service-signature']).match(/v1=/g)).toHaveLength(1)
    expect(isServiceSignature(String(last.headers['service-signature']), at0.body.secret, last.raw)).toBe(true)
  })
})

describe('which events', () => {
  test('an endpoint gets the events it subscribed to, and an endpoint for all events gets all', async () => {
    const all = await listen()
    await register(server, company, receiver.url, ['card.created'])
    await register(server, company, all.url, ['*'])
    await emit(server, company, undefined, 'card.updated')
    await emit(server, company, undefined, 'card.created')
    await all.wait(2)
    await receiver.wait(1)
    expect(receiver.arrivals.map(({ event }) => event.type)).toEqual(['card.created'])
    expect(all.arrivals.map(({ event }) => event.type).toSorted()).toEqual(['card.created', 'card.updated'])
  })

  test('all events of operations are delivered end to end', async () => {
    await register(server, company, receiver.url)
    await server.post('/api/v1/sandbox/funding', company.key, { amount: '500.00' })
    const service = { type: 'service', amount: '49.00', productId: 'prod_service_vpn', recipient: 'me@example.com' }
    const answers = await Promise.all([1, 2, 3].map(() => server.post('/api/v1/operations', company.key, service)))
    await receiver.wait(9)
    for (const { body } of answers) {
      const mine = receiver.arrivals.filter(({ event }) => event.data['id'] === body['id']).map(({ event }) => event)
      expect(mine.toSorted((a, b) => a.sequence - b.sequence).map((event) => event.type)).toEqual([
        'operation.queued',
        'operation.processing',
        'operation.completed',
      ])
      expect(mine.find((event) => event.type === 'operation.queued')?.data).toEqual(body)
    }
    expect(new Set(receiver.arrivals.map(({ event }) => event.id)).size).toBe(9)
  })

  test("nothing goes to another company's or environment's endpoint", async () => {
    const other = await server.createCompany()
    await register(server, other, receiver.url)
    const mine = await listen()
    await register(server, company, mine.url)
    await emit(server, company)
    await mine.wait(1)
    await emit(server, other)
    await receiver.wait(1)
    expect(receiver.arrivals.map(({ event }) => event.companyId)).toEqual([other.wireId])
  })

  test('a company without endpoints has events and no deliveries', async () => {
    await emit(server, company)
    const rows = await server.db.many(sql`select 1 from delivery where company_id = ${company.id}`)
    expect(rows).toEqual([])
  })
})

describe('a failing receiver', () => {
  test('gets ten attempts of the same event on the schedule, then no more', async () => {
    receiver.answer = 500
    const { id } = await register(server, company, receiver.url)
    await emit(server, company)
    const eventId = await firstEventId()
    for (let number = 1; number < 10; number += 1) {
      await waitForAttempts(server, company, eventId, number)
      const delayMs = ATTEMPT_DELAYS_MS[number] ?? 0
      const [due] = await server.db.many<{ due_at: Date }>(
        sql`select due_at from delivery where company_id = ${company.id}`,
      )
      const waitMs = (due?.due_at.getTime() ?? 0) - server.clock.now().getTime()
      const shown = (await attemptsOf(server, company, eventId)).map(({ nextAttemptAt }) => nextAttemptAt)
      expect(shown).toEqual([...Array.from({ length: number - 1 }, () => null), due?.due_at.toISOString()])
      expect(waitMs).toBeGreaterThanOrEqual(delayMs * 0.9 - 1)
      expect(waitMs).toBeLessThanOrEqual(delayMs * 1.1 + 1)
      server.clock.advance(waitMs - 1)
      expect(await isDue(server, company)).toBe(false)
      expect(receiver.arrivals).toHaveLength(number)
      server.clock.advance(1)
      await receiver.wait(number + 1)
    }
    const attempts = await waitForAttempts(server, company, eventId, 10)
    expect(attempts.map((attempt) => attempt.number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    expect(attempts.at(-1)).toMatchObject({ nextAttemptAt: null })
    expect(attempts[0]).toMatchObject({
      endpointId: id,
      statusCode: 500,
      succeeded: false,
      response: 'thanks',
      error: null,
    })
    expect(new Set(receiver.arrivals.map(({ event }) => event.id))).toEqual(new Set([eventId]))
    expect(new Set(receiver.arrivals.map(({ raw }) => raw.toString())).size).toBe(1)
    expect(new Set(receiver.arrivals.map(({ headers }) => headers['service-signature'])).size).toBe(10)
    server.clock.advance(3 * DAY_MS)
    expect(await isDue(server, company)).toBe(false)
    expect(receiver.arrivals).toHaveLength(10)
    const [row] = await server.db.many<{ status: string }>(
      sql`select status from delivery where company_id = ${company.id}`,
    )
    expect(row?.status).toBe('failed')
  })

  test('has its next time at the attempt of that event and endpoint, and how long each attempt took', async () => {
    const startedMs = performance.now()
    const other = await listen()
    const failing = await register(server, company, receiver.url)
    const working = await register(server, company, other.url)
    await emit(server, company)
    const first = await firstEventId()
    await waitForAttempts(server, company, first, 2)
    receiver.answer = 500
    await emit(server, company)
    const second = (await receiver.wait(2))[1]?.event.id ?? ''
    await waitForAttempts(server, company, second, 2)
    const rows = await server.db.many<{ due_at: Date | null }>(sql`
      select due_at from delivery where company_id = ${company.id} and status = 'pending'`)
    expect(rows).toHaveLength(1)
    const next = rows[0]?.due_at?.toISOString()
    const shown = (attempts: readonly Attempt[]) =>
      attempts
        .map(({ endpointId, statusCode, nextAttemptAt }) => `${endpointId} ${statusCode} ${nextAttemptAt}`)
        .toSorted()
    const ofEndpoint = async ({ id }: { id: string }) =>
      shown((await server.get<{ data: Attempt[] }>(`${ENDPOINTS}/${id}/attempts`, company.key)).body.data)
    const good = `${failing.id} 200 null`
    const bad = `${failing.id} 500 ${next}`
    const fine = `${working.id} 200 null`
    expect(shown(await attemptsOf(server, company, first))).toEqual([good, fine].toSorted())
    expect(shown(await attemptsOf(server, company, second))).toEqual([bad, fine].toSorted())
    expect(await ofEndpoint(failing)).toEqual([good, bad])
    expect(await ofEndpoint(working)).toEqual([fine, fine])
    const latencies = (await attemptsOf(server, company, second)).map(({ latencyMs }) => latencyMs)
    expect(Math.max(...latencies)).toBeLessThanOrEqual(performance.now() - startedMs + 1)
  })

  test.each([
    [
      'redirects',
      (): Receiver['answer'] => (response) => void response.writeHead(307, { location: receiver.url }).end(),
      307,
      /redirect/,
    ],
    ['hangs up', (): Receiver['answer'] => (response) => void response.destroy(), null, /failed/],
  ])('that %s counts as failed and is tried again', async (_what, behave, statusCode, error) => {
    receiver.answer = behave()
    await register(server, company, receiver.url)
    await emit(server, company)
    const eventId = await firstEventId()
    const [attempt] = await waitForAttempts(server, company, eventId, 1)
    expect(attempt).toMatchObject({ statusCode, succeeded: false })
    expect(attempt?.error).toMatch(error)
    receiver.answer = 204
    server.clock.advance(6_000)
    const attempts = await waitForAttempts(server, company, eventId, 2)
    expect(attempts[1]).toMatchObject({ statusCode: 204, succeeded: true, error: null })
  })

  test.each([
    ['never answers', (): Receiver['answer'] => () => undefined],
    [
      'begins a good answer and never ends it',
      (): Receiver['answer'] => (response) => void response.writeHead(200).write('x'),
    ],
  ])('that %s counts as failed after the deadline', async (_what, behave) => {
    // Use a separate server, because with such a short deadline a busy machine may fail good deliveries too.
    const impatient = await TestServer.start({}, { webhookDeadlineMs: 1000 })
    const mine = await impatient.createCompany()
    receiver.answer = behave()
    await register(impatient, mine, receiver.url)
    await emit(impatient, mine)
    const { body } = await impatient.get<{ data: { id: string }[] }>('/api/v1/events', mine.key)
    const [attempt] = await waitForAttempts(impatient, mine, body.data[0]?.id ?? '', 1)
    expect(attempt).toMatchObject({ statusCode: null, succeeded: false })
    expect(attempt?.error).toMatch(/within 1 s/)
    await impatient.stop()
  })

  test('that nobody listens on is tried again', async () => {
    await receiver.close()
    await register(server, company, receiver.url)
    await emit(server, company)
    const [event] = (await server.get<{ data: { id: string }[] }>('/api/v1/events', company.key)).body.data
    const [attempt] = await waitForAttempts(server, company, event?.id ?? '', 1)
    expect(attempt).toMatchObject({ statusCode: null, error: 'the exchange failed (ECONNREFUSED)' })
  })

  test('that sends an endless answer is read up to 64 KB, and the first KB is kept', async () => {
    let written = 0
    receiver.answer = (response) => {
      response.writeHead(200)
      const more = (): void => {
        while (!response.destroyed && written < 50_000_000) {
          written += 16_384
          if (!response.write(Buffer.alloc(16_384, 'x'))) return void response.once('drain', more)
        }
      }
      more()
    }
    await register(server, company, receiver.url)
    await emit(server, company)
    const [attempt] = await waitForAttempts(server, company, await firstEventId(), 1)
    expect(attempt).toMatchObject({ statusCode: 200, succeeded: true, response: 'x'.repeat(1024) })
    expect(written).toBeLessThan(20_000_000)
  })

  test.each([429, 503])('that answers %i with Retry-After gets no request for that time', async (status) => {
    receiver.answer = (response) => void response.writeHead(status, { 'retry-after': '600' }).end()
    await register(server, company, receiver.url)
    await emit(server, company)
    await waitForAttempts(server, company, await firstEventId(), 1)
    await emit(server, company)
    server.clock.advance(599_000)
    expect(await isDue(server, company)).toBe(false)
    expect(receiver.arrivals).toHaveLength(1)
    receiver.answer = 200
    server.clock.advance(1_000)
    await receiver.wait(3)
  })

  test('that answers 410 is disabled, and the other endpoints get an event', async () => {
    receiver.answer = 410
    const other = await listen()
    const gone = await register(server, company, receiver.url)
    await register(server, company, other.url, ['webhook.disabled'])
    await emit(server, company)
    const [notice] = (await other.wait(1)) as [Arrival]
    const now = await getEndpoint(server, company, gone.id)
    expect(now).toMatchObject({ status: 'disabled', disabledReason: 'gone' })
    expect(notice.event).toMatchObject({ type: 'webhook.disabled', sequence: 1, data: now })
    expect(notice.event.data).not.toHaveProperty('secret')
    await emit(server, company)
    server.clock.advance(HOUR_MS)
    expect(await isDue(server, company)).toBe(false)
    expect(receiver.arrivals).toHaveLength(1)
  })

  test('that is disabled keeps no retry of another endpoint from being sent', async () => {
    const other = await listen()
    other.answer = 500
    await register(server, company, other.url, ['card.created'])
    await emit(server, company, undefined, 'card.created')
    const [failed] = (await other.wait(1)) as [Arrival]
    await waitForAttempts(server, company, failed.event.id, 1)
    receiver.answer = 410
    const gone = await register(server, company, receiver.url, ['card.updated'])
    await emit(server, company)
    await until(async () => (await getEndpoint(server, company, gone.id)).status === 'disabled' || undefined)
    server.clock.advance(6_000)
    const [, retried] = (await other.wait(2)) as [Arrival, Arrival]
    expect(retried.event.id).toBe(failed.event.id)
  })

  test('is disabled after five days with only failures, not before, and not if one delivery succeeded', async () => {
    receiver.answer = 500
    const other = await listen()
    const failing = await register(server, company, receiver.url, ['card.updated'])
    await register(server, company, other.url, ['webhook.disabled'])
    await emit(server, company)
    await waitForAttempts(server, company, await firstEventId(), 1)
    const since = (await getEndpoint(server, company, failing.id)).health.failingSince
    expect(since).toBe(server.clock.now().toISOString())
    server.clock.advance(5 * DAY_MS - 60_000)
    await receiver.wait(2)
    await until(async () => ((await getEndpoint(server, company, failing.id)).health.failures === 2 ? true : undefined))
    expect((await getEndpoint(server, company, failing.id)).status).toBe('enabled')
    server.clock.advance(DAY_MS)
    const [notice] = (await other.wait(1)) as [Arrival]
    expect(notice.event.data).toMatchObject({ id: failing.id, status: 'disabled', disabledReason: 'failures' })

    receiver.answer = 200
    const enabled = await server.request(`PATCH`, `${ENDPOINTS}/${failing.id}`, {
      token: company.key,
      body: { status: 'enabled' },
    })
    expect(enabled.body).toMatchObject({
      status: 'enabled',
      disabledReason: null,
      health: { failures: 0, failingSince: null },
    })
    // Waiting deliveries continue when they are due.
    server.clock.advance(HOUR_MS)
    await until(async () =>
      (await getEndpoint(server, company, failing.id)).health.lastSuccessAt === null ? undefined : true,
    )
  })

  test('gets one attempt at a time after five failures in a row, and everything once it works again', async () => {
    receiver.answer = 500
    await register(server, company, receiver.url)
    for (let i = 0; i < 40; i += 1) await emit(server, company)
    const untilFailed = (count: number) =>
      until(async () => {
        const [queue] = await server.db.many<{ failures: number; worker_id: string | null }>(
          sql`select failures, worker_id from delivery_queue where company_id = ${company.id}`,
        )
        return queue !== undefined && queue.failures >= count && queue.worker_id === null ? queue.failures : undefined
      })
    const failures = await untilFailed(5)
    const before = receiver.arrivals.length
    expect(before).toBeLessThanOrEqual(32)
    server.clock.advance(61_000)
    await untilFailed(failures + 1)
    expect(receiver.arrivals).toHaveLength(before + 1)
    expect(await isDue(server, company)).toBe(false)
    receiver.answer = 200
    server.clock.advance(61_000)
    await until(async () => {
      const [row] = await server.db.many<{ count: number }>(
        sql`select count(*)::int as count from delivery where company_id = ${company.id} and status = 'delivered'`,
      )
      return row?.count === 40 ? true : undefined
    })
  })
})

test('a receiver that hangs does not delay another', async () => {
  receiver.answer = () => undefined
  const healthy = await listen()
  await register(server, company, receiver.url)
  await register(server, company, healthy.url)
  for (let i = 0; i < 30; i += 1) await emit(server, company)
  await healthy.wait(30)
  const rows = await server.db.many(
    sql`select 1 from webhook_attempt where company_id = ${company.id} and status_code is null limit 31`,
  )
  expect(rows.length).toBeLessThan(30)
})

describe('on request', () => {
  test('a ping goes only to its endpoint, whatever that subscribed to', async () => {
    const other = await listen()
    await register(server, company, other.url)
    const { id } = await register(server, company, receiver.url, ['card.created'])
    const answer = await server.post<{ id: string; type: string }>(`${ENDPOINTS}/${id}/ping`, company.key)
    expect(answer.status).toBe(202)
    const [arrival] = (await receiver.wait(1)) as [Arrival]
    expect(arrival.event).toEqual(answer.body)
    expect(arrival.event).toMatchObject({ type: 'webhook.ping', data: { id } })
    await emit(server, company)
    await other.wait(1)
    expect(other.arrivals.map(({ event }) => event.type)).toEqual(['card.updated'])
  })

  test('an event is sent again, acknowledged or not, and to a single endpoint if requested', async () => {
    const other = await listen()
    const { id } = await register(server, company, receiver.url)
    await register(server, company, other.url)
    await emit(server, company)
    const eventId = await firstEventId()
    await waitForAttempts(server, company, eventId, 2)
    const all = await server.post(`/api/v1/events/${eventId}/resend`, company.key)
    expect([all.status, all.body]).toEqual([202, { deliveries: 2 }])
    await receiver.wait(2)
    await other.wait(2)
    await waitForAttempts(server, company, eventId, 4)
    const one = await server.post(`/api/v1/events/${eventId}/resend`, company.key, { endpointId: id })
    expect(one.body).toEqual({ deliveries: 1 })
    await receiver.wait(3)
    expect(receiver.arrivals.every(({ event }) => event.id === eventId)).toBe(true)
  })

  test('an event that is resent while an attempt is in flight is sent once more after it', async () => {
    const held: ServerResponse[] = []
    receiver.answer = (response) => void held.push(response)
    await register(server, company, receiver.url)
    await emit(server, company)
    const eventId = await firstEventId()
    const asked = await server.post(`/api/v1/events/${eventId}/resend`, company.key)
    expect([asked.status, asked.body]).toEqual([202, { deliveries: 1 }])
    receiver.answer = 200
    held[0]?.writeHead(200).end()
    await receiver.wait(2)
    const attempts = await waitForAttempts(server, company, eventId, 2)
    expect(attempts.map(({ succeeded }) => succeeded)).toEqual([true, true])
    await until(async () => ((await waitingOf(server, company)) === 0 ? true : undefined))
    expect(receiver.arrivals).toHaveLength(2)
  })

  test('a recovery sends what was missed while disabled, and nothing that was acknowledged', async () => {
    const { id } = await register(server, company, receiver.url)
    const patch = (status: string) =>
      server.request('PATCH', `${ENDPOINTS}/${id}`, { token: company.key, body: { status } })
    await emit(server, company)
    await waitForAttempts(server, company, await firstEventId(), 1)
    await patch('disabled')
    server.clock.advance(1000)
    const since = server.clock.now().toISOString()
    const missed = [await emit(server, company), await emit(server, company)]
    expectError(await server.post(`${ENDPOINTS}/${id}/recover`, company.key, {}), 'webhook_endpoint_disabled')
    expectError(await server.post(`${ENDPOINTS}/${id}/ping`, company.key), 'webhook_endpoint_disabled')
    await patch('enabled')
    const answer = await server.post(`${ENDPOINTS}/${id}/recover`, company.key, {})
    expect(answer.status).toBe(202)
    await receiver.wait(3)
    expect(
      receiver.arrivals
        .slice(1)
        .map(({ event }) => String(event.data['id']))
        .toSorted(),
    ).toEqual(missed.toSorted())
    const again = await server.post(`${ENDPOINTS}/${id}/recover`, company.key, { since })
    expect(again.body).toEqual({ since })
    expectError(
      await server.post(`${ENDPOINTS}/${id}/recover`, company.key, { since: 'yesterday' }),
      'validation_failed',
    )
    await emit(server, company)
    await receiver.wait(4)
    expect(receiver.arrivals).toHaveLength(4)
  })

  test('a recovery makes waiting retries due immediately and keeps their count of attempts', async () => {
    receiver.answer = 500
    const { id } = await register(server, company, receiver.url)
    await emit(server, company)
    const eventId = await firstEventId()
    await waitForAttempts(server, company, eventId, 1)
    server.clock.advance(6_000)
    await waitForAttempts(server, company, eventId, 2)
    receiver.answer = 200
    // The third attempt is due in five minutes. The clock does not move.
    expect((await server.post(`${ENDPOINTS}/${id}/recover`, company.key, {})).status).toBe(202)
    const attempts = await waitForAttempts(server, company, eventId, 3)
    expect(attempts[2]).toMatchObject({ number: 3, succeeded: true })
  })

  test('a recovery sends a ping to its own endpoint only, whatever that subscribed to', async () => {
    const other = await listen()
    const { id: otherId } = await register(server, company, other.url)
    receiver.answer = 500
    const { id } = await register(server, company, receiver.url, ['card.created'])
    const ping = await server.post<{ id: string }>(`${ENDPOINTS}/${id}/ping`, company.key)
    await waitForAttempts(server, company, ping.body.id, 1)
    receiver.answer = 200
    for (const each of [otherId, id]) await server.post(`${ENDPOINTS}/${each}/recover`, company.key, {})
    const attempts = await waitForAttempts(server, company, ping.body.id, 2)
    expect(attempts[1]).toMatchObject({ number: 2, succeeded: true })
    await until(async () => {
      const recovering = sql`select 1 from delivery_queue where company_id = ${company.id} and recover_after is not null`
      return (await server.db.run(recovering)) === 0 ? true : undefined
    })
    await emit(server, company)
    await other.wait(1)
    expect(other.arrivals.map(({ event }) => event.type)).toEqual(['card.updated'])
  })

  test('an event that waits for its retry is sent neither with the next ones nor before them, but at once when asked', async () => {
    receiver.answer = 500
    await register(server, company, receiver.url)
    const first = await emit(server, company)
    const eventId = await firstEventId()
    await waitForAttempts(server, company, eventId, 1)
    receiver.answer = 200
    // The clock does not move, so the retry is not due.
    const next: string[] = []
    for (let count = 2; count <= 4; count += 1) {
      next.push(await emit(server, company))
      const [arrival] = (await receiver.wait(count)).slice(-1) as [Arrival]
      await waitForAttempts(server, company, arrival.event.id, 1)
    }
    expect(receiver.arrivals.map(({ event }) => event.data['id'])).toEqual([first, ...next])
    expect((await server.post(`/api/v1/events/${eventId}/resend`, company.key)).status).toBe(202)
    await receiver.wait(5)
    expect(receiver.arrivals.at(-1)?.event.data['id']).toBe(first)
  })

  test('a recovery of more events than one step handles sends them all', async () => {
    const count = 2500
    // In steps, because on Citus each takes milliseconds, and a statement has fifteen seconds.
    for (let made = 0; made < count; made += 500) {
      await server.db.find(sql`
        select count(emit_event(${company.id}, 'sandbox', 'card.updated', gen_random_uuid(), '{}', ${server.clock.now()})) from generate_series(1, 500)`)
    }
    const { id } = await register(server, company, receiver.url)
    await server.post(`${ENDPOINTS}/${id}/recover`, company.key, { since: '2020-01-01' })
    await until(() => (receiver.arrivals.length >= count ? true : undefined))
    expect(new Set(receiver.arrivals.map(({ event }) => event.id)).size).toBe(count)
  })
})

test('a deleted endpoint gets nothing more, and its attempts stay in the log', async () => {
  const { id } = await register(server, company, receiver.url)
  await emit(server, company)
  const eventId = await firstEventId()
  await waitForAttempts(server, company, eventId, 1)
  const answer = await server.request('DELETE', `${ENDPOINTS}/${id}`, { token: company.key })
  expect(answer.status).toBe(204)
  expectError(await server.get(`${ENDPOINTS}/${id}`, company.key), 'not_found')
  await emit(server, company)
  expect(await attemptsOf(server, company, eventId)).toHaveLength(1)
  expect(await server.db.many(sql`select 1 from webhook_secret where company_id = ${company.id}`)).toEqual([])
})
