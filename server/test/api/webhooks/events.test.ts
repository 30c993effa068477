// Events are written with their objects, in sequence, and equal to what the API returned at that time.
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { EVENT_TYPES } from '../../../src/events/catalogue.ts'
import { sql } from '../../../src/db/sql.ts'
import { expectError } from '../expect-error.ts'
import { findDifferences } from '../../support/books.ts'
import type { TestCompany } from '../../support/harness.ts'
import { type Arrival, until } from '../../support/receiver.ts'
import { startServer } from './server.ts'

type Envelope = Arrival['event']
interface Page {
  data: Envelope[]
  nextCursor: string | null
}

const server = await startServer()

async function fundedCompany(): Promise<TestCompany & { holderId: string }> {
  const company = await server.createCompany()
  await server.post('/api/v1/sandbox/funding', company.key, { amount: '5000.00' })
  const holder = await server.post<{ id: string }>('/api/v1/holders', company.key, {
    name: 'Ada',
    email: 'ada@example.com',
    kind: 'individual',
  })
  return { ...company, holderId: holder.body.id }
}

const issue = (holderId: string, name = 'Card') => ({
  type: 'issue',
  amount: '25.00',
  productId: 'prod_card_virtual',
  holderId,
  name,
})

/** What GET shows and events do not have: names change, and an event never does. */
const NAMES = new Set(['holder', 'card', 'product', 'recipient', 'title', 'createdBy'])
const withoutNames = (body: object) => Object.fromEntries(Object.entries(body).filter(([name]) => !NAMES.has(name)))

const events = async (company: TestCompany, query = '') =>
  (await server.get<Page>(`/api/v1/events${query}`, company.key)).body

/** The events of one object, oldest first, once the last of them has come. */
function eventsOf(company: TestCompany, objectId: string, last: string): Promise<Envelope[]> {
  return until(async () => {
    const page = await events(company, '?limit=100')
    const mine = page.data.filter((event) => event.data['id'] === objectId).toReversed()
    return mine.some((event) => event.type === last) ? mine : undefined
  })
}

describe('an operation', () => {
  test.each([
    ['completes', 'Card', ['queued', 'processing', 'completed']],
    ['fails', 'fail', ['queued', 'processing', 'failed']],
    ['goes to review', 'unknown', ['queued', 'processing', 'manual_review']],
  ])('that %s has one event per status, numbered in steps of one', async (_what, name, statuses) => {
    const company = await fundedCompany()
    const created = await server.post<{ id: string }>('/api/v1/operations', company.key, issue(company.holderId, name))
    const last = `operation.${statuses.at(-1)}`
    const mine = await eventsOf(company, created.body.id, last)
    expect(mine.map((event) => event.type)).toEqual(statuses.map((status) => `operation.${status}`))
    expect(mine.map((event) => event.sequence)).toEqual([1, 2, 3])
    expect(mine[0]?.data).toEqual(created.body)
    const now = await server.get(`/api/v1/operations/${created.body.id}`, company.key)
    expect(mine[2]?.data).toEqual(withoutNames(now.body))
    expect(mine[2]).toMatchObject({
      environment: 'sandbox',
      companyId: company.wireId,
      version: '1.1.0',
      createdAt: server.clock.now().toISOString(),
    })
  })

  test('in every status has an event that equals what GET returned in that status', async () => {
    const company = await fundedCompany()
    const bodies = [
      issue(company.holderId),
      issue(company.holderId, 'fail'),
      issue(company.holderId, 'unknown'),
      issue(company.holderId, 'slow'),
      { type: 'service', amount: '49.00', productId: 'prod_service_vpn', recipient: 'me@example.com' },
      { type: 'service', amount: '10.66', productId: 'prod_service_mobile', recipient: '+15550100' },
    ]
    const seen = new Map<string, unknown>()
    const look = async (id: string) => {
      const { body } = await server.get<{ status: string }>(`/api/v1/operations/${id}`, company.key)
      seen.set(`${id} ${body.status}`, body)
      return body.status
    }
    const ids = await Promise.all(
      bodies.map(async (body) => {
        const created = await server.post<{ id: string; status: string }>('/api/v1/operations', company.key, body)
        seen.set(`${created.body.id} queued`, created.body)
        return created.body.id
      }),
    )
    await until(async () => {
      const statuses = await Promise.all(ids.map(look))
      return statuses.every((status) => ['completed', 'failed', 'manual_review'].includes(status)) ? true : undefined
    })
    const review = ids[2] ?? ''
    await server.post(`/api/v1/sandbox/reviews/${review}/resolve`, company.key, { outcome: 'completed' })
    await look(review)
    const shown = new Map(
      (await events(company, '?limit=100')).data.map((event) => [
        `${String(event.data['id'])} ${String(event.data['status'])}`,
        event.data,
      ]),
    )
    for (const [key, body] of seen) expect(shown.get(key), key).toEqual(withoutNames(body as object))
    expect((await eventsOf(company, review, 'operation.completed')).map((event) => event.sequence)).toEqual([
      1, 2, 3, 4,
    ])
  })

  test('accepted in a batch with others has its event too, and a refused or replayed request has none', async () => {
    const company = await fundedCompany()
    const key = randomUUID()
    const answers = await Promise.all([
      ...Array.from({ length: 20 }, () =>
        server.post<{ id: string }>('/api/v1/operations', company.key, issue(company.holderId)),
      ),
      server.post('/api/v1/operations', company.key, { ...issue(company.holderId), amount: '999999.00' }),
      server.post<{ id: string }>('/api/v1/operations', company.key, issue(company.holderId), key),
      server.post<{ id: string }>('/api/v1/operations', company.key, issue(company.holderId), key),
    ])
    const ids = new Set(answers.filter((answer) => answer.status === 201).map((answer) => answer.body['id']))
    expect(ids.size).toBe(21)
    const queued = (await events(company, '?type=operation.queued&limit=100')).data
    expect(new Set(queued.map((event) => event.data['id']))).toEqual(ids)
    expect(queued).toHaveLength(21)
  })
})

test('a completed issue also causes card.created, with the card as GET returns it', async () => {
  const company = await fundedCompany()
  const created = await server.post<{ id: string }>(
    '/api/v1/operations',
    company.key,
    issue(company.holderId, 'Täst "1"'),
  )
  const completed = (await eventsOf(company, created.body.id, 'operation.completed')).at(-1)
  const { cardId } = (completed?.data['result'] ?? { cardId: '' }) as { cardId: string }
  const [event] = await eventsOf(company, cardId, 'card.created')
  const card = await server.get(`/api/v1/cards/${cardId}`, company.key)
  expect(event).toMatchObject({ type: 'card.created', sequence: 1 })
  expect(event?.data).toEqual(withoutNames(card.body))
})

test("a card's events are numbered in steps of one, whichever function writes them", async () => {
  const company = await fundedCompany()
  const order = (body: object) => server.post<{ id: string }>('/api/v1/operations', company.key, body)
  const issued = await order(issue(company.holderId))
  const completed = (await eventsOf(company, issued.body.id, 'operation.completed')).at(-1)
  const { cardId } = (completed?.data['result'] ?? { cardId: '' }) as { cardId: string }
  const loaded = await Promise.all([1, 2].map(() => order({ type: 'topup', cardId, amount: '10.00' })))
  for (const { body } of loaded) await eventsOf(company, body.id, 'operation.completed')
  const payment = { cardId, type: 'purchase', amount: '1.00', currency: 'USD' }
  await server.post('/api/v1/sandbox/transactions', company.key, payment)
  await order({ type: 'topup', cardId, amount: '10.00' }).then(({ body }) =>
    eventsOf(company, body.id, 'operation.completed'),
  )
  const mine = (await events(company, '?limit=100')).data.filter((event) => event.data['id'] === cardId).toReversed()
  expect(mine.map(({ type, sequence }) => [type, sequence])).toEqual([
    ['card.created', 1],
    ...mine.slice(1).map((_, index) => ['card.updated', index + 2]),
  ])
  // Two top-ups in one batch load the card once.
  expect([3, 4]).toContain(mine.length - 1)
  expect(mine.at(-1)?.data['balance']).toBe('54.00')
})

// The first event of a card is card.created, which was written together with the card.
test.each([
  ['transaction.updated', 1],
  ['card.updated', 2],
])(
  'emit_event numbers the events of an object in steps of one under concurrency: %s from %i on',
  async (type, from) => {
    const company = await server.createCompany()
    const object = randomUUID()
    const emit = () =>
      server.db.find(sql`
      select emit_event(${company.id}, 'sandbox', ${type}, ${object}, '{"id": "x"}', ${server.clock.now()})`)
    await Promise.all(Array.from({ length: 20 }, emit))
    const { data } = await events(company, '?limit=100')
    expect(data.map((event) => event.sequence)).toEqual(Array.from({ length: 20 }, (_, i) => from + 19 - i))
  },
)

test('an event is rolled back with its transaction', async () => {
  const company = await server.createCompany()
  await expect(
    server.db.find(sql`
      with told as (select emit_event(${company.id}, 'sandbox', 'card.updated', ${randomUUID()}, '{"id": "x"}', ${server.clock.now()}) as void)
      select 1 / (length(void::text) * 0) from told`),
  ).rejects.toThrow('division by zero')
  expect((await events(company)).data).toEqual([])
})

describe('GET /events', () => {
  test('pages through all events once, newest first, while new ones are added', async () => {
    const company = await fundedCompany()
    for (let i = 0; i < 5; i += 1) await server.post('/api/v1/operations', company.key, issue(company.holderId))
    await until(async () => ((await events(company, '?type=card.created')).data.length === 5 ? true : undefined))
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const page: Page = await events(company, `?limit=7${cursor === null ? '' : `&cursor=${cursor}`}`)
      seen.push(...page.data.map((event) => event.id))
      cursor = page.nextCursor
      server.clock.advance(1)
      await server.post('/api/v1/operations', company.key, issue(company.holderId, 'fail'))
    } while (cursor !== null)
    expect(seen).toHaveLength(20)
    expect(new Set(seen).size).toBe(20)
    expect(seen).toEqual(seen.toSorted().toReversed())
  })

  test('filters by type and time, and refuses an unknown type', async () => {
    const company = await fundedCompany()
    await server.post('/api/v1/operations', company.key, issue(company.holderId))
    await until(async () => ((await events(company, '?type=card.created')).data.length === 1 ? true : undefined))
    expect((await events(company, '?type=operation.queued')).data).toHaveLength(1)
    expect((await events(company, '?from=2030-01-01')).data).toEqual([])
    expectError(await server.get('/api/v1/events?type=card.lost', company.key), 'validation_failed')
  })

  test('shows one event, and nothing of another company or environment', async () => {
    const company = await fundedCompany()
    const other = await server.createCompany()
    const live = await server.createKey(company.id, { environment: 'live' })
    await server.post('/api/v1/operations', company.key, issue(company.holderId))
    const [event] = await until(async () => {
      const { data } = await events(company)
      return data.length > 0 ? data : undefined
    })
    const path = `/api/v1/events/${event?.id}`
    expect((await server.get(path, company.key)).body).toEqual(event)
    for (const key of [other.key, live]) {
      expectError(await server.get(path, key), 'not_found')
      expectError(await server.get(`${path}/attempts`, key), 'not_found')
      expectError(await server.post(`${path}/resend`, key, {}), 'not_found')
      expect((await server.get<Page>('/api/v1/events', key)).body.data).toEqual([])
    }
    const reader = await server.createKey(company.id, { scopes: ['webhooks:read'] })
    expectError(await server.post(`${path}/resend`, reader, {}), 'scope_missing')
    const writer = await server.createKey(company.id, { scopes: ['webhooks:write'] })
    expectError(await server.get(path, writer), 'scope_missing')
  })
})

test('every type of the contract is known', () => {
  expect(EVENT_TYPES).toHaveLength(17)
})

test('after these tests the ledger has no differences', async () => {
  expect(await findDifferences(server.db)).toEqual([])
})
