// The simulated Lithic refuses what is not exactly right, keeps its money together, remembers keys, and can be controlled over HTTP.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { must } from '../../../src/lib/invariant.ts'
import { API_KEY, FUNDING, LithicWorld } from './world.ts'

const lithic = await LithicWorld.start()
afterAll(() => lithic.stop())

type Answer = { status: number; body: Record<string, unknown> }

async function call(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const answer = await fetch(lithic.simulator.url + path, {
    method,
    headers: { authorization: API_KEY, 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}

async function control(method: string, path: string, body?: unknown): Promise<Answer> {
  const answer = await fetch(`${lithic.simulator.controlUrl}/control/${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}

let account = ''
let card = ''
const holder = {
  workflow: 'KYC_EXEMPT',
  kyc_exemption_type: 'PREPAID_CARD_USER',
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: 'ada@example.com',
  phone_number: '+15555550123',
  address: { address1: '123 Old Forest Way', city: 'Omaha', state: 'NE', postal_code: '68022', country: 'USA' },
}
const transfer = () => ({
  token: randomUUID(),
  amount: 100,
  category: 'BALANCE_OR_FUNDING',
  type: 'ACCOUNT_TO_ACCOUNT',
  subtype: 'CUSTOM',
  from_financial_account_token: FUNDING,
  to_financial_account_token: card,
})

beforeAll(async () => {
  account = String((await call('POST', '/v1/account_holders', holder)).body['account_token'])
  card = String((await call('POST', '/v1/cards', { type: 'VIRTUAL', account_token: account })).body['token'])
})

test('a key that is missing or wrong is refused, but for the status', async () => {
  expect((await call('GET', '/v1/cards', undefined, { authorization: 'Bearer x' })).status).toBe(401)
  expect((await call('GET', '/v1/status', undefined, { authorization: '' })).status).toBe(200)
})

test.each([
  ['an unknown field', 'POST', '/v1/account_holders', { ...holder, nickname: 'Ada' }],
  ['a missing field', 'POST', '/v1/account_holders', { ...holder, email: undefined }],
  ['a wrong value', 'POST', '/v1/account_holders', { ...holder, workflow: 'KYC_NONE' }],
  ['an unknown field inside', 'POST', '/v1/account_holders', { ...holder, address: { ...holder.address, zip: '1' } }],
  [
    'a physical card without an address',
    'POST',
    '/v1/cards',
    { type: 'PHYSICAL', account_token: FUNDING, product_id: '1' },
  ],
  ['a card of an unknown account', 'POST', '/v1/cards', { type: 'VIRTUAL', account_token: randomUUID() }],
  ['a negative limit', 'POST', '/v1/cards', { type: 'VIRTUAL', account_token: FUNDING, spend_limit: -1 }],
  ['an unknown parameter', 'GET', '/v1/cards?limit=1', undefined],
  ['a page that is too large', 'GET', '/v1/cards?page_size=101', undefined],
  ['a cursor of nothing', 'GET', `/v1/cards?starting_after=${randomUUID()}`, undefined],
  ['an id that is no UUID', 'GET', '/v1/account_holders?external_id=hld_1', undefined],
  ['a transfer of nothing', 'POST', '/v1/book_transfers', { ...transfer(), amount: 0 }],
] as const)('%s is refused', async (_name, method, path, body) => {
  const { status, body: answer } = await call(method, path, body)
  expect(status).toBe(400)
  expect(answer).toMatchObject({ message: expect.any(String) })
})

test('what does not exist is not found', async () => {
  for (const path of ['cards', 'book_transfers', 'transactions', 'account_holders']) {
    expect((await call('GET', `/v1/${path}/${randomUUID()}`)).status).toBe(404)
  }
  expect((await call('GET', '/v1/accounts')).status).toBe(404)
})

test('a key with the same parameters gives the same card, with others it is an error, and a forgotten key gives another card', async () => {
  const key = { 'idempotency-key': randomUUID() }
  const body = { type: 'VIRTUAL', account_token: account, memo: 'one' }
  const first = await call('POST', '/v1/cards', body, key)
  expect(await call('POST', '/v1/cards', body, key)).toEqual(first)
  expect((await call('POST', '/v1/cards', { ...body, memo: 'two' }, key)).status).toBe(422)
  expect((await call('POST', '/v1/cards', body, { 'idempotency-key': 'no uuid' })).status).toBe(400)
  expect((await control('POST', 'keys/forget', {})).body).toMatchObject({ forgotten: expect.any(Number) })
  expect((await call('POST', '/v1/cards', body, key)).body['token']).not.toBe(first.body['token'])
})

test('transfers move money between accounts and never create any', async () => {
  const sum = () => [...lithic.world.accounts.values()].reduce((total, one) => total + one.total, 0n)
  const before = sum()
  const body = transfer()
  expect(await call('POST', '/v1/book_transfers', body)).toMatchObject({
    body: { status: 'SETTLED', settled_amount: 100 },
  })
  await call('POST', '/v1/book_transfers', body)
  expect(lithic.available(card)).toBe('1.00')
  expect((await call('POST', '/v1/book_transfers', { ...body, amount: 200 })).status).toBe(400)
  const much = { ...transfer(), amount: 100_000_000 }
  expect(await call('POST', '/v1/book_transfers', much)).toMatchObject({
    body: { status: 'DECLINED', settled_amount: 0 },
  })
  expect((await control('POST', `transfers/${body.token}/reverse`, {})).status).toBe(200)
  expect(lithic.available(card)).toBe('0.00')
  expect((await control('POST', `transfers/${body.token}/reverse`, {})).status).toBe(400)
  expect(sum()).toBe(before)
})

test('payments are made and changed over the control port', async () => {
  await call('POST', '/v1/book_transfers', { ...transfer(), amount: 5_000 })
  const paid = await control('POST', 'payments', { card, amount: '10.00' })
  expect(paid.body).toMatchObject({ status: 'PENDING', held: '10.00' })
  const { token } = paid.body as { token: string }
  expect((await control('POST', `payments/${token}`, { action: 'settle', amount: '12.00' })).body).toMatchObject({
    status: 'SETTLED',
    settled: '12.00',
  })
  expect((await control('POST', `payments/${token}`, { action: 'refund', amount: '2.00' })).body).toMatchObject({
    settled: '10.00',
  })
  for (const [action, status] of [
    ['void', 'VOIDED'],
    ['expire', 'EXPIRED'],
  ]) {
    const made = await control('POST', 'payments', { card, amount: '1.00' })
    expect((await control('POST', `payments/${String(made.body['token'])}`, { action })).body).toMatchObject({ status })
  }
  expect((await control('POST', 'payments', { card, amount: '999.00' })).body).toMatchObject({ status: 'DECLINED' })
  expect((await control('POST', 'payments', { card, kind: 'force_post', amount: '999.00' })).body).toMatchObject({
    status: 'SETTLED',
  })
  expect((await control('POST', 'payments', { card, kind: 'refund', amount: '999.00' })).body).toMatchObject({
    status: 'SETTLED',
  })
  expect(lithic.available(card)).toBe('40.00')
  expect((await control('POST', 'payments', { card: randomUUID(), amount: '1.00' })).status).toBe(400)
  expect((await control('POST', 'payments', { card, amount: '1.00', tip: '1' })).status).toBe(400)
})

test('a card is changed by hand, and its state is shown without its number', async () => {
  expect((await control('POST', `cards/${card}`, { state: 'PAUSED', limit: '7.00' })).body).toEqual({
    token: card,
    state: 'PAUSED',
    limit: '7.00',
  })
  expect((await control('POST', 'payments', { card, amount: '1.00' })).body).toMatchObject({ status: 'DECLINED' })
  const state = JSON.stringify((await control('GET', 'state')).body)
  expect(state).toContain('"limit":"7.00"')
  expect(state).not.toContain(must(lithic.world.cards.get(card)).pan)
  await control('POST', `cards/${card}`, { state: 'OPEN', limit: '0' })
})

test('calls misbehave as often as they are told to', async () => {
  const path = 'routes/readCard/behaviour'
  expect((await control('PUT', path, { mode: '500', times: 2 })).status).toBe(200)
  const statuses = []
  for (let made = 0; made < 3; made += 1) statuses.push((await call('GET', `/v1/cards/${card}`)).status)
  expect(statuses).toEqual([500, 500, 200])
  await control('PUT', path, { mode: 'cut', times: 1 })
  await expect(call('GET', `/v1/cards/${card}`)).rejects.toThrow('fetch failed')
  expect((await control('PUT', path, { mode: 'sleep' })).status).toBe(400)
})

test('pages go both ways, the newest first', async () => {
  const memo = randomUUID()
  const made: string[] = []
  for (let number = 0; number < 5; number += 1) {
    lithic.clock.advance(1_000)
    made.unshift(
      String((await call('POST', '/v1/cards', { type: 'VIRTUAL', account_token: account, memo })).body['token']),
    )
  }
  const page = async (query: string) => {
    const { body } = await call('GET', `/v1/cards?memo=${memo.slice(4)}&page_size=2${query}`)
    return { tokens: (body['data'] as { token: string }[]).map(({ token }) => token), hasMore: body['has_more'] }
  }
  expect(await page('')).toEqual({ tokens: made.slice(0, 2), hasMore: true })
  expect(await page(`&starting_after=${made[1]}`)).toEqual({ tokens: made.slice(2, 4), hasMore: true })
  expect(await page(`&starting_after=${made[3]}`)).toEqual({ tokens: made.slice(4), hasMore: false })
  expect(await page(`&ending_before=${made[4]}`)).toEqual({ tokens: made.slice(2, 4), hasMore: true })
})

test('events are listed, lost and withheld as they are told to', async () => {
  const count = async () =>
    (
      (await call('GET', '/v1/events?event_types=card.updated&with_content=true&page_size=100')).body[
        'data'
      ] as object[]
    ).length
  const pause = () => control('POST', `cards/${card}`, { state: 'PAUSED' })
  const before = await count()
  await control('PUT', 'events', { lose: true })
  await pause()
  await control('PUT', 'events', { lose: false, withhold: true })
  await pause()
  expect(await count()).toBe(before)
  await control('PUT', 'events', { withhold: false })
  expect(await count()).toBe(before + 1)
  await control('PUT', 'events', { mode: 'repeated' })
  expect(await count()).toBe(2 * (before + 1))
  await control('PUT', 'events', { mode: 'normal' })
})

test('a programme whose cards have only limits gives them no money of their own', async () => {
  const limits = await LithicWorld.start('limit')
  const { providerId } = await limits.card('25.00')
  expect(limits.world.accounts.has(providerId)).toBe(false)
  const { id } = must([...limits.objects.values()].find(({ kind }) => kind === 'card'))
  limits.objects.set(id, { kind: 'card', id, providerId, facts: { mode: 'balance' } })
  expect(await limits.run(limits.topUp(id))).toMatchObject({ outcome: { kind: 'refused', code: 'lithic_404' } })
  await limits.stop()
})
