// What an error says besides its code: the field that is wrong, and the page that explains the code.
import { afterAll, describe, expect, it } from 'vitest'
import { ERRORS } from '../../../src/errors.ts'
import { createHolder } from '../../support/operations.ts'
import { TestServer } from '../../support/harness.ts'
import { expectError } from '../expect-error.ts'

const server = await TestServer.start()
const company = await server.createCompany()
const holderId = await createHolder(server, company)
afterAll(() => server.stop())

const OPERATIONS = '/api/v1/operations'
const NOWHERE = '0'.repeat(32)
const issue = { type: 'issue', productId: 'prod_card_virtual', holderId, amount: '25.00' }
const topup = { type: 'topup', cardId: `card_${NOWHERE}`, amount: '25.00' }
const service = { type: 'service', productId: 'prod_service_mobile', recipient: '+49 30 1234567', amount: '10.00' }
const order = (body: object) => server.post(OPERATIONS, company.key, body)

describe('docUrl', () => {
  it('is an address on this server, whose page has a heading for each code', async () => {
    const { docUrl } = expectError(await server.request('GET', '/api/v1/balance'), 'missing_api_key')
    expect(docUrl).toBe(`${server.baseUrl}/docs/errors#missing_api_key`)
    const page = await (await fetch(docUrl)).text()
    const missing = Object.keys(ERRORS).filter((code) => !page.includes(`<h3 id="${code}">`))
    expect(missing).toEqual([])
  })

  it('is at PUBLIC_URL if that is set', async () => {
    const other = await TestServer.start({ PUBLIC_URL: 'https://cards.example.com/' })
    try {
      const { docUrl } = expectError(await other.request('GET', '/nothing'), 'not_found')
      expect(docUrl).toBe('https://cards.example.com/docs/errors#not_found')
    } finally {
      await other.stop()
    }
  })
})

describe('param', () => {
  it.each([
    ['a field that is missing', { ...issue, amount: undefined }, 'validation_failed', 'amount'],
    ['a field that does not exist', { ...issue, colour: 'red' }, 'validation_failed', 'colour'],
    ['a value that is not one of several', { ...issue, type: 'refund' }, 'validation_failed', 'type'],
    ['an amount below the minimum', { ...issue, amount: '1.00' }, 'amount_below_minimum', 'amount'],
    ['another total', { ...issue, expectedTotal: '1.00' }, 'quote_changed', 'expectedTotal'],
    ['a holder that does not exist', { ...issue, holderId: `hld_${NOWHERE}` }, 'not_found', 'holderId'],
    ['what cannot be a holder', { ...issue, holderId: 'ada' }, 'not_found', 'holderId'],
    ['a card that does not exist', topup, 'not_found', 'cardId'],
    ['a product that does not exist', { ...issue, productId: 'prod_nothing' }, 'not_found', 'productId'],
  ] as const)('names %s', async (_name, body, code, param) => {
    expect(expectError(await order(body), code).param).toBe(param)
  })

  it.each([
    ['/api/v1/operations?limit=0', 'validation_failed', 'limit'],
    ['/api/v1/operations?colour=red', 'validation_failed', 'colour'],
    ['/api/v1/operations?cursor=x', 'validation_failed', 'cursor'],
    ['/api/v1/operations?from=yesterday', 'validation_failed', 'from'],
    ['/api/v1/account-statements?from=2026-01-01&to=2028-01-01', 'statement_range_too_large', 'to'],
    [`/api/v1/cards/card_${NOWHERE}`, 'not_found', 'id'],
    ['/api/v1/cards/1', 'not_found', 'id'],
  ] as const)('of %s: %s, %s', async (path, code, param) => {
    expect(expectError(await server.get(path, company.key), code).param).toBe(param)
  })

  it('is the parameter of the path that names the missing object', async () => {
    const change = (companyId: string, holder: string) =>
      server.request('PATCH', `/admin/v1/companies/${companyId}/holders/${holder}`, {
        token: server.operatorToken,
        body: { environment: 'sandbox', status: 'active' },
      })
    expect(expectError(await change(company.wireId, `hld_${NOWHERE}`), 'not_found').param).toBe('holderId')
    expect(expectError(await change('nobody', holderId), 'not_found').param).toBe('id')
  })

  it('is the header of an idempotency key', async () => {
    const without = await server.request('POST', OPERATIONS, { token: company.key, body: issue })
    expect(expectError(without, 'idempotency_key_missing').param).toBe('Idempotency-Key')
  })

  it('is absent where no field is wrong', async () => {
    expect(expectError(await server.get('/api/v1/nothing', company.key), 'not_found').param).toBeUndefined()
    expect(expectError(await server.request('POST', '/api/v1/balance'), 'method_not_allowed').param).toBeUndefined()
  })
})

describe('a message', () => {
  it('names the values of an enumeration, also of the field that decides about the others', async () => {
    const { message } = expectError(await order({ ...issue, type: 'refund' }), 'validation_failed')
    expect(message).toBe('body.type must be one of issue, topup, service.')
  })

  it.each([
    [
      { ...service, productId: 'prod_card_virtual' },
      'prod_card_virtual is a card product, and ordering a service needs a service product.',
    ],
    [
      { ...issue, productId: 'prod_service_mobile' },
      'prod_service_mobile is a service product, and issuing a card needs a card product.',
    ],
  ])('says of what kind a product is, and what is needed', async (body, sentence) => {
    const { message, param } = expectError(await order(body), 'not_found')
    expect(message).toBe(`${sentence} Choose one from GET /products.`)
    expect(param).toBe('productId')
  })

  it('tells the sign of an amount from its format', async () => {
    const negative = expectError(await order({ ...issue, amount: '-25.00' }), 'validation_failed')
    expect(negative.message).toMatch(/^body\.amount must be positive, without a sign: .*comes back/)
    const wrong = expectError(await order({ ...issue, amount: '25,00' }), 'validation_failed')
    expect(wrong.message).toMatch(/^body\.amount must be a decimal string/)
  })

  it('says where a body is broken, and does not repeat it', async () => {
    const body = '{\n  "holderId": "secret",\n  "amount": 25.00.00\n}'
    const headers = { 'content-type': 'application/json', 'idempotency-key': 'broken' }
    const answer = await server.request('POST', OPERATIONS, { token: company.key, body, headers })
    const { message, details } = expectError(answer, 'validation_failed')
    expect(details).toEqual({ line: 3, column: 18 })
    expect(message).toBe('The body is not valid JSON: line 3, column 18 is not what JSON allows there.')
    expect(answer.text).not.toContain('secret')
  })

  it('says that a webhook in live needs https', async () => {
    const live = await server.createKey(company.id, { environment: 'live' })
    const register = (key: string, url: string) => server.post('/api/v1/webhook-endpoints', key, { url })
    const plain = expectError(await register(live, 'http://example.com/hooks'), 'webhook_url_refused')
    expect(plain).toMatchObject({ param: 'url', message: expect.stringMatching(/must begin with https:\/\/ in live/) })
    const other = expectError(await register(company.key, 'ftp://example.com/hooks'), 'webhook_url_refused')
    expect(other.message).toBe('body.url must begin with https://, or in the sandbox with http://.')
  })
})

describe('credentials that are no API key', () => {
  const ask = (authorization: string, path = '/api/v1/balance') =>
    server.request('GET', path, { headers: { authorization } })

  it.each([
    ['Basic Y3N0azo=', 'malformed_api_key', /^HTTP Basic authentication is not used here/],
    ['Token x', 'malformed_api_key', /does not begin with Bearer/],
    ['Bearer', 'missing_api_key', /^The request has no API key/],
  ] as const)('%s: %s', async (header, code, sentence) => {
    const { message, param } = expectError(await ask(header), code)
    expect(message).toMatch(sentence)
    expect(message).toContain('Authorization: Bearer cstk_sandbox_… or cstk_live_…')
    expect(param).toBe('Authorization')
  })

  it('are told apart: a key that was cut off, and an operator token', async () => {
    const cut = await ask(`Bearer ${company.key.slice(0, -1)}`)
    expect(expectError(cut, 'malformed_api_key').message).toMatch(/mistyped or cut off/)
    const token = await ask(`Bearer ${server.operatorToken}`)
    expect(expectError(token, 'invalid_api_key').message).toMatch(/^This is an operator token/)
    for (const { text } of [cut, token]) expect(text).not.toContain(company.key.slice(13, 30))
  })

  it('are told apart from an operator token too', async () => {
    const { message } = expectError(await ask(`Bearer ${company.key}`, '/admin/v1/companies'), 'invalid_operator_token')
    expect(message).toMatch(/^This is a company's API key/)
  })
})
