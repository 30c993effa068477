// webhooks.verify against the shared vectors: what it accepts, and why it refuses the rest.
import { readFileSync } from 'node:fs'
import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { type WebhookEvent, WEBHOOK_TOLERANCE_S, webhooks, WebhookVerificationError } from '../src/index.ts'

interface Signed {
  name: string
  secrets: string[]
  id: string
  timestamp: number
  body: string
  serviceSignature: string
  webhookSignature: string
}
interface Check {
  name: string
  body: string
  signature: string
  secret: string
  now: number
  result: string
}

const vectors = JSON.parse(readFileSync(new URL('../../vectors/webhook-signatures.json', import.meta.url), 'utf8')) as {
  toleranceSeconds: number
  signed: Signed[]
  checks: Check[]
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

describe('the Service-Signature header', () => {
  test.each(vectors.checks)('$name: $result', async ({ body, signature, secret, now, result }) => {
    const verified = webhooks.verify(body, { 'service-signature': signature }, secret, { now })
    expect(await codeOf(verified)).toBe(result)
    if (result === 'verified') expect(await verified).toEqual(JSON.parse(body))
  })

  test.each(vectors.signed)('is verified over bytes, with any of several secrets: $name', async (signed) => {
    const { body, serviceSignature, secrets, timestamp } = signed
    const headers = new Headers({ 'Service-Signature': serviceSignature })
    const event = await webhooks.verify(Buffer.from(body), headers, ['whsec_unknown', ...secrets], { now: timestamp })
    expect(event).toEqual(JSON.parse(body))
  })

  test('takes precedence when both are present', async () => {
    const headers = { ...standardHeaders(genuine), 'Service-Signature': `t=${genuine.timestamp},v1=${'0'.repeat(64)}` }
    const verified = webhooks.verify(genuine.body, headers, genuine.secrets, { now: genuine.timestamp })
    expect(await codeOf(verified)).toBe('signature_mismatch')
  })
})

describe('the headers of Standard Webhooks', () => {
  test.each(vectors.signed)('are verified: $name', async (signed) => {
    const { body, secrets, timestamp } = signed
    const now = { now: timestamp }
    expect(await webhooks.verify(body, standardHeaders(signed), secrets, now)).toEqual(JSON.parse(body))
    expect(await webhooks.verify(body, new Headers(standardHeaders(signed)), secrets, now)).toEqual(JSON.parse(body))
  })

  test.each([
    ['another id', { 'webhook-id': 'evt_other' }, 'signature_mismatch'],
    ['another time', { 'webhook-timestamp': String(genuine.timestamp + 1) }, 'signature_mismatch'],
    ['no id', { 'webhook-id': undefined }, 'signature_malformed'],
    ['no time', { 'webhook-timestamp': undefined }, 'signature_malformed'],
    ['a time that is not a number', { 'webhook-timestamp': 'now' }, 'signature_malformed'],
    ['another version only', { 'webhook-signature': 'v2,AAAA' }, 'signature_malformed'],
    ['no signature', { 'webhook-signature': '' }, 'signature_missing'],
  ])('with %s are refused', async (_name, change, code) => {
    const headers = { ...standardHeaders(genuine), ...change }
    const verified = webhooks.verify(genuine.body, headers, genuine.secrets, { now: genuine.timestamp })
    expect(await codeOf(verified)).toBe(code)
  })

  test.each([-301, 301])('are refused %i seconds away', async (seconds) => {
    const now = genuine.timestamp + seconds
    const verified = webhooks.verify(genuine.body, standardHeaders(genuine), genuine.secrets, { now })
    expect(await codeOf(verified)).toBe('timestamp_out_of_tolerance')
  })
})

describe('the tolerance', () => {
  const headers = { 'service-signature': genuine.serviceSignature }
  const verifyAt = (now: number, toleranceSeconds?: number) =>
    codeOf(webhooks.verify(genuine.body, headers, genuine.secrets, { now, toleranceSeconds }))

  test('is the documented one by default, even if it is passed as undefined', async () => {
    expect(WEBHOOK_TOLERANCE_S).toBe(vectors.toleranceSeconds)
    expect(await verifyAt(genuine.timestamp + 301, undefined)).toBe('timestamp_out_of_tolerance')
  })

  test('can be changed', async () => {
    expect(await verifyAt(genuine.timestamp + 301, 600)).toBe('verified')
    expect(await verifyAt(genuine.timestamp + 2, 1)).toBe('timestamp_out_of_tolerance')
  })

  test.each([0, -1, Number.NaN, Infinity])('cannot be switched off with %d', async (tolerance) => {
    expect(await verifyAt(genuine.timestamp, tolerance)).toBe('invalid_argument')
  })

  test('is measured against the current time if no time is given', async () => {
    expect(await codeOf(webhooks.verify(genuine.body, headers, genuine.secrets))).toBe('timestamp_out_of_tolerance')
  })

  test('does not accept a time that is not a number', async () => {
    expect(await verifyAt(Number.NaN)).toBe('timestamp_out_of_tolerance')
  })
})

describe('a signed body that is not JSON', () => {
  test('is refused with a separate code', async () => {
    const secret = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8='
    const signature = new Webhook(secret).sign('evt_1', new Date(1_768_471_200_000), 'not json')
    const headers = { 'webhook-id': 'evt_1', 'webhook-timestamp': '1768471200', 'webhook-signature': signature }
    expect(await codeOf(webhooks.verify('not json', headers, secret, { now: 1_768_471_200 }))).toBe('body_malformed')
  })
})

describe('a signed test request', () => {
  const [secret = ''] = genuine.secrets
  const event = JSON.parse(genuine.body) as WebhookEvent

  test('is what the server sends', async () => {
    const request = await webhooks.signTestRequest(event, secret, { timestamp: genuine.timestamp })
    expect(request.body).toBe(genuine.body)
    expect(request.headers['service-signature']).toBe(genuine.serviceSignature)
    expect(request.headers).toMatchObject(standardHeaders(genuine))
  })

  test('is accepted by the SDK and by an independent verifier', async () => {
    const { body, headers } = await webhooks.signTestRequest(event, secret)
    expect(await webhooks.verify(body, headers, secret)).toEqual(event)
    expect(new Webhook(secret).verify(body, headers)).toEqual(event)
  })

  test('needs a real secret', async () => {
    await expect(webhooks.signTestRequest(event, 'not Base64 ***')).rejects.toThrow(TypeError)
  })
})

test('an event is narrowed by its type', async () => {
  const { body, serviceSignature, secrets, timestamp } = genuine
  const event = await webhooks.verify(body, { 'service-signature': serviceSignature }, secrets, { now: timestamp })
  if (event.type !== 'operation.completed') throw new Error('the vector is an operation.completed')
  expect(event.data.result.receipt).toBe('rcpt_1')
})

test('verifying works where the global Web Crypto is missing', async () => {
  const kept = Object.getOwnPropertyDescriptor(globalThis, 'crypto')
  Object.defineProperty(globalThis, 'crypto', { value: undefined, configurable: true })
  try {
    const headers = { 'service-signature': genuine.serviceSignature }
    const verified = webhooks.verify(genuine.body, headers, genuine.secrets, { now: genuine.timestamp })
    expect(await codeOf(verified)).toBe('verified')
  } finally {
    if (kept !== undefined) Object.defineProperty(globalThis, 'crypto', kept)
  }
})
