// Reading one operation, and lists of operations.
import { beforeAll, describe, expect, it } from 'vitest'
import {
  accept,
  createCard,
  createCustomer,
  type Customer,
  expectRefused,
  issueBody,
  type OperationBody,
  send,
  serviceBody,
  topupBody,
  untilFinal,
} from '../../support/operations.ts'
import { startServer } from './server.ts'

interface Page {
  data: OperationBody[]
  nextCursor: string | null
}

const server = await startServer()
let customer: Customer
let other: Customer
let cardId: string
/** Newest first, as the list must give them. */
let all: OperationBody[]

beforeAll(async () => {
  customer = await createCustomer(server)
  other = await createCustomer(server)
  await accept(server, other, serviceBody())
  server.clock.set('2026-03-01T00:00:00.000Z')
  cardId = await createCard(server, customer)
  const bodies = [
    topupBody(cardId),
    serviceBody(),
    issueBody(customer, { name: 'fail' }),
    topupBody(cardId, { amount: '10.77' }),
    serviceBody({ recipient: 'unknown' }),
    topupBody(cardId, { amount: '20.00' }),
  ]
  for (const [index, body] of bodies.entries()) {
    server.clock.advance(12 * 3600_000)
    const answer = await send(server, customer, body, `list-${index}`)
    await untilFinal(server, customer, answer.body.id)
  }
  all = (await list('')).data
})

async function list(query: string, key = customer.key): Promise<Page> {
  const answer = await server.get<Page>(`/api/v1/operations${query}`, key)
  expect(answer.status, answer.text).toBe(200)
  return answer.body
}

describe('GET /operations', () => {
  it('returns the company’s own operations, newest first, and always a nextCursor', async () => {
    const page = await list('')
    expect(page.data).toHaveLength(7)
    expect(page.nextCursor).toBeNull()
    expect(page.data.map(({ createdAt }) => createdAt)).toEqual(
      page.data
        .map(({ createdAt }) => createdAt)
        .toSorted()
        .toReversed(),
    )
    expect(Object.keys(page)).toEqual(['data', 'nextCursor'])
  })
  it('returns each operation as GET by id does', async () => {
    for (const operation of all) {
      const answer = await server.get<OperationBody>(`/api/v1/operations/${operation.id}`, customer.key)
      expect(answer.body).toEqual(operation)
    }
  })
  it.each<[string, (operation: OperationBody) => boolean]>([
    ['type=issue', ({ type }) => type === 'issue'],
    ['type=topup', ({ type }) => type === 'topup'],
    ['type=service', ({ type }) => type === 'service'],
    ['status=completed', ({ status }) => status === 'completed'],
    ['status=failed', ({ status }) => status === 'failed'],
    ['status=manual_review', ({ status }) => status === 'manual_review'],
    ['status=queued', ({ status }) => status === 'queued'],
    ['type=topup&status=completed', ({ type, status }) => type === 'topup' && status === 'completed'],
    ['from=2026-03-02', ({ createdAt }) => createdAt >= '2026-03-02'],
    ['to=2026-03-02', ({ createdAt }) => createdAt < '2026-03-03'],
    ['from=2026-03-02&to=2026-03-02', ({ createdAt }) => createdAt.startsWith('2026-03-02')],
    [
      'from=2026-03-01T12:00:00Z&to=2026-03-02T00:00:00Z',
      ({ createdAt }) => createdAt >= '2026-03-01T12' && createdAt <= '2026-03-02T00:00:00.000Z',
    ],
    ['to=2026-03-01T11:59:59.999Z', ({ createdAt }) => createdAt < '2026-03-01T12'],
    [
      'from=2026-03-02T01:00:00%2B01:00&to=2026-03-02T00:00:00Z',
      ({ createdAt }) => createdAt === '2026-03-02T00:00:00.000Z',
    ],
    ['to=2020-01-01', () => false],
  ])('filters by %s', async (query, matches) => {
    expect((await list(`?${query}`)).data).toEqual(all.filter(matches))
  })
  it('filters by card: the issue that made it and its top-ups', async () => {
    const { data } = await list(`?cardId=${cardId}`)
    expect(data.map(({ type }) => type)).toEqual(['topup', 'topup', 'topup', 'issue'])
    expect((await list('?cardId=card_00000000000000000000000000000000')).data).toEqual([])
    expect((await list('?cardId=nonsense')).data).toEqual([])
    expect((await list(`?cardId=${cardId}`, other.key)).data).toEqual([])
  })
  it('finds the operation of a lost answer by its idempotency key', async () => {
    expect((await list('?idempotencyKey=list-1')).data).toEqual([all[4]])
    expect((await list('?idempotencyKey=never-used')).data).toEqual([])
  })
  it.each([
    'type=refund',
    'status=done',
    'status=',
    'from=yesterday',
    'from=2026-02-30',
    'to=2026-3-1',
    'from=2026-03-03&to=2026-03-02',
    'limit=0',
    'limit=101',
    'limit=x',
    'cursor=x',
    'page=2',
    'environment=live',
  ])('answers 400 to %s and names it', async (query) => {
    const { message } = expectRefused(
      await server.get(`/api/v1/operations?${query}`, customer.key),
      'validation_failed',
    )
    expect(message).toContain(`query.${query.split('=')[0]}`)
  })
})

describe('paging', () => {
  it.each([1, 2, 3, 6, 7, 100])('in pages of %i returns every operation once', async (limit) => {
    const seen: OperationBody[] = []
    let cursor: string | null = null
    do {
      const page: Page = await list(`?limit=${limit}${cursor === null ? '' : `&cursor=${cursor}`}`)
      expect(page.data.length).toBeLessThanOrEqual(limit)
      seen.push(...page.data)
      cursor = page.nextCursor
    } while (cursor !== null)
    expect(seen).toEqual(all)
  })
  it('works within a filter, and the cursor is bound to the filter, the list and the company', async () => {
    const first = await list('?type=topup&limit=1')
    const second = await list(`?type=topup&limit=2&cursor=${first.nextCursor}`)
    expect([...first.data, ...second.data]).toEqual(all.filter(({ type }) => type === 'topup'))
    for (const [path, key] of [
      [`/api/v1/operations?cursor=${first.nextCursor}`, customer.key],
      [`/api/v1/operations?type=issue&cursor=${first.nextCursor}`, customer.key],
      [`/api/v1/operations?type=topup&cursor=${first.nextCursor}`, other.key],
      [`/api/v1/cards?cursor=${first.nextCursor}`, customer.key],
    ] as const)
      expectRefused(await server.get(path, key), 'validation_failed')
  })
  it('neither repeats nor skips operations when others are added meanwhile, even in the same millisecond', async () => {
    const late = await createCustomer(server)
    const ids: string[] = []
    for (let index = 0; index < 5; index += 1) ids.unshift(await accept(server, late, serviceBody()))
    const first = await list('?limit=2', late.key)
    await accept(server, late, serviceBody())
    const second = await list(`?limit=100&cursor=${first.nextCursor}`, late.key)
    expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(ids)
  })
  it('combines a cursor with a time range', async () => {
    const first = await list('?to=2026-03-02&limit=2')
    const second = await list(`?to=2026-03-02&limit=2&cursor=${first.nextCursor}`)
    expect([...first.data, ...second.data]).toEqual(all.filter(({ createdAt }) => createdAt < '2026-03-03').slice(0, 4))
  })
})

describe('GET /operations/{id}', () => {
  it('answers the same 404 for a missing id, another company’s, another environment’s and a malformed id', async () => {
    const live = await server.createKey(customer.id, { environment: 'live' })
    const id = all[0]?.id ?? ''
    const answers = [
      await server.get(`/api/v1/operations/op_${'0'.repeat(32)}`, customer.key),
      await server.get(`/api/v1/operations/${id}`, other.key),
      await server.get(`/api/v1/operations/${id}`, live),
      await server.get(`/api/v1/operations/${id.toUpperCase()}`, customer.key),
      await server.get(`/api/v1/operations/${cardId}`, customer.key),
      await server.get('/api/v1/operations/nonsense', customer.key),
    ]
    const texts = answers.map((answer) => {
      const { requestId } = expectRefused(answer, 'not_found')
      return answer.text.replace(requestId, '')
    })
    expect(new Set(texts).size).toBe(1)
  })
  it('a live key gets 200 with an empty list', async () => {
    const live = await server.createKey(customer.id, { environment: 'live' })
    expect(await list('', live)).toEqual({ data: [], nextCursor: null })
  })
})
