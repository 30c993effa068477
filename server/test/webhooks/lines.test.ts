// Lines of deliveries: long ones, ones whose receiver begins to fail, and several workers that want the same.
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '../../src/db/sql.ts'
import { claimLines } from '../../src/webhooks/queries.ts'
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
