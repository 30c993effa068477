// One key gives one operation and one answer, whatever happened since.
import { beforeAll, describe, expect, it } from 'vitest'
import type { TestAnswer } from '../../support/harness.ts'
import {
  balanceOf,
  createCustomer,
  createHolder,
  type Customer,
  ESIM,
  expectRefused,
  fund,
  issueBody,
  type OperationBody,
  send,
  serviceBody,
  untilFinal,
} from '../../support/operations.ts'
import { startServer } from './server.ts'

const server = await startServer()
let customer: Customer

beforeAll(async () => {
  customer = await createCustomer(server)
})

let count = 0
const nextKey = () => `key-${(count += 1)}`

function expectReplay(answer: TestAnswer<OperationBody>, first: TestAnswer<OperationBody>): void {
  expect(answer.status, answer.text).toBe(201)
  expect(answer.text).toBe(first.text)
  expect(answer.headers.get('location')).toBe(first.headers.get('location'))
  expect(answer.headers.get('idempotent-replayed')).toBe('true')
}

describe('the key itself', () => {
  it('is required', async () => {
    for (const headers of [{}, { 'idempotency-key': '' }]) {
      const answer = await server.request('POST', '/api/v1/operations', {
        token: customer.key,
        body: issueBody(customer),
        headers,
      })
      expectRefused(answer, 'idempotency_key_missing')
    }
  })
  it.each(['k', 'k'.repeat(128), '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'])('may be %s', async (key) => {
    expect((await send(server, customer, serviceBody(), key)).status).toBe(201)
  })
  it.each(['k'.repeat(129), 'two words', 'schlüssel', 'tab\tin'])('may not be %j', async (key) => {
    expectRefused(await send(server, customer, serviceBody(), key), 'idempotency_key_invalid')
  })
  it('is case-sensitive', async () => {
    const lower = await send(server, customer, serviceBody(), 'case')
    const upper = await send(server, customer, serviceBody(), 'CASE')
    expect(upper.status).toBe(201)
    expect(upper.body.id).not.toBe(lower.body.id)
  })
})

describe('the same key and the same payload get the same answer byte for byte', () => {
  it('immediately', async () => {
    const key = nextKey()
    const first = await send(server, customer, issueBody(customer), key)
    expectReplay(await send(server, customer, issueBody(customer), key), first)
  })
  it.each([
    ['completion', {}, 'completed'],
    ['failure', { name: 'fail' }, 'failed'],
    ['it went into review', { name: 'unknown' }, 'manual_review'],
  ])('after %s', async (_name, more, status) => {
    const key = nextKey()
    const body = issueBody(customer, more)
    const first = await send(server, customer, body, key)
    expect((await untilFinal(server, customer, first.body.id)).status).toBe(status)
    server.clock.advance(86_400_000)
    expectReplay(await send(server, customer, body, key), first)
  })
  it('after the funds are spent', async () => {
    const poor = await createCustomer(server, { funds: '13.02' })
    const first = await send(server, poor, issueBody(poor), 'only')
    expectRefused(await send(server, poor, issueBody(poor), 'another'), 'insufficient_funds')
    expectReplay(await send(server, poor, issueBody(poor), 'only'), first)
  })
  it('after the holder was blocked', async () => {
    const key = nextKey()
    const body = issueBody(customer, { holderId: await createHolder(server, customer) })
    const first = await send(server, customer, body, key)
    await server.db.run({
      name: undefined,
      text: "update holder set status = 'blocked' where company_id = $1 and id = $2",
      values: [customer.id, body.holderId.slice(4)],
    })
    expectReplay(await send(server, customer, body, key), first)
    expectRefused(await send(server, customer, body, nextKey()), 'holder_not_active')
  })
  it('after the price has changed, with and without an expected total, and after the product is retired', async () => {
    const plain = serviceBody()
    const expecting = serviceBody({ expectedTotal: '10.60' })
    const firsts = [await send(server, customer, plain, 'plain'), await send(server, customer, expecting, 'expecting')]
    const change = async (path: string, body?: object) => {
      const answer = await server.post(`/admin/v1/products/${ESIM}/${path}`, server.operatorToken, body)
      expect([200, 201], answer.text).toContain(answer.status)
    }

    await change('prices', { operationType: 'service', pricing: { flatFee: '50.00', rate: '0.01' } })
    expectReplay(await send(server, customer, plain, 'plain'), firsts[0] as TestAnswer<OperationBody>)
    expectReplay(await send(server, customer, expecting, 'expecting'), firsts[1] as TestAnswer<OperationBody>)
    const { details } = expectRefused(await send(server, customer, expecting, 'new'), 'quote_changed')
    expect(details).toEqual({ amount: '10.00', fee: '50.10', total: '60.10' })

    await change('retire')
    expectReplay(await send(server, customer, plain, 'plain'), firsts[0] as TestAnswer<OperationBody>)
    expectRefused(await send(server, customer, serviceBody({ amount: '11.00' }), 'plain'), 'idempotency_conflict')
    expectRefused(await send(server, customer, plain, 'new'), 'product_retired')
  })
  it('whatever the order of its fields and its white space', async () => {
    const key = nextKey()
    const first = await send(server, customer, issueBody(customer, { name: 'x', expectedTotal: '13.02' }), key)
    const reordered = `{ "name" : "x",\n\t"amount":"10.00", "holderId":"${customer.holderId}",
      "expectedTotal":"13.02","productId":"prod_card_virtual","type":"iss\\u0075e" }`
    expectReplay(await send(server, customer, reordered, key), first)
  })
})

describe('the same key and another payload answer 409 with the id of the first operation', () => {
  it.each<[string, Record<string, unknown>]>([
    ['another amount', { amount: '10.01' }],
    ['the same amount written otherwise', { amount: '10' }],
    ['one field more', { expectedTotal: '13.02' }],
    ['another label', { name: 'other' }],
    ['another product', { productId: 'prod_card_advertising' }],
    ['a product that does not exist', { productId: 'prod_nothing' }],
    ['an amount that is not allowed', { amount: '1.00' }],
    ['a holder that does not exist', { holderId: 'hld_00000000000000000000000000000000' }],
    ['more than there are funds for', { amount: '99999.00' }],
  ])('%s', async (_name, more) => {
    const key = nextKey()
    const first = await send(server, customer, issueBody(customer), key)
    const before = await balanceOf(server, customer)
    const refusal = expectRefused(await send(server, customer, issueBody(customer, more), key), 'idempotency_conflict')
    expect(refusal.details).toEqual({ originalId: first.body.id })
    const after = await balanceOf(server, customer)
    expect(Number(after.total)).toBeLessThanOrEqual(Number(before.total))
    expectReplay(await send(server, customer, issueBody(customer), key), first)
  })
})

describe('a refused request does not consume the key', () => {
  it('so that the corrected request can use it', async () => {
    const poor = await createCustomer(server, { funds: '5.00' })
    expectRefused(await send(server, poor, { type: 'issue' }, 'k'), 'validation_failed')
    expectRefused(await send(server, poor, issueBody(poor, { amount: '1' }), 'k'), 'amount_below_minimum')
    expectRefused(await send(server, poor, issueBody(poor, { holderId: customer.holderId }), 'k'), 'not_found')
    expectRefused(await send(server, poor, issueBody(poor, { expectedTotal: '1' }), 'k'), 'quote_changed')
    expectRefused(await send(server, poor, issueBody(poor), 'k'), 'insufficient_funds')
    await fund(server, poor, '8.02')
    const accepted = await send(server, poor, issueBody(poor), 'k')
    expect(accepted.status).toBe(201)
    expect(accepted.headers.get('idempotent-replayed')).toBeNull()
  })
})

describe('the scope of a key', () => {
  it('is the company', async () => {
    const other = await createCustomer(server)
    const mine = await send(server, customer, serviceBody({ productId: 'prod_service_mobile' }), 'shared')
    const theirs = await send(
      server,
      other,
      serviceBody({ productId: 'prod_service_mobile', amount: '11.00' }),
      'shared',
    )
    expect([mine.status, theirs.status]).toEqual([201, 201])
    expect(theirs.body.id).not.toBe(mine.body.id)
  })
  it('is the endpoint', async () => {
    expect((await server.post('/api/v1/sandbox/funding', customer.key, { amount: '1.00' }, 'both')).status).toBe(200)
    const holder = { name: 'Ada', email: 'ada@example.com', kind: 'individual' }
    expect((await server.post('/api/v1/holders', customer.key, holder, 'both')).status).toBe(201)
    expect((await send(server, customer, issueBody(customer), 'both')).status).toBe(201)
  })
  it('is not the API key: another key of the company replays', async () => {
    const key = nextKey()
    const first = await send(server, customer, issueBody(customer), key)
    const second = { key: await server.createKey(customer.id) }
    expectReplay(await send(server, second, issueBody(customer), key), first)
  })
})

describe('concurrent requests', () => {
  it('with the same payload create one operation, and both return it', async () => {
    const answers = await Promise.all([1, 2].map(() => send(server, customer, issueBody(customer), 'twins')))
    expect(answers.map(({ status }) => status)).toEqual([201, 201])
    expect(answers[0]?.text).toBe(answers[1]?.text)
    expect(answers.filter(({ headers }) => headers.get('idempotent-replayed') === 'true')).toHaveLength(1)
  })
  it('with two payloads and one key create one operation and one conflict with its id', async () => {
    const answers = await Promise.all(
      ['10.00', '10.01'].map((amount) => send(server, customer, issueBody(customer, { amount }), 'rivals')),
    )
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409])
    const won = answers.find(({ status }) => status === 201)
    for (const answer of answers.filter(({ status }) => status === 409))
      expect(expectRefused(answer, 'idempotency_conflict').details).toEqual({ originalId: won?.body.id })
  })
})
