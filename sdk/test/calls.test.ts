// What a call gives beside its data, what hooks see, what can be changed for one call, and requests that a program writes itself.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Cardstock, CardstockAdmin, type CardstockOptions } from '../src/cardstock.ts'
import type { ErrorNote, RequestNote, ResponseNote } from '../src/hooks.ts'
import { type Listener, startListener } from './listener.ts'

const KEY = 'cstk_sandbox_secret'
let listener: Listener

beforeEach(async () => {
  listener = await startListener()
})
afterEach(() => listener.close())

const connect = (options: CardstockOptions = {}) =>
  new Cardstock({ baseUrl: listener.baseUrl, apiKey: KEY, maxRetries: 0, ...options })

const REFUSAL = { statusCode: 400, code: 'validation_failed', message: 'No.', requestId: 'r1' }

describe('withResponse', () => {
  test('gives the data with the status, the headers, the request id and whether it was a replay, after one request', async () => {
    const headers = { 'x-request-id': 'r7', 'idempotent-replayed': 'true', ratelimit: '"key";r=2;t=1' }
    listener.reply = () => ({ status: 201, body: { id: 'op_1' }, headers })
    const call = connect().operations.create({ type: 'topup', cardId: 'card_1', amount: '10.00' })
    const answer = await call.withResponse()
    expect(answer).toMatchObject({ data: { id: 'op_1' }, statusCode: 201, requestId: 'r7', isReplay: true })
    expect(answer.headers.get('ratelimit')).toBe('"key";r=2;t=1')
    expect(await call).toBe(answer.data)
    expect(listener.asked).toHaveLength(1)
  })

  test('of a list is about its first page, and of a stream about its beginning', async () => {
    listener.reply = () => ({ body: { data: [{ id: 'card_1' }], nextCursor: null }, headers: { 'x-request-id': 'r8' } })
    expect(await connect().cards.list().withResponse()).toMatchObject({
      data: { data: [{ id: 'card_1' }], nextCursor: null },
      requestId: 'r8',
      isReplay: false,
    })
    listener.reply = () => ({ text: 'a,b', headers: { 'content-type': 'text/csv', 'x-request-id': 'r9' } })
    const days = { from: '2026-01-01', to: '2026-01-31' }
    const { data, requestId } = await connect().statements.download(days, 'csv').withResponse()
    expect([await new Response(data).text(), requestId]).toEqual(['a,b', 'r9'])
  })

  test('fails as the call does, and leaves no failure behind that nobody handles', async () => {
    listener.reply = () => ({ status: 400, body: REFUSAL })
    const unhandled: unknown[] = []
    const collect = (reason: unknown) => unhandled.push(reason)
    process.on('unhandledRejection', collect)
    try {
      await expect(connect().balance.get().withResponse()).rejects.toMatchObject({ code: 'validation_failed' })
      await expect(connect().cards.list().withResponse()).rejects.toMatchObject({ code: 'validation_failed' })
      // Node reports what is unhandled before it runs the next timer.
      await new Promise((resolve) => setTimeout(resolve, 1))
    } finally {
      process.off('unhandledRejection', collect)
    }
    expect(unhandled).toEqual([])
  })
})

describe('hooks', () => {
  test('see each try with its answer or its error, and never a key, a header or a body', async () => {
    const requests: RequestNote[] = []
    const responses: ResponseNote[] = []
    const errors: ErrorNote[] = []
    const hooks = {
      request: (note: RequestNote) => requests.push(note),
      response: (note: ResponseNote) => responses.push(note),
      error: (note: ErrorNote) => errors.push(note),
    }
    const cardstock = connect({ maxRetries: 2, hooks })
    listener.reply = () => {
      const replies = [
        { drop: true } as const,
        { status: 503, body: {}, headers: { 'retry-after': '0' } },
        { status: 400, body: REFUSAL, headers: { 'x-request-id': 'r1' } },
      ]
      return replies[listener.asked.length - 1]
    }
    const options = { idempotencyKey: 'k-1', apiKey: 'cstk_sandbox_other', headers: { 'x-secret': 'hidden-header' } }
    const call = cardstock.invoices.create({ amount: '123.45' }, options)
    await expect(call).rejects.toMatchObject({ code: 'validation_failed' })
    const place = { method: 'POST', url: `${listener.baseUrl}/api/v1/card-account/invoices`, idempotencyKey: 'k-1' }
    expect(requests).toEqual([1, 2, 3].map((attempt) => ({ ...place, attempt })))
    expect(responses).toMatchObject([
      { ...place, attempt: 2, statusCode: 503, retryInMs: 0 },
      { ...place, attempt: 3, statusCode: 400, requestId: 'r1', isReplay: false, retryInMs: undefined },
    ])
    expect(errors).toMatchObject([
      { attempt: 1, error: { code: 'unreachable' }, retryInMs: expect.any(Number) as number },
      { attempt: 3, error: { code: 'validation_failed' }, retryInMs: undefined },
    ])
    expect(JSON.stringify([requests, responses, errors])).not.toMatch(/secret|other|hidden-header|123\.45/)
  })

  test('that throw or reject change nothing', async () => {
    listener.reply = () => ({ body: { available: '1.00' } })
    const hooks = {
      request: () => {
        throw new Error('The log is full.')
      },
      response: () => Promise.reject(new Error('The log is away.')),
    }
    expect(await connect({ hooks }).balance.get()).toEqual({ available: '1.00' })
  })
})

describe('one call', () => {
  test('takes headers and a key of its own', async () => {
    await connect().balance.get({ headers: { Traceparent: '00-1-2-01' }, apiKey: 'cstk_live_other' })
    await connect().balance.get()
    expect(listener.asked.map(({ headers }) => [headers.authorization, headers['traceparent']])).toEqual([
      ['Bearer cstk_live_other', '00-1-2-01'],
      [`Bearer ${KEY}`, undefined],
    ])
  })

  test.each([
    ['Authorization', 'Bearer x'],
    ['idempotency-key', 'k'],
    ['HOST', 'elsewhere'],
    ['x-line', 'a\r\nhidden: 1'],
    ['a b', 'hidden'],
  ])('refuses the header %j and sends nothing', async (name, value) => {
    const error: unknown = await connect()
      .balance.get({ headers: { [name]: value } })
      .catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: 'invalid_argument' })
    expect((error as Error).message).not.toContain('hidden')
    expect(listener.asked).toEqual([])
  })

  test('refuses a key of the other kind, without quoting it', async () => {
    await expect(connect().balance.get({ apiKey: 'cstk_operator_x' })).rejects.toThrow(/^apiKey is an operator token/)
    const admin = new CardstockAdmin({ baseUrl: listener.baseUrl, operatorToken: 'cstk_operator_x' })
    await expect(admin.books.audit({ apiKey: KEY })).rejects.toThrow(/^operatorToken is a company's API key/)
    expect(listener.asked).toEqual([])
  })
})

describe('request', () => {
  test('sends any request with the key, a query and a body, and has withResponse', async () => {
    listener.reply = () => ({ status: 201, body: { id: 'x_1' }, headers: { 'x-request-id': 'r2' } })
    const call = connect().request<{ id: string }>('POST', '/api/v1/new-things', {
      query: { limit: 2, cursor: undefined },
      body: { name: 'a' },
      idempotencyKey: 'k-2',
    })
    expect(await call.withResponse()).toMatchObject({ data: { id: 'x_1' }, statusCode: 201, requestId: 'r2' })
    expect(listener.asked[0]).toMatchObject({ method: 'POST', url: '/api/v1/new-things?limit=2', body: { name: 'a' } })
    expect(listener.asked[0]?.headers).toMatchObject({ authorization: `Bearer ${KEY}`, 'idempotency-key': 'k-2' })
  })

  test('is sent again only if that is safe', async () => {
    listener.reply = () => ({ status: 503, body: REFUSAL, headers: { 'retry-after': '0' } })
    const cardstock = connect({ maxRetries: 1 })
    const fail = async (call: Promise<unknown>) => {
      const before = listener.asked.length
      await expect(call).rejects.toMatchObject({ statusCode: 503 })
      return listener.asked.length - before
    }
    expect(await fail(cardstock.request('GET', '/api/v1/balance'))).toBe(2)
    expect(await fail(cardstock.request('POST', '/api/v1/things'))).toBe(1)
    expect(await fail(cardstock.request('POST', '/api/v1/things', { idempotencyKey: 'k' }))).toBe(2)
  })

  test.each([
    'api/v1/balance',
    '@elsewhere/',
    '/../other',
    '/a/%2e%2e/b',
    '/a/.\t./b',
    '/a b',
    '/a?b=1',
    '/a#b',
    '/{id}',
  ])('refuses the path %j, which would go to another place than it says', async (path) => {
    const cardstock = connect({ baseUrl: `${listener.baseUrl}/cardstock` })
    await expect(cardstock.request('GET', path)).rejects.toMatchObject({ code: 'invalid_argument' })
    expect(listener.asked).toEqual([])
  })
})
