// POST /sandbox/funding and GET /balance.
import { describe, expect, it } from 'vitest'
import type { TestCompany } from '../../support/harness.ts'
import { balanceOf, createCustomer, expectRefused, issueBody, perform } from '../../support/operations.ts'
import { startServer } from './server.ts'

const server = await startServer()

const fund = (company: TestCompany, body: unknown, key?: string) =>
  server.post('/api/v1/sandbox/funding', company.key, body, key)
/** The largest balance that an account can have. */
const BALANCE_MAX = '100000000000.00'

describe('POST /sandbox/funding', () => {
  it.each(['0.01', '1', '10.5', '9999999999.99'])('credits %s and answers 200 {}', async (amount) => {
    const company = await server.createCompany()
    const answer = await fund(company, { amount })
    expect([answer.status, answer.text]).toEqual([200, '{}'])
    const [whole = '', decimals = ''] = amount.split('.')
    const available = `${whole}.${decimals.padEnd(2, '0')}`
    expect(await balanceOf(server, company)).toEqual({
      available,
      held: '0.00',
      total: available,
      currency: 'USD',
      environment: 'sandbox',
    })
  })
  it('writes one deposit entry and no fee', async () => {
    const company = await server.createCompany()
    await fund(company, { amount: '25.00' })
    const entries = await server.db.many({
      name: undefined,
      text: 'select kind, available_delta, held_delta, balance, held from entry where company_id = $1',
      values: [company.id],
    })
    expect(entries).toEqual([{ kind: 'deposit', available_delta: 2500n, held_delta: 0n, balance: 2500n, held: 0n }])
  })
  it.each(['0', '0.0', '0.00'])('answers 400 to %s', async (amount) => {
    const company = await server.createCompany()
    expectRefused(await fund(company, { amount }), 'amount_below_minimum')
    expect((await balanceOf(server, company)).total).toBe('0.00')
  })
  it.each([{}, { amount: 10 }, { amount: '-1' }, { amount: '1.001' }, { amount: '1', currency: 'USD' }, []])(
    'answers 400 to the body %j',
    async (body) => {
      expectRefused(await fund(await server.createCompany(), body), 'validation_failed')
    },
  )
  it('credits once per key: a repeat is replayed, and another amount is a conflict', async () => {
    const company = await server.createCompany()
    expect((await fund(company, { amount: '10.00' }, 'k')).headers.get('idempotent-replayed')).toBeNull()
    const again = await fund(company, { amount: '10.00' }, 'k')
    expect([again.status, again.text, again.headers.get('idempotent-replayed')]).toEqual([200, '{}', 'true'])
    for (const amount of ['10', '10.01', BALANCE_MAX.slice(0, 10)]) {
      const { details } = expectRefused(await fund(company, { amount }, 'k'), 'idempotency_conflict')
      expect(details).toEqual({ originalId: expect.stringMatching(/^fund_[0-9a-f]{32}$/) })
    }
    expect((await balanceOf(server, company)).available).toBe('10.00')
  })
  it('twenty concurrent requests with one key credit once', async () => {
    const company = await server.createCompany()
    const answers = await Promise.all(Array.from({ length: 20 }, () => fund(company, { amount: '5.00' }, 'once')))
    expect(answers.every(({ status, text }) => status === 200 && text === '{}')).toBe(true)
    expect(answers.filter(({ headers }) => headers.get('idempotent-replayed') === 'true')).toHaveLength(19)
    expect((await balanceOf(server, company)).available).toBe('5.00')
  })
  it('answers 400 above the maximum balance, including held funds, and does not consume the key', async () => {
    const customer = await createCustomer(server, { funds: '13.02' })
    await perform(server, customer, issueBody(customer, { name: 'unknown' }))
    for (let index = 0; index < 9; index += 1) await fund(customer, { amount: '9999999999.99' })
    expectRefused(await fund(customer, { amount: '9999999999.99' }, 'k'), 'balance_limit_exceeded')
    expect((await fund(customer, { amount: '9999999987.07' }, 'k')).status).toBe(200)
    expect((await balanceOf(server, customer)).total).toBe(BALANCE_MAX)
    expectRefused(await fund(customer, { amount: '0.01' }), 'balance_limit_exceeded')
  })
})

describe('GET /balance', () => {
  it('is zero for a new company in each environment', async () => {
    const company = await server.createCompany()
    const live = await server.createKey(company.id, { environment: 'live' })
    const zero = { available: '0.00', held: '0.00', total: '0.00', currency: 'USD' }
    expect(await balanceOf(server, company)).toEqual({ ...zero, environment: 'sandbox' })
    await fund(company, { amount: '1.00' })
    expect(await balanceOf(server, { key: live })).toEqual({ ...zero, environment: 'live' })
  })
  it('answers 400 to a query parameter', async () => {
    const company = await server.createCompany()
    expectRefused(await server.get('/api/v1/balance?currency=USD', company.key), 'validation_failed')
  })
})
