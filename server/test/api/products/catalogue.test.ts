// /admin/v1/products: operators manage the catalogue, and every price is right before, at and after its change.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createHolder, expectBooksRight, fund, issueCard, operate, settled } from '../../books/steps.ts'
import { startSecond } from '../../support/operations.ts'
import { type TestAnswer, type TestCompany, TestServer } from '../../support/harness.ts'
import { expectError } from '../expect-error.ts'

const HOUR_MS = 3_600_000
const server = await TestServer.start({ OPERATOR_RATE_LIMIT_PER_SECOND: '100000' })
afterAll(() => server.stop())
afterEach(() => expectBooksRight(server))

let company: TestCompany
beforeAll(async () => {
  company = await server.createCompany()
  await fund(server, company, '100000')
})

interface Product {
  id: string
  name: string
  pricing: Record<string, string | null>
  topupPricing: Record<string, string | null> | null
  position: number
  retiredAt: string | null
}
interface Quote {
  amount: string
  fee: string
  total: string
}

const admin = <Body = Product>(method: string, path: string, body?: unknown) =>
  server.request<Body>(method, `/admin/v1/products${path}`, { token: server.operatorToken, body })
const NO_RULES = {
  flatFee: null,
  rate: null,
  minimumFee: null,
  minimumAmount: null,
  maximumAmount: null,
  fixedPrice: null,
}
let made = 0
async function createService(pricing: object = { flatFee: '1.00' }): Promise<string> {
  made += 1
  const id = `prod_service_${made}`
  const answer = await admin('POST', '', { id, kind: 'service', name: 'Service', description: '', pricing })
  expect(answer.status, answer.text).toBe(201)
  return id
}
const setPrice = (productId: string, price: object) =>
  admin('POST', `/${productId}/prices`, { operationType: 'service', ...price })
const order = (productId: string, more: object = {}) => ({
  type: 'service',
  productId,
  amount: '10.00',
  recipient: 'a@example.com',
  ...more,
})
const quote = (productId: string, token = company.key) =>
  server.request<Quote>('POST', '/api/v1/quotes', { token, body: order(productId) })
const feeOf = async (productId: string, token = company.key) => (await quote(productId, token)).body.fee
const forSale = async (token = company.key) =>
  (await server.get<{ data: Product[] }>('/api/v1/products', token)).body.data
const inMs = (ms: number) => new Date(server.clock.now().getTime() + ms).toISOString()
const lastRecord = async () =>
  (
    await server.get<{ data: { action: string; object: string; companyId: string | null; details: object }[] }>(
      '/admin/v1/audit-log?limit=1',
      server.operatorToken,
    )
  ).body.data[0]

describe('a product', () => {
  test('is added with its prices, is for sale immediately, and writes an audit record', async () => {
    const id = 'prod_card_gold'
    const wanted = {
      id,
      kind: 'card',
      name: 'Gold card',
      description: 'A card of gold',
      pricing: { flatFee: '5.00', minimumAmount: '20.00' },
      topupPricing: { rate: '0.015' },
    }
    const answer = await admin('POST', '', wanted)
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({
      ...wanted,
      currency: 'USD',
      pricing: { ...NO_RULES, flatFee: '5.00', minimumAmount: '20.00' },
      topupPricing: { ...NO_RULES, rate: '0.015' },
      position: 6,
      retiredAt: null,
    })
    expect(await lastRecord()).toMatchObject({ action: 'product.created', object: id, details: wanted })
    const { position: _position, retiredAt: _retiredAt, ...shown } = answer.body
    expect((await forSale()).find((product) => product.id === id)).toEqual(shown)
    const holderId = await createHolder(server, company)
    const issue = { type: 'issue', productId: id, amount: '20.00', holderId }
    const { result } = await settled(server, company, await operate(server, company, issue))
    const topup = await operate(server, company, { type: 'topup', cardId: result.cardId, amount: '100.00' })
    expect(topup).toMatchObject({ fee: '1.50', total: '101.50' })
    await settled(server, company, topup)
    expectError(await admin('POST', '', wanted), 'product_exists')
  })

  test.each([
    [{ id: 'gold' }, 'body.id'],
    [{ kind: 'gift' }, 'body.kind'],
    [{ name: ' ' }, 'body.name'],
    [{ pricing: { rate: '1.1' } }, 'body.pricing.rate'],
    [{ pricing: { rate: '0.0000001' } }, 'body.pricing.rate'],
    [{ pricing: { flatFee: '1.001' } }, 'body.pricing.flatFee'],
    [{ pricing: { discount: '1' } }, 'discount'],
    [{ pricing: { fixedPrice: '0.00' } }, 'body.pricing.fixedPrice must be at least'],
    [{ pricing: { minimumAmount: '10', maximumAmount: '9' } }, 'body.pricing.maximumAmount'],
    [{ pricing: { fixedPrice: '10', maximumAmount: '9' } }, 'body.pricing.fixedPrice cannot be combined'],
    [{ topupPricing: {} }, 'body.topupPricing is for cards only'],
    [{ kind: 'card' }, 'body.topupPricing is required'],
    [{ kind: 'card', pricing: { fixedPrice: '10' }, topupPricing: {} }, 'body.pricing.fixedPrice is for services only'],
  ])('%j is refused, and nothing is added', async (fields, message) => {
    const before = await forSale()
    const body = { id: 'prod_refused', kind: 'service', name: 'X', description: '', pricing: {}, ...fields }
    expect(expectError(await admin('POST', '', body), 'validation_failed').message).toContain(message)
    expect(await forSale()).toEqual(before)
  })

  test('is renamed and moved without changing its prices', async () => {
    const id = await createService()
    const answer = await admin('PATCH', `/${id}`, { name: 'Renamed', position: 0 })
    expect(answer.body).toMatchObject({ id, name: 'Renamed', position: 0, pricing: { flatFee: '1.00' } })
    expect((await forSale())[0]).toMatchObject({ id, name: 'Renamed' })
    expect(await lastRecord()).toMatchObject({ action: 'product.updated', object: id, details: { name: 'Renamed' } })
    expectError(await admin('PATCH', `/${id}`, {}), 'validation_failed')
    expectError(await admin('PATCH', `/${id}`, { kind: 'card' }), 'validation_failed')
    expectError(await admin('PATCH', '/prod_none', { name: 'X' }), 'not_found')
  })

  test('is retired once: it is no longer shown or sold, but its cards can still be topped up', async () => {
    const card = await issueCard(server, company)
    const id = 'prod_card_virtual'
    const holderId = await createHolder(server, company)
    const retired = await admin('POST', `/${id}/retire`)
    expect(retired.body.retiredAt).toBe(server.clock.now().toISOString())
    server.clock.advance(1000)
    expect((await admin('POST', `/${id}/retire`)).body).toEqual(retired.body)
    expect((await forSale()).map((product) => product.id)).not.toContain(id)
    const listed = await admin<{ data: Product[] }>('GET', '')
    expect(listed.body.data.find((product) => product.id === id)).toEqual(retired.body)
    const issue = { type: 'issue', productId: id, amount: '20.00', holderId }
    expectError(await server.post('/api/v1/operations', company.key, issue), 'product_retired')
    expectError(await server.request('POST', '/api/v1/quotes', { token: company.key, body: issue }), 'product_retired')
    await settled(server, company, await operate(server, company, { type: 'topup', cardId: card.id, amount: '10.00' }))
    const pricing = { rate: '0.01' }
    expectError(await admin('POST', `/${id}/prices`, { operationType: 'issue', pricing }), 'product_retired')
    expect((await admin('POST', `/${id}/prices`, { operationType: 'topup', pricing })).status).toBe(201)
    expectError(await admin('POST', '/prod_none/retire'), 'not_found')
  })
})

describe('a price', () => {
  test('that is set without a time takes effect immediately', async () => {
    const id = await createService()
    expect((await setPrice(id, { pricing: { flatFee: '2.00' } })).status).toBe(201)
    expect(await feeOf(id)).toBe('2.00')
  })

  test('takes effect at its time: quotes, expectedTotal and operations agree before and after it', async () => {
    const id = await createService()
    await setPrice(id, { validFrom: inMs(HOUR_MS), pricing: { flatFee: '3.00' } })
    server.clock.advance(HOUR_MS - 1)
    expect((await quote(id)).body).toMatchObject({ fee: '1.00', total: '11.00' })
    const early = await server.post<Quote>('/api/v1/operations', company.key, order(id, { expectedTotal: '11.00' }))
    expect([early.status, early.body.fee]).toEqual([201, '1.00'])
    server.clock.advance(1)
    expect((await quote(id)).body).toMatchObject({ fee: '3.00', total: '13.00' })
    const late = await server.post('/api/v1/operations', company.key, order(id, { expectedTotal: '11.00' }))
    expect(expectError(late, 'quote_changed').details).toEqual({ amount: '10.00', fee: '3.00', total: '13.00' })
    const current = await server.post('/api/v1/operations', company.key, order(id, { expectedTotal: '13.00' }))
    expect(current.status).toBe(201)
  })

  test('of one company takes precedence over the general price, and does not affect other companies', async () => {
    const id = await createService()
    const other = await server.createCompany()
    // Make the price's record the newest in the audit log.
    server.clock.advance(1)
    const own = { companyId: company.wireId, validFrom: inMs(HOUR_MS), pricing: { flatFee: '0.50' } }
    const answer = await setPrice(id, own)
    expect(answer.body).toMatchObject({ companyId: company.wireId, validFrom: own.validFrom, productId: id })
    expect(await lastRecord()).toMatchObject({ action: 'price.set', object: id, companyId: company.wireId })
    expect([await feeOf(id), await feeOf(id, other.key)]).toEqual(['1.00', '1.00'])
    server.clock.advance(HOUR_MS)
    await setPrice(id, { pricing: { flatFee: '9.00' } })
    expect([await feeOf(id), await feeOf(id, other.key)]).toEqual(['0.50', '9.00'])
    const mine = (await forSale()).find((product) => product.id === id)
    const theirs = (await forSale(other.key)).find((product) => product.id === id)
    expect([mine?.pricing['flatFee'], theirs?.pricing['flatFee']]).toEqual(['0.50', '9.00'])
  })

  test('in the future is corrected by setting it again for the same time', async () => {
    const id = await createService()
    const validFrom = inMs(HOUR_MS)
    await setPrice(id, { validFrom, pricing: { flatFee: '300.00' } })
    await setPrice(id, { validFrom, pricing: { flatFee: '3.00' } })
    server.clock.advance(HOUR_MS)
    expect(await feeOf(id)).toBe('3.00')
    const { body } = await admin<{ data: { pricing: object; validFrom: string }[]; nextCursor: null }>(
      'GET',
      `/${id}/prices`,
    )
    expect(body.data.map(({ pricing }) => (pricing as Product['pricing'])['flatFee'])).toEqual([
      '3.00',
      '300.00',
      '1.00',
    ])
    const page = await admin<{ data: object[]; nextCursor: string }>('GET', `/${id}/prices?limit=2`)
    const rest = await admin<{ data: object[] }>('GET', `/${id}/prices?limit=2&cursor=${page.body.nextCursor}`)
    expect([...page.body.data, ...rest.body.data]).toEqual(body.data)
  })

  test.each([
    ['a time in the past', () => ({ validFrom: inMs(-1) }), 'validation_failed', 'body.validFrom'],
    ['a malformed time', () => ({ validFrom: 'soon' }), 'validation_failed', 'body.validFrom'],
    ['another kind of operation', () => ({ operationType: 'issue' }), 'validation_failed', 'body.operationType'],
    ['no rules at all', () => ({ pricing: undefined }), 'validation_failed', 'body.pricing'],
    ['an unknown company', () => ({ companyId: `co_${'f'.repeat(32)}` }), 'not_found', 'no such'],
    ['a malformed company id', () => ({ companyId: 'acme' }), 'not_found', 'no such'],
  ] as const)('with %s is refused, and the old one stays', async (_name, fields, code, message) => {
    const id = await createService()
    const answer = await setPrice(id, { pricing: { flatFee: '9.00' }, ...fields() })
    expect(expectError(answer, code).message.toLowerCase()).toContain(message.toLowerCase())
    expect(await feeOf(id)).toBe('1.00')
  })

  test('of a missing product is not found, and of a retired product is refused', async () => {
    expectError(await setPrice('prod_none', { pricing: {} }), 'not_found')
    expectError(await admin('GET', '/prod_none/prices'), 'not_found')
    const id = await createService()
    await admin('POST', `/${id}/retire`)
    expectError(await setPrice(id, { pricing: {} }), 'product_retired')
  })

  test('of a product can have at most a hundred future changes', async () => {
    const id = await createService()
    const ahead = () => setPrice(id, { validFrom: inMs(HOUR_MS), pricing: {} })
    for (let set = 0; set < 100; set += 1) expect((await ahead()).status).toBe(201)
    expectError(await ahead(), 'catalog_limit')
    expect((await setPrice(id, { pricing: { flatFee: '2.00' } })).status).toBe(201)
    server.clock.advance(HOUR_MS)
    expect((await ahead()).status).toBe(201)
  })
})

describe('across processes', () => {
  test('a change made through one process takes effect in the other without a restart', async () => {
    const second = await startSecond(server)
    const id = await createService()
    const there = async () =>
      (await second.request<Quote>('POST', '/api/v1/quotes', { token: company.key, body: order(id) })).body.fee
    await expect.poll(there).toBe('1.00')
    await setPrice(id, { pricing: { flatFee: '4.00' } })
    await expect.poll(there).toBe('4.00')
    await second.stop()
  })

  test('under load, every operation is charged the old or the new price, and only the expected one', async () => {
    const second = await startSecond(server)
    const id = await createService()
    await expect
      .poll(
        async () => (await second.request('POST', '/api/v1/quotes', { token: company.key, body: order(id) })).status,
      )
      .toBe(200)
    const send = (index: number, expectedTotal?: string): Promise<TestAnswer<Quote>> =>
      (index % 2 === 0 ? server : second).request('POST', '/api/v1/operations', {
        token: company.key,
        body: order(id, expectedTotal === undefined ? {} : { expectedTotal }),
        idempotencyKey: crypto.randomUUID(),
      })
    const answers: { expected: string | undefined; answer: TestAnswer<Quote> }[] = []
    const burst = () =>
      Promise.all(
        Array.from({ length: 30 }, async (_, index) => {
          const expected = [undefined, '11.00', '17.00'][index % 3]
          answers.push({ expected, answer: await send(index, expected) })
        }),
      )
    await burst()
    await Promise.all([burst(), setPrice(id, { pricing: { flatFee: '7.00' } }), burst()])
    await expect.poll(async () => (await send(1, '17.00')).status).toBe(201)
    await burst()
    for (const { expected, answer } of answers) {
      if (answer.status !== 201) expect(expectError(answer, 'quote_changed').details?.['total']).not.toBe(expected)
      else expect(expected === undefined ? ['11.00', '17.00'] : [expected]).toContain(answer.body.total)
    }
    const charged = answers.filter(({ answer }) => answer.status === 201).map(({ answer }) => answer.body.total)
    expect(charged.slice(0, 10)).toEqual(charged.slice(0, 10).map(() => '11.00'))
    expect(charged.at(-1)).toBe('17.00')
    await second.stop()
  })
})
