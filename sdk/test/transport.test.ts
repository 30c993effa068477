// One call over a real connection: what is sent, what is returned, when it is retried, and every way to fail.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  AbortedError,
  AuthenticationError,
  BadRequestError,
  CardstockError,
  ConflictError,
  NotFoundError,
  PayloadTooLargeError,
  PermissionError,
  RateLimitError,
  RefusedError,
  ServerError,
  UnavailableError,
  UnreachableError,
} from '../src/errors.ts'
import { Cardstock, CardstockAdmin } from '../src/cardstock.ts'
import { type ClientOptions, readSettings, VERSION } from '../src/options.ts'
import { createTransport } from '../src/transport.ts'
import { type Listener, type Reply, startListener } from './listener.ts'

const KEY = 'cstk_sandbox_secret'
const operation = { type: 'topup', cardId: 'card_1', amount: '10.00' } as const
const refusal = (status: number, code = 'some_code') => ({
  status,
  body: { statusCode: status, code, message: 'No.', requestId: 'r1' },
})
let listener: Listener
let waits: number[]

beforeEach(async () => {
  listener = await startListener()
  waits = []
})
afterEach(() => listener.close())

/** A transport whose waits are recorded and take no time. */
function connect(options: ClientOptions = {}) {
  const settings = readSettings(
    { baseUrl: listener.baseUrl, ...options },
    { name: 'apiKey', variable: 'CARDSTOCK_API_KEY', value: KEY },
  )
  return createTransport(settings, async (ms) => {
    waits.push(ms)
  })
}

const get = (options: ClientOptions = {}) => connect(options).call('GET /api/v1/balance', {})
const create = (options: ClientOptions = {}, idempotencyKey?: string) =>
  connect(options).callOnce('POST /api/v1/operations', { body: operation }, { idempotencyKey })
const freeze = (options: ClientOptions = {}) =>
  connect(options).call('POST /api/v1/cards/{id}/freeze', { params: { id: 'card_1' } })

/** Answers with each reply in turn, then with the last one for every further request. */
function replyInTurn(...replies: Reply[]): void {
  listener.reply = () => replies[Math.min(listener.asked.length, replies.length) - 1]
}

async function failure(promise: Promise<unknown>): Promise<CardstockError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(CardstockError)
  return error as CardstockError
}

describe('a request', () => {
  test('carries the method, path, query, body, key, user agent and idempotency key', async () => {
    listener.reply = () => ({ status: 201, body: { id: 'op_1' } })
    expect(await create({}, 'k-1')).toEqual({ id: 'op_1' })
    expect(listener.asked[0]).toMatchObject({ method: 'POST', url: '/api/v1/operations', body: operation })
    expect(listener.asked[0]?.headers).toMatchObject({
      authorization: `Bearer ${KEY}`,
      'idempotency-key': 'k-1',
      'content-type': 'application/json',
      'user-agent': `cardstock-sdk/${VERSION}`,
    })
  })

  test('without a body has no content type, keeps the base path and omits undefined filters', async () => {
    listener.reply = () => ({ body: { data: [] } })
    const transport = connect({ baseUrl: `${listener.baseUrl}/prefix/` })
    await transport.list('GET /api/v1/cards', { query: { status: undefined, holderId: 'ä b' } })
    expect(listener.asked[0]?.url).toBe('/prefix/api/v1/cards?holderId=%C3%A4+b')
    expect(listener.asked[0]?.headers['content-type']).toBeUndefined()
  })

  test('that is answered with 204 resolves with undefined', async () => {
    listener.reply = () => ({ status: 204 })
    expect(await freeze()).toBeUndefined()
  })

  test('uses a given fetch instead of the global one', async () => {
    const fetch = async (url: unknown) => new Response(JSON.stringify({ url }))
    expect(await get({ baseUrl: 'http://nowhere.invalid', fetch })).toEqual({
      url: 'http://nowhere.invalid/api/v1/balance',
    })
  })

  test('with an id that needs encoding stays one path segment', async () => {
    await connect().call('GET /api/v1/cards/{id}', { params: { id: 'a/../b?c#d' } })
    expect(listener.asked[0]?.url).toBe('/api/v1/cards/a%2F..%2Fb%3Fc%23d')
  })

  test.each(['', '.', '..'])('with the id %j is refused before anything is sent', async (id) => {
    const call = connect().call('GET /api/v1/cards/{id}', { params: { id } })
    expect(await failure(call)).toMatchObject({ code: 'invalid_argument' })
    expect(listener.asked).toHaveLength(0)
  })

  test.each(['', 'two words', 'é', 'k'.repeat(129)])('with the idempotency key %j is refused', async (key) => {
    expect(await failure(create({}, key))).toMatchObject({ code: 'invalid_argument' })
    expect(listener.asked).toHaveLength(0)
  })
})

describe('an error', () => {
  test.each([
    [400, BadRequestError],
    [401, AuthenticationError],
    [403, PermissionError],
    [404, NotFoundError],
    [405, RefusedError],
    [409, ConflictError],
    [413, PayloadTooLargeError],
    [429, RateLimitError],
    [500, ServerError],
    [503, UnavailableError],
  ] as const)('of status %i has its class', async (status, type) => {
    listener.reply = () => refusal(status)
    const error = await failure(freeze())
    expect(error.constructor).toBe(type)
    expect(error.name).toBe(type.name)
    expect(error).toBeInstanceOf(status < 500 ? RefusedError : ServerError)
  })

  test('says how long the server asks to wait, if it does', async () => {
    listener.reply = () => ({ ...refusal(429), headers: { 'retry-after': '120' } })
    expect(await failure(freeze())).toMatchObject({ statusCode: 429, retryAfterMs: 120_000 })
    listener.reply = () => refusal(429)
    expect((await failure(freeze())).retryAfterMs).toBeUndefined()
  })

  test('contains everything that the server returned', async () => {
    const details = { available: '1.00', required: '2.00' }
    const docUrl = 'https://cards.example.com/docs/errors#insufficient_funds'
    listener.reply = () => ({
      status: 400,
      body: { code: 'insufficient_funds', message: 'Fund it.', requestId: 'r1', param: 'amount', details, docUrl },
    })
    expect(await failure(create({}, 'k-2'))).toMatchObject({
      statusCode: 400,
      code: 'insufficient_funds',
      message: 'Fund it.',
      requestId: 'r1',
      param: 'amount',
      details,
      docUrl,
      idempotencyKey: 'k-2',
    })
  })

  test.each([
    ['a page of HTML with status 200', { text: '<html>' }, ServerError],
    ['a 404 of another program', { status: 404, text: 'nope', headers: { 'x-request-id': 'r3' } }, RefusedError],
    ['a redirect, which is not followed', { status: 307, headers: { location: '/elsewhere' } }, ServerError],
  ])('says that %s is not from a Cardstock server', async (_name, reply, type) => {
    listener.reply = () => reply
    const error = await failure(get())
    expect(error).toBeInstanceOf(type)
    expect(error.code).toBe('unexpected_answer')
    expect(listener.asked).toHaveLength(1)
  })

  test('never shows the key', async () => {
    listener.reply = () => refusal(401)
    const refused = await failure(get())
    await listener.close()
    const unreachable = await failure(get())
    for (const error of [refused, unreachable])
      expect(`${error.stack} ${JSON.stringify(error)} ${String(error.cause)}`).not.toContain(KEY)
  })
})

describe('a retry', () => {
  test.each([429, 500, 502, 503])('follows a GET that is answered with %i', async (status) => {
    replyInTurn(refusal(status), refusal(status), { body: { available: '1.00' } })
    expect(await get()).toEqual({ available: '1.00' })
    expect(listener.asked).toHaveLength(3)
  })

  test('follows a GET whose connection breaks', async () => {
    replyInTurn({ drop: true }, { body: { available: '1.00' } })
    expect(await get()).toEqual({ available: '1.00' })
    expect(listener.asked).toHaveLength(2)
  })

  test('follows a POST with an idempotency key, and keeps the key', async () => {
    replyInTurn({ drop: true }, refusal(503), { status: 201, body: { id: 'op_1' } })
    expect(await create()).toEqual({ id: 'op_1' })
    const keys = listener.asked.map(({ headers }) => headers['idempotency-key'])
    expect(keys).toHaveLength(3)
    expect(new Set(keys).size).toBe(1)
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/)
  })

  test.each([[{ drop: true } as const], [refusal(503)], [refusal(429)]])(
    'does not follow a POST without an idempotency key (%j)',
    async (reply) => {
      listener.reply = () => reply
      await failure(freeze())
      expect(listener.asked).toHaveLength(1)
    },
  )

  test.each([400, 404, 409])('does not follow %i', async (status) => {
    listener.reply = () => refusal(status)
    await failure(create())
    expect(listener.asked).toHaveLength(1)
  })

  test.each([0, 1, 2, 4])('happens at most maxRetries = %i times', async (maxRetries) => {
    listener.reply = () => refusal(503)
    await failure(get({ maxRetries }))
    expect(listener.asked).toHaveLength(maxRetries + 1)
  })

  test('waits twice as long each time, with jitter', async () => {
    listener.reply = () => refusal(503)
    await failure(get({ maxRetries: 3 }))
    for (const [index, full] of [500, 1000, 2000].entries()) {
      expect(waits[index]).toBeGreaterThanOrEqual(full / 2)
      expect(waits[index]).toBeLessThanOrEqual(full)
    }
  })

  test('waits as long as Retry-After says', async () => {
    replyInTurn({ ...refusal(429), headers: { 'retry-after': '7' } }, { body: {} })
    await get()
    expect(waits).toEqual([7000])
  })

  test.each([
    ['longer than the call may take', '20', { totalTimeoutMs: 10_000 }],
    ['longer than a minute', '61', { timeoutMs: 600_000 }],
  ])('does not happen when Retry-After is %s', async (_name, seconds, options) => {
    listener.reply = () => ({ ...refusal(429), headers: { 'retry-after': seconds } })
    expect(await failure(get(options))).toBeInstanceOf(RateLimitError)
    expect(listener.asked).toHaveLength(1)
  })
})

describe('a lost answer', () => {
  test.each([
    ['a broken connection', { drop: true } as const, 'unreachable'],
    ['a server error', refusal(500, 'internal'), 'internal'],
    ['a proxy page', { status: 502, text: 'Bad Gateway' }, 'unexpected_answer'],
  ])('of %s gives the key and says what to do', async (_name, reply, code) => {
    listener.reply = () => reply
    const error = await failure(create())
    const sent = listener.asked[0]?.headers['idempotency-key']
    expect(error).toMatchObject({ code, idempotencyKey: sent })
    expect(error.message).toContain(`Send it again with idempotencyKey "${String(sent)}"`)
  })

  test('without a key says to read the object first', async () => {
    listener.reply = () => ({ drop: true })
    expect((await failure(freeze())).message).toContain('Read the object before you repeat the call.')
  })

  test('that was never asked for says that nothing was sent, also for a POST', async () => {
    await listener.close()
    expect((await failure(create())).message).toMatch(/\(ECONNREFUSED\)\. Nothing was sent\.$/)
  })

  test('is still possible when only the last attempt found no server', async () => {
    listener.reply = () => {
      void listener.close()
      return { drop: true }
    }
    expect((await failure(create())).message).toContain('It is not known whether the request was carried out.')
  })

  test('of a GET needs no advice', async () => {
    await listener.close()
    const error = await failure(get())
    expect(error).toBeInstanceOf(UnreachableError)
    expect(error).toMatchObject({ code: 'unreachable', statusCode: undefined })
    expect(error.message).toBe(`Could not reach ${listener.baseUrl} (ECONNREFUSED). Nothing was sent.`)
  })
})

describe('a signal', () => {
  test('ends a call that is under way', async () => {
    const controller = new AbortController()
    listener.reply = () => {
      controller.abort()
      return undefined
    }
    const call = connect().callOnce(
      'POST /api/v1/operations',
      { body: operation },
      { signal: controller.signal, idempotencyKey: 'k-4' },
    )
    const error = await failure(call)
    expect(error).toBeInstanceOf(AbortedError)
    expect(error).toMatchObject({ code: 'aborted', idempotencyKey: 'k-4' })
  })

  test('that is already aborted sends nothing', async () => {
    const call = connect().call('GET /api/v1/balance', {}, { signal: AbortSignal.abort() })
    expect(await failure(call)).toMatchObject({ code: 'aborted' })
    expect(listener.asked).toHaveLength(0)
  })

  test('ends the wait before a retry', async () => {
    listener.reply = () => ({ ...refusal(429), headers: { 'retry-after': '20' } })
    const controller = new AbortController()
    const real = createTransport(
      readSettings({ baseUrl: listener.baseUrl }, { name: 'apiKey', variable: 'CARDSTOCK_API_KEY', value: KEY }),
    )
    const call = real.call('GET /api/v1/balance', {}, { signal: controller.signal })
    while (listener.asked.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    controller.abort()
    expect(await failure(call)).toMatchObject({ code: 'aborted' })
  })
})

describe('a client', () => {
  test.each(['two words', 'line\nbreak', 'ümlaut'])('refuses the key %j without quoting it', (apiKey) => {
    expect(() => new Cardstock({ apiKey })).toThrow(/^apiKey has characters that no key has/)
  })

  test('refuses to be made without a key, or with the key of the other kind', () => {
    expect(() => new Cardstock({ apiKey: '' })).toThrow(/^apiKey is missing/)
    expect(() => new Cardstock({ apiKey: 'cstk_operator_x' })).toThrow(/Use CardstockAdmin/)
    expect(() => new CardstockAdmin({ operatorToken: KEY })).toThrow(/Use Cardstock/)
  })

  test.each(['localhost:8080', 'ftp://localhost', '', 'http://user:hidden@localhost'])(
    'refuses the address %j without quoting it',
    (baseUrl) => {
      expect(() => new Cardstock({ baseUrl, apiKey: KEY })).toThrow(/^baseUrl must (not hold|begin with)[^@]*$/)
    },
  )

  test('refuses to run in a browser, where every visitor could read the key', () => {
    const page = globalThis as { window?: unknown; document?: unknown }
    page.window = page
    page.document = {}
    try {
      expect(() => new Cardstock({ apiKey: KEY })).toThrow(/must not be used in a browser/)
      expect(() => new CardstockAdmin({ operatorToken: 'cstk_operator_x' })).toThrow(/must not be used in a browser/)
    } finally {
      delete page.window
      delete page.document
    }
  })
})
