// Lines of deliveries: long ones, ones whose receiver begins to fail, and several workers that want the same.
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '../../src/db/sql.ts'
import { findId } from '../../src/lib/ids.ts'
import { claimLines } from '../../src/webhooks/queries.ts'
import { fund, issueCard } from '../books/steps.ts'
import { type TestCompany, TestServer } from '../support/harness.ts'
import { ENDPOINTS, getEndpoint, register, waitingOf } from './fixture.ts'
import { type Receiver, startReceiver, until } from './receiver.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

let server: TestServer
let company: TestCompany
let receiver: Receiver

beforeAll(async () => {
  server = await TestServer.start()
})
afterAll(() => server.stop())
beforeEach(async () => {
  company = await server.createCompany()
  receiver = await startReceiver()
})
afterEach(() => receiver.close())

async function emitMany(count: number): Promise<void> {
  await server.db.run(sql`
    select emit_event(${company.id}, 'sandbox', 'card.updated', gen_random_uuid(), '{"id": "card_x"}', ${server.clock.now()})
    from generate_series(1, ${count}::int)`)
}

describe('a long line', () => {
  test('arrives whole and in order of its taking, once each, never more than sixteen at a time', async () => {
    let underWay = 0
    let most = 0
    receiver.answer = (response) => {
      underWay += 1
      most = Math.max(most, underWay)
      setTimeout(() => {
        underWay -= 1
        response.writeHead(200).end()
      }, 2)
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

  test('whose receiver begins to fail in the middle loses a handful of attempts to it, not a whole round', async () => {
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

test('a payment with two events locks the lines in their order, whatever the order of its events', async () => {
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
  const lock = 'select 1 from webhook_line where company_id = $1 and endpoint_id = $2 for no key update nowait'
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
    const waiting = await server.db.many(
      sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return waiting.length > 0 ? true : undefined
  })
  // It holds nothing that somebody who locks in order could be waiting for.
  await other.query(lock, [company.id, findId('we', higher)])
  await other.query('commit')
  await other.end()
  expect((await paid).status).toBe(201)
  await receiver.wait(2)
})

test('workers that claim at once get every line once between them', async () => {
  const names = Array.from({ length: 10 }, (_, index) => `https://example.com/${index}`)
  for (const url of names) await register(server, company, url)
  // Far ahead of the server's clock, so that its own worker leaves these lines alone.
  const later = new Date(server.clock.now().getTime() + 30 * DAY_MS)
  await server.db.run(sql`update webhook_line set due_at = ${later} where company_id = ${company.id}`)
  const leaseUntil = new Date(later.getTime() + 30_000)
  const claims = await Promise.all(
    Array.from({ length: 8 }, () => claimLines(server.db, later, leaseUntil, randomUUID(), false)),
  )
  const mine = claims.flat().filter((line) => line.company_id === company.id)
  expect(mine).toHaveLength(10)
  expect(new Set(mine.map((line) => line.endpoint_id)).size).toBe(10)
})
