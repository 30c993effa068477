// One request and every way in which it can fail.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createClient } from '../src/client.ts'
import { CardstockError, RefusedError, ServerError, UnreachableError } from '../src/errors.ts'
import { type Listener, startListener } from './listener.ts'

const TOKEN = 'cstk_sandbox_secret'
let listener: Listener

beforeEach(async () => {
  listener = await startListener()
})
afterEach(() => listener.close())

const client = (options: { timeoutMs?: number; baseUrl?: string } = {}) =>
  createClient({ baseUrl: listener.baseUrl, token: TOKEN, ...options })

async function failure(promise: Promise<unknown>): Promise<CardstockError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(CardstockError)
  return error as CardstockError
}

describe('what is sent', () => {
  test('method, path, query, body, token and idempotency key arrive as given', async () => {
    listener.reply = () => ({ status: 201, body: { id: 'x' } })
    const body = await client().request<{ id: string }>('POST', '/api/v1/things', {
      query: { a: 'ä b', b: 2, c: undefined },
      body: { name: 'N' },
      idempotencyKey: 'k-1',
    })
    expect(body).toEqual({ id: 'x' })
    const [asked] = listener.asked
    expect(asked).toMatchObject({ method: 'POST', url: '/api/v1/things?a=%C3%A4+b&b=2', body: { name: 'N' } })
    expect(asked?.headers).toMatchObject({
      authorization: `Bearer ${TOKEN}`,
      'idempotency-key': 'k-1',
      'content-type': 'application/json',
    })
  })

  test('without a body there is no content type, and a base path is kept', async () => {
    await client({ baseUrl: `${listener.baseUrl}/prefix/` }).request('GET', '/api/v1/things')
    expect(listener.asked[0]?.url).toBe('/prefix/api/v1/things')
    expect(listener.asked[0]?.headers['content-type']).toBeUndefined()
  })

  test('204 answers undefined', async () => {
    listener.reply = () => ({ status: 204 })
    expect(await client().request('DELETE', '/x')).toBeUndefined()
  })

  test('a given fetch is used instead of the global one', async () => {
    const custom = createClient({
      baseUrl: 'http://nowhere.invalid',
      token: TOKEN,
      fetch: async (url) => new Response(JSON.stringify({ url })),
    })
    expect(await custom.request('GET', '/x')).toEqual({ url: 'http://nowhere.invalid/x' })
  })
})

describe('what comes back', () => {
  test('4xx is a RefusedError with everything that the server said', async () => {
    listener.reply = () => ({
      status: 409,
      body: {
        statusCode: 409,
        code: 'quote_changed',
        message: 'Look again.',
        requestId: 'r1',
        details: { fee: '1.00' },
      },
    })
    const error = await failure(client().request('POST', '/x', { body: {}, idempotencyKey: 'k-2' }))
    expect(error).toBeInstanceOf(RefusedError)
    expect(error).toMatchObject({
      statusCode: 409,
      code: 'quote_changed',
      message: 'Look again.',
      requestId: 'r1',
      details: { fee: '1.00' },
      idempotencyKey: 'k-2',
    })
  })

  test.each([500, 503])('%i is a ServerError, and is not sent again', async (status) => {
    listener.reply = () => ({ status, body: { statusCode: status, code: 'internal', message: 'Oh.', requestId: 'r2' } })
    const error = await failure(client().request('GET', '/x'))
    expect(error).toBeInstanceOf(ServerError)
    expect(error).toMatchObject({ statusCode: status, code: 'internal', requestId: 'r2' })
    expect(listener.asked).toHaveLength(1)
  })

  test.each([
    ['a page of HTML with status 200', { text: '<html>' }, ServerError],
    ['a 502 of a proxy', { status: 502, text: 'Bad Gateway' }, ServerError],
    ['a 404 of another program', { status: 404, text: 'nope', headers: { 'x-request-id': 'r3' } }, RefusedError],
  ])('%s is an unexpected answer', async (_name, reply, type) => {
    listener.reply = () => reply
    const error = await failure(client().request('GET', '/x'))
    expect(error).toBeInstanceOf(type)
    expect(error.code).toBe('unexpected_answer')
  })

  test('a redirect is not followed: the token stays where it was meant to go', async () => {
    listener.reply = () => ({ status: 307, headers: { location: `${listener.baseUrl}/elsewhere` } })
    expect(await failure(client().request('GET', '/x'))).toMatchObject({ code: 'unexpected_answer', statusCode: 307 })
    expect(listener.asked).toHaveLength(1)
  })
})

describe('no answer', () => {
  test('nobody listens: UnreachableError that names the address and the reason', async () => {
    await listener.close()
    const error = await failure(client().request('GET', '/x'))
    expect(error).toBeInstanceOf(UnreachableError)
    expect(error).toMatchObject({ code: 'unreachable', statusCode: undefined })
    expect(error.message).toContain(listener.baseUrl)
    expect(error.message).toContain('ECONNREFUSED')
  })

  test('too late: UnreachableError with code timeout and the idempotency key to repeat with', async () => {
    listener.reply = () => undefined
    const error = await failure(client({ timeoutMs: 50 }).request('POST', '/x', { body: {}, idempotencyKey: 'k-3' }))
    expect(error).toBeInstanceOf(UnreachableError)
    expect(error).toMatchObject({ code: 'timeout', idempotencyKey: 'k-3' })
    // Not repeated. On a busy machine the time may be over before the request has left.
    expect(listener.asked.length).toBeLessThan(2)
  })
})

describe('secrets', () => {
  test('no error shows the token', async () => {
    listener.reply = () => ({ status: 401, body: { code: 'invalid_api_key', message: 'No.' } })
    const refused = await failure(client().request('GET', '/x'))
    await listener.close()
    const unreachable = await failure(client().request('GET', '/x'))
    for (const error of [refused, unreachable]) {
      expect(`${error.stack} ${JSON.stringify(error)} ${String(error.cause)}`).not.toContain(TOKEN)
    }
  })

  test.each(['', 'two words', 'line\nbreak', 'ümlaut'])('the token %j is refused without quoting it', (token) => {
    expect(() => createClient({ baseUrl: 'http://localhost', token })).toThrow(/^The token is empty or has characters/)
  })

  test.each(['localhost:8080', 'ftp://localhost', '', 'http://user:hidden@localhost'])(
    'the address %j is refused without quoting it',
    (baseUrl) => {
      expect(() => createClient({ baseUrl, token: TOKEN })).toThrow(/^baseUrl must (not hold|begin with)[^@]*$/)
    },
  )
})
