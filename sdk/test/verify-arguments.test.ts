// What can be passed to webhooks.verify, and that everything else is refused with a message that says what to pass.
import { readFileSync } from 'node:fs'
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { type VerifyOptions, webhooks, WebhookVerificationError } from '../src/index.ts'

interface Signed {
  secrets: string[]
  id: string
  timestamp: number
  body: string
  serviceSignature: string
  webhookSignature: string
}

const vectors = JSON.parse(readFileSync(new URL('../../vectors/webhook-signatures.json', import.meta.url), 'utf8')) as {
  signed: Signed[]
}
const genuine = vectors.signed[0] as Signed

const standardHeaders = ({ id, timestamp, webhookSignature }: Signed) => ({
  'webhook-id': id,
  'webhook-timestamp': String(timestamp),
  'webhook-signature': webhookSignature,
})

async function codeOf(verified: Promise<unknown>): Promise<unknown> {
  return verified.then(
    () => 'verified',
    (error: unknown) => (error instanceof WebhookVerificationError ? error.code : error),
  )
}

describe('the raw body', () => {
  const headers = { 'service-signature': genuine.serviceSignature }
  const now = { now: genuine.timestamp }
  const bytes = new TextEncoder().encode(genuine.body)
  const shared = new SharedArrayBuffer(bytes.length)
  new Uint8Array(shared).set(bytes)
  const padded = Buffer.concat([Buffer.from('x'), bytes, Buffer.from('y')])
  const ofAnotherRealm = runInNewContext('Uint8Array.from(bytes).buffer', { bytes: [...bytes] }) as ArrayBuffer

  test.each([
    ['text', genuine.body],
    ['bytes', bytes],
    ['a Buffer', Buffer.from(bytes)],
    ['a part of a Buffer', padded.subarray(1, -1)],
    ['an ArrayBuffer', bytes.slice().buffer],
    ['an ArrayBuffer of another realm', ofAnotherRealm],
    ['a SharedArrayBuffer', shared as unknown as ArrayBuffer],
    ['a DataView', new DataView(bytes.buffer)],
    ['a part of an ArrayBuffer in a DataView', new DataView(Uint8Array.from(padded).buffer, 1, bytes.length)],
    ['a view of other numbers', new Int8Array(bytes.buffer)],
  ])('can be %s', async (_name, rawBody) => {
    expect(await webhooks.verify(rawBody, headers, genuine.secrets, now)).toEqual(JSON.parse(genuine.body))
  })

  const transferred = new Uint8Array(8)
  structuredClone(transferred.buffer, { transfer: [transferred.buffer] })
  test.each([
    ['a parsed body', JSON.parse(genuine.body), 'an object'],
    ['nothing', undefined, 'undefined'],
    ['null', null, 'null'],
    ['a number', 5, 'number'],
    ['a boolean', true, 'boolean'],
    ['a big integer', 5n, 'bigint'],
    ['a symbol', Symbol('body'), 'symbol'],
    ['a function', () => genuine.body, 'function'],
    ['a list of numbers', [...bytes], 'an array'],
    ['a Blob', new Blob([bytes]), 'an object'],
    ['a Request', new Request('http://127.0.0.1/', { method: 'POST', body: 'x' }), 'an object'],
    ['an object that says that it is an ArrayBuffer', { [Symbol.toStringTag]: 'ArrayBuffer', length: -1 }, 'an object'],
    ['bytes that were transferred', transferred, 'an object'],
    ['a buffer that was transferred', transferred.buffer, 'an object'],
    ['an object without a prototype', Object.create(null), 'an object'],
  ])('that is %s is refused, and the message says what to pass', async (_name, rawBody, found) => {
    const verified = webhooks.verify(rawBody as string, headers, genuine.secrets, now)
    expect(await codeOf(verified)).toBe('invalid_argument')
    await expect(verified).rejects.toThrow(
      `rawBody is ${found}. Pass the body as it arrived, before anything parses it`,
    )
  })

  test('that changes while it is verified is not what is parsed', async () => {
    const buffer = Buffer.from(bytes)
    const verified = webhooks.verify(buffer, headers, genuine.secrets, now)
    buffer.fill('x')
    expect(await verified).toEqual(JSON.parse(genuine.body))
  })
})

describe('a mistake in the program', () => {
  const headers = { 'service-signature': genuine.serviceSignature }
  const refusing = (headersGiven: unknown, secrets: unknown = genuine.secrets, options?: unknown) =>
    webhooks.verify(genuine.body, headersGiven as typeof headers, secrets as string, options as VerifyOptions)

  test.each([
    [''],
    [[]],
    [['']],
    [undefined],
    [null],
    [5],
    [{ secret: 'whsec_x' }],
    [['whsec_x', undefined]],
    [[['whsec_x']]],
    [new Uint8Array(32)],
  ])('such as the secret %j is refused', async (secrets) => {
    const verified = refusing(headers, secrets === undefined ? null : secrets)
    expect(await codeOf(verified)).toBe('invalid_argument')
    await expect(verified).rejects.toThrow('The webhook secret is empty or not a string. Pass the secret')
  })

  test.each([[undefined], [null], ['t=1,v1=x'], [5], [[['service-signature', 'x']]], [() => 'x']])(
    'such as the headers %j is refused',
    async (given) => {
      expect(await codeOf(refusing(given))).toBe('invalid_argument')
      await expect(refusing(given)).rejects.toThrow('Pass the headers of the request')
    },
  )

  const unreadable = {
    get: () => {
      throw new Error('no')
    },
  }
  test.each([
    ['a number', { 'service-signature': 5 }],
    ['an object', { 'service-signature': {} }],
    ['a list with a number', { 'service-signature': ['x', 5] }],
    ['a time as a number', { ...standardHeaders(genuine), 'webhook-timestamp': genuine.timestamp }],
    ['what get returns', { get: () => 5 }],
    ['headers that cannot be read', unreadable],
  ])('such as a header that is %s is refused', async (_name, given) => {
    expect(await codeOf(refusing(given, genuine.secrets, { now: genuine.timestamp }))).toBe('invalid_argument')
    await expect(refusing(given)).rejects.toThrow('Pass the headers of the request')
  })

  test.each([[null], ['300'], [{}], [5n], [true]])('such as the tolerance %o is refused', async (toleranceSeconds) => {
    const verified = refusing(headers, genuine.secrets, { toleranceSeconds })
    expect(await codeOf(verified)).toBe('invalid_argument')
    await expect(verified).rejects.toThrow('toleranceSeconds must be a positive number')
  })

  test.each([[null], ['1768471200'], [new Date()], [5n]])('such as the time %o is refused', async (now) => {
    expect(await codeOf(refusing(headers, genuine.secrets, { now }))).toBe('invalid_argument')
  })

  test('such as null for the options does not end the receiver', async () => {
    expect(await codeOf(refusing(headers, genuine.secrets, null))).toBe('timestamp_out_of_tolerance')
  })

  test('such as a header that is missing or null is not one', async () => {
    expect(await codeOf(refusing({ 'service-signature': null, 'webhook-signature': undefined }))).toBe(
      'signature_missing',
    )
  })
})
