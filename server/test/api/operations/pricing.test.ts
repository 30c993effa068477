// What an operation costs, to the cent, in the quote and in the ledger.
import { beforeAll, describe, expect, it } from 'vitest'
import {
  balanceOf,
  createCard,
  createCustomer,
  type Customer,
  expectRefused,
  issueBody,
  perform,
  send,
  serviceBody,
  topupBody,
  VPN,
} from '../../support/operations.ts'
import { startServer } from './server.ts'

const server = await startServer()
let customer: Customer
let cardId: string

beforeAll(async () => {
  customer = await createCustomer(server, { funds: '99999999.00' })
  cardId = await createCard(server, customer)
})

const bodyOf = (type: string, amount: string, productId?: string): Record<string, unknown> => {
  const more = { amount, ...(productId === undefined ? {} : { productId }) }
  if (type === 'issue') return issueBody(customer, more)
  return type === 'topup' ? topupBody(cardId, more) : serviceBody(more)
}
const quote = (body: unknown) => server.post('/api/v1/quotes', customer.key, body)

// Half a cent is rounded up, once per fee: 0.2 % of 12.50 is 2.5 cents, of 12.49 it is 2.498.
const prices: [type: string, amount: string, fee: string, total: string, productId?: string][] = [
  ['issue', '10', '3.02', '13.02'],
  ['issue', '10.00', '3.02', '13.02'],
  ['issue', '12.49', '3.02', '15.51'],
  ['issue', '12.50', '3.03', '15.53'],
  ['issue', '12.51', '3.03', '15.54'],
  ['issue', '17.49', '3.03', '20.52'],
  ['issue', '17.5', '3.04', '20.54'],
  ['issue', '250.00', '3.50', '253.50'],
  ['issue', '99999.99', '203.00', '100202.99'],
  ['topup', '10.00', '0.02', '10.02'],
  ['topup', '12.49', '0.02', '12.51'],
  ['topup', '12.50', '0.03', '12.53'],
  ['topup', '1000000.00', '2000.00', '1002000.00'],
  ['service', '3.00', '0.53', '3.53'],
  ['service', '10.49', '0.60', '11.09'],
  ['service', '10.50', '0.61', '11.11'],
  ['service', '200.00', '2.50', '202.50'],
  ['service', '33.33', '0.75', '34.08', 'prod_service_mobile'],
  ['service', '33.34', '0.75', '34.09', 'prod_service_mobile'],
  ['service', '49.00', '0.00', '49.00', VPN],
  ['service', '49', '0.00', '49.00', VPN],
]

describe.each(prices)('%s of %s', (type, amount, fee, total, productId) => {
  it(`costs a fee of ${fee}, in the quote, in the operation and in the balance`, async () => {
    const body = bodyOf(type, amount, productId)
    const before = await balanceOf(server, customer)
    const quoted = await quote(body)
    expect(quoted.status, quoted.text).toBe(200)
    const whole = amount.includes('.') ? amount.padEnd(amount.indexOf('.') + 3, '0') : `${amount}.00`
    expect(quoted.body).toEqual({ amount: whole, fee, total, currency: 'USD' })
    expect(await balanceOf(server, customer), 'a quote reserves nothing').toEqual(before)

    const done = await perform(server, customer, { ...body, expectedTotal: total })
    expect(done).toMatchObject({ status: 'completed', amount: whole, fee, total })
    const after = await balanceOf(server, customer)
    expect(toCents(before.total) - toCents(after.total)).toBe(toCents(total))
    expect(after.held).toBe('0.00')
  })
})

function toCents(amount: string): number {
  return Number(amount.replace('.', ''))
}

describe('amounts outside the limits', () => {
  it.each([
    ['issue', '9.99', undefined, '10.00'],
    ['issue', '0', undefined, '10.00'],
    ['topup', '9.99', undefined, '10.00'],
    ['topup', '0.00', undefined, '10.00'],
    ['service', '2.99', undefined, '3.00'],
    ['service', '4.99', 'prod_service_mobile', '5.00'],
  ])('%s of %s answers 400 amount_below_minimum', async (type, amount, productId, least) => {
    for (const ask of [quote, (body: unknown) => send(server, customer, body)]) {
      const { details } = expectRefused(await ask(bodyOf(type, amount, productId)), 'amount_below_minimum')
      expect(details).toEqual({ minimumAmount: least })
    }
  })
  it.each([
    ['200.01', undefined, '200.00'],
    ['500.01', 'prod_service_mobile', '500.00'],
  ])('a service of %s answers 400 amount_above_maximum', async (amount, productId, most) => {
    for (const ask of [quote, (body: unknown) => send(server, customer, body)]) {
      const { details } = expectRefused(await ask(bodyOf('service', amount, productId)), 'amount_above_maximum')
      expect(details).toEqual({ maximumAmount: most })
    }
  })
  it.each(['48.99', '49.01', '0', '4900'])('a fixed price must be exact: %s answers 400', async (amount) => {
    for (const ask of [quote, (body: unknown) => send(server, customer, body)]) {
      const { message } = expectRefused(await ask(bodyOf('service', amount, VPN)), 'amount_not_price')
      expect(message).toContain('"49.00"')
    }
  })
})

describe('expectedTotal', () => {
  it.each(['13.01', '13.03', '0', '10.00'])(
    '%s answers 409 with what it costs now, and moves no money',
    async (expectedTotal) => {
      const before = await balanceOf(server, customer)
      for (const ask of [quote, (body: unknown) => send(server, customer, body)]) {
        const refusal = expectRefused(await ask(issueBody(customer, { expectedTotal })), 'quote_changed')
        expect(refusal.details).toEqual({ amount: '10.00', fee: '3.02', total: '13.02' })
      }
      expect(await balanceOf(server, customer)).toEqual(before)
    },
  )
  it('is compared as an amount of money, not as text', async () => {
    const answer = await send(server, customer, topupBody(cardId, { amount: '1000', expectedTotal: '1002' }))
    expect(answer.status, answer.text).toBe(201)
  })
})

describe('POST /quotes', () => {
  it('needs no Idempotency-Key, and does not consume one that is sent', async () => {
    const options = { token: customer.key, body: issueBody(customer) }
    expect((await server.request('POST', '/api/v1/quotes', options)).status).toBe(200)
    expect((await server.request('POST', '/api/v1/quotes', { ...options, idempotencyKey: 'quote' })).status).toBe(200)
    const answer = await send(server, customer, issueBody(customer, { amount: '11.00' }), 'quote')
    expect(answer.status, answer.text).toBe(201)
  })
  it('works without funds', async () => {
    const poor = await createCustomer(server, { funds: '0' })
    expect((await server.post('/api/v1/quotes', poor.key, issueBody(poor))).status).toBe(200)
  })
  it('refuses what would be refused as an operation', async () => {
    const { holderId } = await createCustomer(server, { funds: '0' })
    expectRefused(await quote(issueBody(customer, { holderId })), 'not_found')
    expectRefused(await quote(issueBody(customer, { holderId, amount: '1' })), 'not_found')
    expectRefused(await quote(topupBody('card_00000000000000000000000000000000')), 'not_found')
    expectRefused(await quote(topupBody(cardId, { productId: 'prod_card_advertising' })), 'product_mismatch')
    expectRefused(await quote(serviceBody({ recipient: '' })), 'validation_failed')
  })
})

it('insufficient funds answer 400 with the available and the required amount', async () => {
  const poor = await createCustomer(server, { funds: '13.01' })
  const refusal = expectRefused(await send(server, poor, issueBody(poor)), 'insufficient_funds')
  expect(refusal.details).toEqual({ available: '13.01', required: '13.02' })
  expect(await balanceOf(server, poor)).toMatchObject({ available: '13.01', held: '0.00' })
  // What is held is not available.
  const held = await createCustomer(server, { funds: '26.03' })
  await perform(server, held, issueBody(held, { name: 'unknown' }))
  expect(await balanceOf(server, held)).toMatchObject({ available: '13.01', held: '13.02', total: '26.03' })
  const second = expectRefused(await send(server, held, issueBody(held)), 'insufficient_funds')
  expect(second.details).toEqual({ available: '13.01', required: '13.02' })
})
