// GET /spend and GET /cards/totals: the sums are those of the payments that took money, for the own company and environment only. And the
// amount below which the balance is low.
import type { BalanceAlert, CardTotals, Spend } from '@cardstock/sdk'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dayOf } from '@cardstock/sdk/statements'
import { type TestCompany, TestServer } from '../../support/harness.ts'
import { fund, issueCard } from '../../books/steps.ts'
import { expectError } from '../expect-error.ts'

let server: TestServer
let company: TestCompany
const cards: string[] = []

beforeAll(async () => {
  server = await TestServer.start()
  company = await server.createCompany()
  await fund(server, company, '1000.00')
  for (const amount of ['100.00', '50.00']) cards.push((await issueCard(server, company, { amount })).id)
  const pay = async (card: number, body: object) => {
    const answer = await server.post('/api/v1/sandbox/transactions', company.key, { cardId: cards[card], ...body })
    expect(answer.status, answer.text).toBe(201)
  }
  await pay(0, { type: 'purchase', amount: '10.00', merchant: 'Corner Coffee', merchantCategory: '5814' })
  await pay(0, { type: 'refund', amount: '4.00', merchant: 'CORNER COFFEE', merchantCategory: '5812' })
  await pay(1, { type: 'purchase', amount: '20.00', merchant: 'Grand Hotel', status: 'pending' })
  await pay(1, { type: 'purchase', amount: '30.00', merchant: 'Grand Hotel', status: 'declined' })
  await pay(1, { type: 'purchase', amount: '900.00', merchant: 'Grand Hotel' })
  await pay(1, { type: 'adjustment', amount: '1.00' })
  await server.createCompany()
})
afterAll(() => server.stop())

const today = () => dayOf(server.clock.now())
const read = async (query: string) => {
  const { status, body, text } = await server.get<Spend>(
    `/api/v1/spend?from=${today()}&to=${today()}&${query}`,
    company.key,
  )
  expect(status, text).toBe(200)
  return body
}

test.each([
  [
    'merchant',
    [
      { count: 1, amount: '20.00', merchant: 'Grand Hotel' },
      { count: 2, amount: '6.00', merchant: 'CORNER COFFEE' },
    ],
  ],
  ['month', [{ count: 3, amount: '26.00' }]],
  [
    'card',
    [
      { count: 1, amount: '20.00', card: { last4: expect.any(String) as string } },
      { count: 2, amount: '6.00' },
    ],
  ],
  [
    'category',
    [
      { count: 1, amount: '20.00', category: { id: 'shopping', name: 'Shopping' } },
      // 5812 and 5814 belong to one group.
      { count: 2, amount: '6.00', category: { id: 'restaurants', name: 'Restaurants' } },
    ],
  ],
  ['holder', [{ amount: '20.00', holder: { name: 'Ada Holder' } }, { amount: '6.00' }]],
])('payments that took money are added up by %s, the largest first', async (by, data) => {
  const spend = await read(`by=${by}`)
  expect(spend).toMatchObject({ count: 3, amount: '26.00', currency: 'USD', others: null })
  expect(spend.data).toHaveLength(data.length)
  expect(spend.data).toMatchObject(data)
})

test('what the limit leaves out is added up, and days outside of the range do not count', async () => {
  const spend = await read('by=merchant&limit=1')
  expect(spend.data).toHaveLength(1)
  expect(spend.others).toEqual({ groups: 1, count: 2, amount: '6.00' })
  const { body } = await server.get<Spend>('/api/v1/spend?from=2020-01-01&to=2020-12-31&by=card', company.key)
  expect(body).toEqual({ count: 0, amount: '0.00', currency: 'USD', data: [], others: null })
})

test('another company and the other environment see nothing of it', async () => {
  const other = await server.createCompany()
  const { body } = await server.get<Spend>(`/api/v1/spend?from=${today()}&to=${today()}&by=card`, other.key)
  expect(body).toMatchObject({ count: 0, data: [] })
  expect((await server.get<CardTotals>('/api/v1/cards/totals', other.key)).body).toMatchObject({
    count: 0,
    balance: '0.00',
    data: [],
  })
})

test.each(['by=week', 'by=card&limit=0', 'by=card&limit=1001', ''])('%s is refused', async (query) => {
  const answer = await server.get(`/api/v1/spend?from=${today()}&to=${today()}&${query}`, company.key)
  expectError(answer, 'validation_failed')
})

test('more than 366 days are refused', async () => {
  const answer = await server.get('/api/v1/spend?from=2020-01-01&to=2021-12-31&by=card', company.key)
  expectError(answer, 'statement_range_too_large')
})

test('the money on cards is added up by status', async () => {
  const { body: before } = await server.get<CardTotals>('/api/v1/cards/totals', company.key)
  expect(before).toMatchObject({
    count: 2,
    currency: 'USD',
    data: [{ status: 'active', count: 2, balance: before.balance }],
  })
  const { body: list } = await server.get<{ data: { balance: string }[] }>('/api/v1/cards', company.key)
  const sum = list.data.reduce((cents, { balance }) => cents + BigInt(balance.replace('.', '')), 0n)
  expect(before.balance.replace('.', '')).toBe(String(sum))
})

test('the balance is low below the amount that the company has set, in that environment only', async () => {
  const path = '/api/v1/balance/alert'
  expect((await server.get<BalanceAlert>(path, company.key)).body).toEqual({ threshold: null, isLow: false })
  const { body: balance } = await server.get<{ available: string }>('/api/v1/balance', company.key)
  const set = (threshold: string | null) => server.request('PATCH', path, { token: company.key, body: { threshold } })
  expect((await set('1000000.00')).body).toEqual({ threshold: '1000000.00', isLow: true })
  expect((await set(balance.available)).body).toEqual({ threshold: balance.available, isLow: false })
  expectError(await set('-5.00'), 'validation_failed')
  const other = await server.createCompany()
  expect((await server.get(path, other.key)).body).toEqual({ threshold: null, isLow: false })
  expect((await set(null)).body).toEqual({ threshold: null, isLow: false })
})
