// What may be sent as a body. Every refusal has the server's error body and says what to change.
import { afterAll, describe, expect, it } from 'vitest'
import { TestServer } from '../../support/harness.ts'
import { expectError } from '../expect-error.ts'

const server = await TestServer.start()
const company = await server.createCompany()
afterAll(() => server.stop())

const PATH = '/api/v1/holders'
const VALID = { name: 'Ada', email: 'ada@example.com', kind: 'individual' }
const post = (body: unknown, headers: Record<string, string> = {}) =>
  server.request('POST', PATH, { token: company.key, idempotencyKey: 'k', body, headers })
const BODY_BYTES_MAX = 64 * 1024

describe('a body that is not JSON', () => {
  it.each([
    '{',
    '{"name":}',
    "{'name':'x'}",
    '{"a":1}{"b":2}',
    'name=Ada',
    '<x/>',
    '[1,]',
    'undefined',
    'NaN',
    '{"a":01}',
    '\uFEFFx',
  ])('%s answers 400', async (text) => {
    expect(expectError(await post(text), 'validation_failed').message).toContain('not valid JSON')
  })
})

describe('JSON that is not an object', () => {
  it.each(['[]', 'null', '42', '"text"', 'true', '[{"name":"Ada"}]'])('%s answers 400', async (text) => {
    expect(expectError(await post(text), 'validation_failed').message).toContain('body must be object')
  })

  it('a missing body is answered with every required field', async () => {
    const { message, details } = expectError(await post(undefined), 'validation_failed')
    for (const field of Object.keys(VALID)) expect(message).toContain(`body.${field} is required`)
    expect(details).toEqual({ problems: Object.keys(VALID).map((field) => `body.${field} is required`) })
  })

  it('an empty body with a content type counts as no body', async () => {
    expect(expectError(await post(''), 'validation_failed').message).toContain('body.name is required')
  })
})

describe('a duplicate key', () => {
  it.each([
    ['{"name":"Ada","name":"Eve","email":"a@b.example","kind":"individual"}', 'body.name is given twice'],
    ['{"name":{"first":1,"first":2}}', 'body.name.first is given twice'],
    [String.raw`{"name":"Ada","n\u0061me":"Eve"}`, 'body.name is given twice'],
  ])('%s answers 400 and names the key', async (text, message) => {
    expect(expectError(await post(text), 'validation_failed').message).toContain(message)
  })
})

describe('an encoding that the server does not read', () => {
  it.each(['gzip', 'br', 'deflate', 'identity, gzip', 'nonsense'])(
    'Content-Encoding %s answers 415',
    async (encoding) => {
      expectError(await post(VALID, { 'content-encoding': encoding }), 'unsupported_media_type')
    },
  )
  it.each(['iso-8859-1', 'utf-16', 'us-ascii', '""', 'utf-8x'])('charset %s answers 415', async (charset) => {
    const type = `application/json; charset=${charset}`
    expectError(await post(VALID, { 'content-type': type }), 'unsupported_media_type')
  })
  it.each([
    { 'content-encoding': 'identity' },
    { 'content-type': 'application/json; charset=utf-8' },
    { 'content-type': 'application/json;charset="UTF-8"' },
  ])('%j is read', async (headers) => {
    expect((await post('{}', headers)).status).toBe(400)
  })
})

describe('a body that is not UTF-8', () => {
  it.each([
    ['Latin-1', 'e9'],
    ['a sequence that is cut off', 'f09f98'],
    ['an overlong sequence', 'c080'],
    ['half of a surrogate pair', 'eda080'],
  ])('%s answers 400, with a length and in chunks', async (_name, hex) => {
    const [before = '', after = ''] = JSON.stringify({ ...VALID, name: '§' }).split('§')
    const bytes = Buffer.concat([Buffer.from(before), Buffer.from(hex, 'hex'), Buffer.from(after)])
    async function* chunks() {
      yield bytes
    }
    for (const body of [bytes, chunks()]) {
      const options = {
        method: 'POST',
        headers: { authorization: `Bearer ${company.key}`, 'content-type': 'application/json', 'idempotency-key': 'k' },
        body,
        duplex: 'half',
      }
      const response = await fetch(server.baseUrl + PATH, options as unknown as RequestInit)
      expect(await response.json()).toMatchObject({ statusCode: 400, code: 'validation_failed' })
    }
  })
})

describe('fields', () => {
  it('the answer names an unknown field', async () => {
    const { message } = expectError(await post({ ...VALID, colour: 'red' }), 'validation_failed')
    expect(message).toBe('body.colour is not a known field here; remove it.')
  })

  it.each(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'])(
    '%s is an unknown field like any other',
    async (name) => {
      const body = `{"name":"Ada","email":"ada@example.com","kind":"individual",${JSON.stringify(name)}:{"admin":true}}`
      expect(expectError(await post(body), 'validation_failed').message).toContain(name)
      expect(({} as Record<string, unknown>)['admin']).toBeUndefined()
    },
  )

  it('the answer to a wrong value of an enumeration lists the allowed values', async () => {
    const { message } = expectError(await post({ ...VALID, kind: 'robot' }), 'validation_failed')
    expect(message).toBe('body.kind must be one of individual, corporate.')
  })

  it.each([
    ['name', 7],
    ['name', ''],
    ['name', '   '],
    ['name', 'x'.repeat(256)],
    ['name', null],
    ['name', ['Ada']],
    ['email', 'ada'],
    ['email', 'a b@example.com'],
    ['email', `${'x'.repeat(65)}@example.com`],
    ['externalId', ''],
    ['externalId', 'x'.repeat(256)],
    ['externalId', {}],
  ])('%s: %j is refused, and the answer names the field', async (field, value) => {
    expect(expectError(await post({ ...VALID, [field]: value }), 'validation_failed').message).toContain(
      `body.${field}`,
    )
  })

  it.each(['name', 'email', 'externalId'])(
    'U+0000 in %s is refused, since the database cannot hold it',
    async (field) => {
      expectError(await post({ ...VALID, [field]: 'a\u0000@b' }), 'validation_failed')
    },
  )

  it('many problems in one body get a short answer', async () => {
    const body = Object.fromEntries(Array.from({ length: 400 }, (_, index) => [`field${index}`, index]))
    const { details } = expectError(await post(body), 'validation_failed')
    expect(details?.['problems']).toHaveLength(10)
  })
})

describe('depth', () => {
  const DEPTH = 15_000
  const nest = (inner: string) => '['.repeat(DEPTH) + inner + ']'.repeat(DEPTH)
  it.each([
    ['plain', nest('')],
    ['around __proto__', nest('"__proto__"')],
    ['around U+0000', nest('"\\u0000"')],
    ['inside a field', `{"name":${nest('')}}`],
    ['of objects', `${'{"a":'.repeat(DEPTH / 2)}1${'}'.repeat(DEPTH / 2)}`],
  ])('deep nesting, %s, is refused without an error in the server', async (_name, text) => {
    expectError(await post(text), 'validation_failed')
  })
})

describe('size', () => {
  const filled = (bytes: number) => {
    const frame = JSON.stringify({ name: '' })
    return JSON.stringify({ name: 'x'.repeat(bytes - frame.length) })
  }

  it('a body of exactly 64 KB is accepted', async () => {
    expectError(await post(filled(BODY_BYTES_MAX)), 'validation_failed')
  })

  it('one byte more answers 413', async () => {
    expectError(await post(filled(BODY_BYTES_MAX + 1)), 'payload_too_large')
  })

  it('is limited in a chunked body too', async () => {
    async function* chunks() {
      for (let sent = 0; sent < 4 * BODY_BYTES_MAX; sent += 8192) yield new TextEncoder().encode('x'.repeat(8192))
    }
    const options = {
      method: 'POST',
      headers: { authorization: `Bearer ${company.key}`, 'content-type': 'application/json', 'idempotency-key': 'k' },
      body: chunks(),
      duplex: 'half',
    }
    const response = await fetch(server.baseUrl + PATH, options as unknown as RequestInit)
    expect(response.status).toBe(413)
    expect(await response.json()).toMatchObject({ statusCode: 413, code: 'payload_too_large' })
  })
})

describe('content type', () => {
  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'text/json',
    'application/jsonp',
    'x',
    ';',
    'application/json/x',
  ])('%s answers 415', async (type) => {
    expectError(await post(JSON.stringify(VALID), { 'content-type': type }), 'unsupported_media_type')
  })

  it.each(['application/json', 'application/json; charset=utf-8', 'APPLICATION/JSON'])(
    '%s is accepted',
    async (type) => {
      expectError(await post('{}', { 'content-type': type }), 'validation_failed')
    },
  )
})

// This test comes last because it checks all requests above.
it('no refused request wrote to the database', async () => {
  expect(await server.db.many({ name: undefined, text: 'select 1 from holder', values: [] })).toHaveLength(0)
})
