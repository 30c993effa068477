// The typed calls: each goes to its own method and path, and lists can be awaited or iterated.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createAdminApi } from '../src/admin.ts'
import { createClient } from '../src/client.ts'
import { createCompanyApi } from '../src/company.ts'
import { type Listener, startListener } from './listener.ts'

let listener: Listener

beforeEach(async () => {
  listener = await startListener()
})
afterEach(() => listener.close())

const client = () => createClient({ baseUrl: listener.baseUrl, token: 'cstk_operator_x' })
const admin = () => createAdminApi(client())
const company = () => createCompanyApi(client())

async function collect<Item>(list: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = []
  for await (const item of list) items.push(item)
  return items
}

const holder = { name: 'Ada', email: 'ada@example.com', kind: 'individual' } as const

describe('every call has its own method, path and body', () => {
  const calls: [string, () => Promise<unknown>, unknown?][] = [
    [
      'POST /admin/v1/companies',
      () => admin().companies.create({ name: 'N', kind: 'corporate' }),
      { name: 'N', kind: 'corporate' },
    ],
    ['GET /admin/v1/companies', () => admin().companies.list()],
    ['GET /admin/v1/companies/co_1', () => admin().companies.get('co_1')],
    [
      'POST /admin/v1/companies/co_1/verification',
      () => admin().companies.decideVerification('co_1', { decision: 'approve' }),
      { decision: 'approve' },
    ],
    [
      'PATCH /admin/v1/companies/co_1/capabilities',
      () => admin().companies.changeCapabilities('co_1', { liveServices: true }),
      { liveServices: true },
    ],
    [
      'POST /admin/v1/companies/co_1/keys',
      () => admin().keys.create('co_1', { environment: 'live', name: 'k', scopes: ['cards:read'] }),
      { environment: 'live', name: 'k', scopes: ['cards:read'] },
    ],
    ['GET /admin/v1/companies/co_1/keys?limit=2', () => admin().keys.list('co_1', { limit: 2 })],
    [
      'POST /admin/v1/companies/co_1/keys/key_1/rotate',
      () => admin().keys.rotate('co_1', 'key_1', { overlapSeconds: 0 }),
      { overlapSeconds: 0 },
    ],
    ['DELETE /admin/v1/companies/co_1/keys/key_1', () => admin().keys.revoke('co_1', 'key_1')],
    [
      'POST /admin/v1/companies/co_1/holders',
      () => admin().holders.create('co_1', { environment: 'sandbox', ...holder }),
      { environment: 'sandbox', ...holder },
    ],
    [
      'PATCH /admin/v1/companies/co_1/holders/hld_1',
      () => admin().holders.setStatus('co_1', 'hld_1', { environment: 'live', status: 'blocked' }),
      { environment: 'live', status: 'blocked' },
    ],
    ['GET /admin/v1/audit-log?companyId=co_1', () => admin().auditLog.list({ companyId: 'co_1' })],
    ['GET /api/v1/products', () => company().products.list()],
    ['GET /api/v1/holders?limit=100&status=active', () => company().holders.list({ status: 'active' })],
    ['GET /api/v1/holders/hld_1', () => company().holders.get('hld_1')],
    ['POST /api/v1/holders', () => company().holders.create(holder), holder],
    ['GET /api/v1/cards?limit=5&holderId=hld_1', () => company().cards.list({ limit: 5, holderId: 'hld_1' })],
    ['GET /api/v1/cards/card_1', () => company().cards.get('card_1')],
  ]
  test.each(calls)('%s', async (expected, call, body) => {
    listener.reply = () => ({ body: { data: [] } })
    await call()
    const [asked] = listener.asked
    expect(`${asked?.method} ${asked?.url}`).toBe(expected)
    expect(asked?.body).toEqual(body)
  })
})

describe('creating a holder', () => {
  test('a new idempotency key is made for each call, and a given one is used', async () => {
    await company().holders.create(holder)
    await company().holders.create(holder)
    await company().holders.create(holder, { idempotencyKey: 'mine' })
    const keys = listener.asked.map((asked) => asked.headers['idempotency-key'])
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/)
    expect(keys[1]).toMatch(/^[0-9a-f-]{36}$/)
    expect(keys[1]).not.toBe(keys[0])
    expect(keys[2]).toBe('mine')
  })
})

describe('ids', () => {
  test('a strange id stays one segment of the path', async () => {
    await admin().companies.get('a/../b?c#d')
    expect(listener.asked[0]?.url).toBe('/admin/v1/companies/a%2F..%2Fb%3Fc%23d')
  })

  test.each(['', '.', '..'])('the id %j is refused before anything is sent', (id) => {
    expect(() => admin().keys.revoke('co_1', id)).toThrow(expect.objectContaining({ code: 'invalid_argument' }))
    expect(listener.asked).toHaveLength(0)
  })
})

describe('lists', () => {
  const pages: Record<string, unknown> = {
    '/api/v1/cards?limit=2': { data: [{ id: 'a' }, { id: 'b' }], nextCursor: 'c1' },
    '/api/v1/cards?limit=2&cursor=c1': { data: [{ id: 'c' }], nextCursor: null },
  }

  test('awaited, a list is one page', async () => {
    listener.reply = ({ url }) => ({ body: pages[url] })
    const page = await company().cards.list({ limit: 2 })
    expect(page).toEqual({ data: [{ id: 'a' }, { id: 'b' }], nextCursor: 'c1' })
    expect(listener.asked).toHaveLength(1)
  })

  test('iterated, it is every item, and each page is asked for once', async () => {
    listener.reply = ({ url }) => ({ body: pages[url] })
    const cards = await collect(company().cards.list({ limit: 2 }))
    expect(cards.map((card) => card.id)).toEqual(['a', 'b', 'c'])
    expect(listener.asked).toHaveLength(2)
  })

  test('leaving the loop early asks for no further page', async () => {
    listener.reply = ({ url }) => ({ body: pages[url] })
    for await (const card of company().cards.list({ limit: 2 })) if (card.id === 'b') break
    expect(listener.asked).toHaveLength(1)
  })

  test('a server whose cursor does not advance cannot hold the caller for ever', async () => {
    listener.reply = () => ({ body: { data: [], nextCursor: 'same' } })
    await expect(collect(company().cards.list())).rejects.toMatchObject({ code: 'unexpected_answer' })
    expect(listener.asked).toHaveLength(2)
  })

  test('products come without a cursor and end there', async () => {
    listener.reply = () => ({ body: { data: [{ id: 'p' }] } })
    expect(await company().products.list()).toEqual({ data: [{ id: 'p' }], nextCursor: null })
  })
})
