// The simulated Stripe refuses what is not exactly right, remembers keys, and can be controlled over HTTP.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { must } from '../../../src/lib/invariant.ts'
import { SECRET_KEY, StripeWorld } from './world.ts'

const stripe = await StripeWorld.start()
afterAll(() => stripe.stop())

type Answer = { status: number; body: Record<string, unknown> }

async function call(method: 'GET' | 'POST', path: string, form?: string, headers = {}): Promise<Answer> {
  const answer = await fetch(stripe.simulator.url + path, {
    method,
    headers: {
      authorization: `Bearer ${SECRET_KEY}`,
      'stripe-version': '2026-07-29.dahlia',
      'content-type': 'application/x-www-form-urlencoded',
      ...headers,
    },
    ...(form === undefined ? {} : { body: form }),
  })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}

async function control(method: string, path: string, body?: unknown): Promise<Answer> {
  const answer = await fetch(`${stripe.simulator.controlUrl}/control/${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}

const HOLDER =
  'type=individual&name=Ada&billing[address][line1]=1+Way&billing[address][city]=Omaha&billing[address][postal_code]=68022&billing[address][country]=US'
const LIMIT =
  'spending_controls[spending_limits][0][amount]=2500&spending_controls[spending_limits][0][interval]=all_time'
let holder = ''
let card = ''
const newCard = () => `cardholder=${holder}&currency=usd&type=virtual&status=active&${LIMIT}`

beforeAll(async () => {
  holder = String((await call('POST', '/v1/issuing/cardholders', HOLDER)).body['id'])
  card = String((await call('POST', '/v1/issuing/cards', newCard())).body['id'])
})

test.each([
  ['an unknown field', 'POST', '/v1/issuing/cardholders', `${HOLDER}&nickname=Ada`],
  ['an unknown field inside', 'POST', '/v1/issuing/cardholders', `${HOLDER}&billing[address][zip]=1`],
  ['a missing field', 'POST', '/v1/issuing/cardholders', HOLDER.replace('name=Ada&', '')],
  ['digits in a name', 'POST', '/v1/issuing/cardholders', HOLDER.replace('Ada', 'Ada+2')],
  ['a name that is too long', 'POST', '/v1/issuing/cardholders', HOLDER.replace('Ada', 'A'.repeat(25))],
  ['a wrong value', 'POST', '/v1/issuing/cardholders', HOLDER.replace('individual', 'person')],
  ['a field that is there twice', 'POST', '/v1/issuing/cardholders', `${HOLDER}&name=Ada`],
  [
    'a negative limit',
    'POST',
    '/v1/issuing/cards',
    `cardholder=ich_1&currency=usd&type=virtual&${LIMIT}`.replace('2500', '-1'),
  ],
  [
    'an interval that does not exist',
    'POST',
    '/v1/issuing/cards',
    `cardholder=ich_1&currency=usd&type=virtual&${LIMIT}`.replace('all_time', 'forever'),
  ],
  ['a card in euros', 'POST', '/v1/issuing/cards', 'cardholder=ich_1&currency=eur&type=virtual'],
  ['an unknown parameter', 'GET', '/v1/issuing/cards?memo=1', undefined],
  ['a page that is too large', 'GET', '/v1/issuing/cards?limit=101', undefined],
] as const)('%s is refused in the format of Stripe', async (_name, method, path, form) => {
  const { status, body } = await call(method, path, form)
  expect(status).toBe(400)
  expect(body).toMatchObject({ error: { type: 'invalid_request_error', message: expect.any(String) } })
})

test('a wrong key, a missing version, a wrong content type and what does not exist are refused', async () => {
  expect((await call('GET', '/v1/balance', undefined, { authorization: 'Bearer sk_test_x' })).status).toBe(401)
  const json = { 'content-type': 'application/json' }
  expect((await call('POST', '/v1/issuing/cardholders', '{}', json)).status).toBe(400)
  expect((await call('GET', '/v1/issuing/cards/ic_none')).status).toBe(404)
  expect((await call('POST', '/v1/issuing/cards', newCard().replace(holder, 'ich_none'))).status).toBe(404)
  const bare = await fetch(`${stripe.simulator.url}/v1/balance`, { headers: { authorization: `Bearer ${SECRET_KEY}` } })
  expect(bare.status).toBe(400)
})

test('a key gives the first answer again, refuses other parameters, and can be forgotten', async () => {
  const key = { 'idempotency-key': 'one' }
  const first = await call('POST', '/v1/issuing/cards', newCard(), key)
  expect(await call('POST', '/v1/issuing/cards', newCard(), key)).toEqual(first)
  const other = await call('POST', '/v1/issuing/cards', newCard().replace('2500', '2600'), key)
  expect(other).toMatchObject({ status: 400, body: { error: { type: 'idempotency_error' } } })
  expect((await control('POST', 'keys/forget', {})).body['forgotten']).toBeGreaterThan(0)
  expect((await call('POST', '/v1/issuing/cards', newCard(), key)).body['id']).not.toBe(first.body['id'])
})

test('a 500 is kept for its key, and nothing is kept for what was not valid or not allowed', async () => {
  const key = { 'idempotency-key': 'two' }
  await control('PUT', 'routes/createCard/behaviour', { mode: 'kept_500', times: 1 })
  expect((await call('POST', '/v1/issuing/cards', newCard(), key)).status).toBe(500)
  expect((await call('POST', '/v1/issuing/cards', newCard(), key)).status).toBe(500)
  const fresh = { 'idempotency-key': 'three' }
  expect((await call('POST', '/v1/issuing/cards', `${newCard()}&memo=1`, fresh)).status).toBe(400)
  const wrong = { ...fresh, authorization: 'Bearer sk_test_x' }
  expect((await call('POST', '/v1/issuing/cards', newCard(), wrong)).status).toBe(401)
  await control('PUT', 'routes/createCard/behaviour', { mode: '429', times: 1 })
  expect((await call('POST', '/v1/issuing/cards', newCard(), fresh)).status).toBe(429)
  expect((await call('POST', '/v1/issuing/cards', newCard(), fresh)).status).toBe(200)
})

test('payments are made, captured, reversed, expired and refunded over HTTP', async () => {
  const pay = async (kind: string) => (await control('POST', 'payments', { card, kind, amount: '1.00' })).body
  const change = (id: unknown, action: string) => control('POST', `payments/${String(id)}`, { action })
  const { id, status } = await pay('purchase')
  expect(status).toBe('pending')
  expect((await change(id, 'capture')).body).toMatchObject({ type: 'capture', amount: '-1.00' })
  expect((await change(id, 'refund')).body).toMatchObject({ type: 'refund', amount: '1.00' })
  expect((await change(id, 'reverse')).status).toBe(400)
  expect((await change((await pay('purchase'))['id'], 'reverse')).body).toMatchObject({ status: 'reversed' })
  expect((await change((await pay('purchase'))['id'], 'expire')).body).toMatchObject({ status: 'expired' })
  expect(await pay('force_capture')).toMatchObject({ type: 'capture' })
  expect(await pay('refund')).toMatchObject({ type: 'refund' })
  expect((await control('GET', 'state')).body['cards']).toContainEqual(
    expect.objectContaining({ id: card, limits: ['25.00 all_time'], spent: '0.00' }),
  )
})

test('a card and a cardholder are changed by hand', async () => {
  expect((await control('POST', `cards/${card}`, { limit: '1.00' })).body).toMatchObject({ limits: ['1.00 all_time'] })
  expect(await control('POST', 'payments', { card, amount: '1.01' })).toMatchObject({ body: { approved: false } })
  await control('POST', `cardholders/${holder}`, { disabledReason: 'listed' })
  expect(await control('POST', 'payments', { card, amount: '0.01' })).toMatchObject({ body: { approved: false } })
  await control('POST', `cardholders/${holder}`, { disabledReason: null })
  expect(await control('POST', 'payments', { card, amount: '0.01' })).toMatchObject({ body: { approved: true } })
  expect((await control('POST', `cards/${card}`, { status: 'canceled' })).body).toMatchObject({ status: 'canceled' })
  expect((await control('POST', `cards/${card}`, { status: 'active' })).status).toBe(400)
  expect(must(stripe.world.cards.get(card)).status).toBe('canceled')
})

test('money that is held or captured leaves the balance, and comes back', async () => {
  const balance = async () => (await control('GET', 'state')).body['balance']
  const { providerId } = await stripe.card('100.00')
  const before = Number(await balance())
  const { id } = (await control('POST', 'payments', { card: providerId, amount: '10.00' })).body
  expect(Number(await balance())).toBe(before - 10)
  await control('POST', `payments/${String(id)}`, { action: 'capture', amount: '12.00' })
  expect(Number(await balance())).toBe(before - 12)
  await control('POST', 'payments', { card: providerId, kind: 'refund', amount: '12.00' })
  expect(Number(await balance())).toBe(before)
})
