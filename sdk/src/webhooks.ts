// Verifies webhooks: first the signature and the time, then the parsing. Nothing of a request that is not genuine is ever
// parsed. Uses Web Crypto, which every runtime has.
import type { WebhookEvent } from './events.ts'
import type { EventType } from './generated/values.ts'

/** Seconds by which the sender's and the receiver's clocks may differ, in both directions. */
export const WEBHOOK_TOLERANCE_S = 300

/** Header names and values, as `Request` or Node's `IncomingMessage` have them. */
export type WebhookHeaders =
  { get(name: string): string | null } | Readonly<Record<string, string | readonly string[] | undefined>>

export interface VerifyOptions {
  /** Default: 300. It can be made smaller or larger, but not switched off. */
  readonly toleranceSeconds?: number | undefined
  /** Unix seconds. Default: now. */
  readonly now?: number | undefined
}

export type WebhookRefusal =
  'signature_missing' | 'signature_malformed' | 'timestamp_out_of_tolerance' | 'signature_mismatch' | 'body_malformed'

/** The request is not genuine. Answer it with 400 and do nothing else. */
export class WebhookVerificationError extends Error {
  override name = 'WebhookVerificationError'
  readonly code: WebhookRefusal

  constructor(code: WebhookRefusal, message: string) {
    super(message)
    this.code = code
  }
}

/**
 * Returns the event of a genuine request; throws WebhookVerificationError for any other. `rawBody` is exactly what
 * arrived: bytes, or their text. A body that was parsed and written again does not verify. `secrets` is the endpoint's
 * secret, `whsec_…`, or several while one is being replaced.
 */
async function verify<Type extends EventType = EventType>(
  rawBody: Uint8Array | string,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  options: VerifyOptions = {},
): Promise<WebhookEvent<Type>> {
  const known = [secrets].flat()
  if (known.length === 0 || known.some((secret) => typeof secret !== 'string' || secret === ''))
    throw new TypeError('The webhook secret is empty. Pass the secret that was shown when the endpoint was created.')
  const tolerance = requireTolerance(options.toleranceSeconds)
  const claim = readClaim(headers)
  const now = options.now ?? Math.floor(Date.now() / 1000)
  if (!(Math.abs(now - claim.timestamp) <= tolerance))
    throw new WebhookVerificationError(
      'timestamp_out_of_tolerance',
      'The signature is too old or from the future. Check the clock of this machine.',
    )
  const body = typeof rawBody === 'string' ? utf8(rawBody) : rawBody
  const message = concat(utf8(claim.prefix), body)
  let isGenuine = false
  // Every secret and signature is compared, so that the time taken does not tell which one matched.
  for (const secret of known) {
    const key = claim.keyOf(secret)
    if (key === undefined) continue
    if (equalAny(await hmac(key, message), claim.signatures)) isGenuine = true
  }
  if (!isGenuine)
    throw new WebhookVerificationError(
      'signature_mismatch',
      'No signature belongs to this body and secret. Pass the raw body, and the secret of this endpoint.',
    )
  return parse(body) as WebhookEvent<Type>
}

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body))
  } catch {
    throw new WebhookVerificationError('body_malformed', 'The body is signed but is not JSON.')
  }
}

function requireTolerance(seconds: number | undefined): number {
  if (seconds === undefined) return WEBHOOK_TOLERANCE_S
  if (Number.isFinite(seconds) && seconds > 0) return seconds
  throw new TypeError('toleranceSeconds must be a positive number of seconds. The check cannot be switched off.')
}

/** What a request claims about itself, in either dialect. */
interface Claim {
  readonly timestamp: number
  readonly signatures: readonly Uint8Array[]
  /** What was signed before the body. */
  readonly prefix: string
  /** The bytes of a secret that sign; undefined when it is not a secret of this dialect. */
  keyOf(secret: string): Uint8Array | undefined
}

function readClaim(headers: WebhookHeaders): Claim {
  const own = readHeader(headers, 'service-signature')
  if (own !== undefined) return readServiceSignature(own)
  const standard = readHeader(headers, 'webhook-signature')
  if (standard !== undefined) return readStandardWebhook(headers, standard)
  throw new WebhookVerificationError(
    'signature_missing',
    'The request has neither a Service-Signature nor a Webhook-Signature header.',
  )
}

function readHeader(headers: WebhookHeaders, name: string): string | undefined {
  if (typeof headers.get === 'function') return headers.get(name) || undefined
  for (const [key, value] of Object.entries(headers) as [string, string | readonly string[] | undefined][]) {
    if (key.toLowerCase() === name) return (typeof value === 'string' ? value : value?.join(',')) || undefined
  }
  return undefined
}

/** `t=1700000000,v1=hex`, with several v1 while a secret is being replaced. Other fields belong to other versions. */
function readServiceSignature(header: string): Claim {
  const fields = header.split(',').map((field) => field.trim())
  const times = fields.filter((field) => field.startsWith('t='))
  const signatures = fields.filter((field) => /^v1=[0-9a-f]{64}$/.test(field)).map((field) => fromHex(field.slice(3)))
  const [time = ''] = times
  if (times.length !== 1 || !/^t=\d{1,12}$/.test(time) || signatures.length === 0)
    throw new WebhookVerificationError('signature_malformed', 'The Service-Signature header is not t=…,v1=….')
  const timestamp = Number(time.slice(2))
  return { timestamp, signatures, prefix: `${timestamp}.`, keyOf: utf8 }
}

/** https://www.standardwebhooks.com: `v1,base64` once or several times, over the id, the time and the body. */
function readStandardWebhook(headers: WebhookHeaders, header: string): Claim {
  const id = readHeader(headers, 'webhook-id') ?? ''
  const time = readHeader(headers, 'webhook-timestamp') ?? ''
  const signatures = header.split(' ').flatMap((field) => {
    const bytes = /^v1,[A-Za-z0-9+/]{43}=$/.test(field) ? fromBase64(field.slice(3)) : undefined
    return bytes === undefined ? [] : [bytes]
  })
  if (id === '' || !/^\d{1,12}$/.test(time) || signatures.length === 0)
    throw new WebhookVerificationError(
      'signature_malformed',
      'The Webhook-Id, Webhook-Timestamp and Webhook-Signature headers are not in the Standard Webhooks form.',
    )
  return { timestamp: Number(time), signatures, prefix: `${id}.${time}.`, keyOf: standardKey }
}

function standardKey(secret: string): Uint8Array | undefined {
  return fromBase64(secret.replace(/^whsec_/, ''))
}

export interface SignedRequest {
  readonly body: string
  readonly headers: Record<string, string>
}

/**
 * Returns a request as the server would send it for this event, signed in both dialects: for the tests of a receiver.
 * `timestamp` is in Unix seconds, now by default.
 */
async function signTestRequest(
  event: { readonly id: string },
  secret: string,
  options: { readonly timestamp?: number | undefined } = {},
): Promise<SignedRequest> {
  const key = standardKey(secret)
  if (key === undefined) throw new TypeError('The webhook secret is not whsec_ and Base64.')
  const timestamp = options.timestamp ?? Math.floor(Date.now() / 1000)
  const body = JSON.stringify(event)
  const own = await hmac(utf8(secret), utf8(`${timestamp}.${body}`))
  const standard = await hmac(key, utf8(`${event.id}.${timestamp}.${body}`))
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'service-signature': `t=${timestamp},v1=${toHex(own)}`,
      'webhook-id': event.id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': `v1,${toBase64(standard)}`,
    },
  }
}

// Bytes: encodings, HMAC-SHA-256 and a comparison in constant time.

function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

async function hmac(secret: Uint8Array, message: Uint8Array): Promise<Uint8Array> {
  const { subtle } = webCrypto()
  const key = await subtle.importKey(
    'raw',
    secret as Uint8Array<ArrayBuffer>,
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['sign'],
  )
  return new Uint8Array(await subtle.sign('HMAC', key, new Uint8Array(message)))
}

/** Some test environments hide the global one of Node, which has it also as a module. */
function webCrypto(): typeof globalThis.crypto {
  const { crypto, process } = globalThis as {
    crypto?: typeof globalThis.crypto
    process?: { getBuiltinModule?: (name: string) => { webcrypto: typeof globalThis.crypto } | undefined }
  }
  const found = crypto?.subtle === undefined ? process?.getBuiltinModule?.('node:crypto')?.webcrypto : crypto
  if (found === undefined) throw new Error('This runtime has no Web Crypto, which verifying a webhook needs.')
  return found
}

/** Whether one of the candidates equals the value. The time taken depends on their number and lengths only. */
function equalAny(value: Uint8Array, candidates: readonly Uint8Array[]): boolean {
  let isFound = false
  for (const candidate of candidates) {
    let difference = value.length ^ candidate.length
    for (let index = 0; index < value.length; index += 1) difference |= (value[index] ?? 0) ^ (candidate[index] ?? 0)
    if (difference === 0) isFound = true
  }
  return isFound
}

function concat(a: Uint8Array, b: Uint8Array): Uint8Array {
  const joined = new Uint8Array(a.length + b.length)
  joined.set(a)
  joined.set(b, a.length)
  return joined
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function fromHex(text: string): Uint8Array {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}

function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
}

/** Undefined when the text is not Base64, or empty. */
function fromBase64(text: string): Uint8Array | undefined {
  try {
    const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
    return bytes.length === 0 ? undefined : bytes
  } catch {
    return undefined
  }
}

export const webhooks = { verify, signTestRequest } as const
