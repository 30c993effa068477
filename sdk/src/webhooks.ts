// Verifies webhooks: first the signature and the time, then the parsing. Nothing of a request that is not genuine is ever
// parsed, and whatever is passed, the only error is WebhookVerificationError.
import { concat, equalAny, fromBase64, fromHex, hmac, type OwnBytes, toBase64, toHex, utf8 } from './bytes.ts'
import type { WebhookEvent } from './events.ts'
import type { EventType } from './generated/values.ts'

/** Seconds by which the sender's and the receiver's clocks may differ, in both directions. */
export const WEBHOOK_TOLERANCE_S = 300

/** Header names and values, as `Request` or Node's `IncomingMessage` have them. */
export type WebhookHeaders =
  | {
      /** Returns the value of a header. */
      get(name: string): string | null
    }
  | Readonly<Record<string, string | readonly string[] | undefined>>

export interface VerifyOptions {
  /** Default: 300. It can be made smaller or larger, but not switched off. */
  readonly toleranceSeconds?: number | undefined
  /** Unix seconds. Default: now. */
  readonly now?: number | undefined
}

/** `invalid_argument` is a fault of the program that calls; all others are faults of the request. */
export type WebhookRefusal =
  | 'signature_missing'
  | 'signature_malformed'
  | 'timestamp_out_of_tolerance'
  | 'signature_mismatch'
  | 'body_malformed'
  | 'invalid_argument'

/** The request is not genuine, or it could not be checked. Answer it with 400 and do nothing else. */
export class WebhookVerificationError extends Error {
  /** The name of the class. */
  override name = 'WebhookVerificationError'
  /** Why the request was refused. */
  readonly code: WebhookRefusal

  constructor(code: WebhookRefusal, message: string) {
    super(message)
    this.code = code
  }
}

function invalidArgument(message: string): WebhookVerificationError {
  return new WebhookVerificationError('invalid_argument', message)
}

/**
 * Returns the event of a genuine request; throws WebhookVerificationError for any other, and for arguments that it cannot
 * use. `rawBody` is exactly what arrived: bytes in any form, or their text. A body that was parsed does not verify. `secrets`
 * is the endpoint's secret, `whsec_…`, or several while one is being replaced.
 */
async function verify<Type extends EventType = EventType>(
  rawBody: ArrayBuffer | ArrayBufferView | string,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  options?: VerifyOptions,
): Promise<WebhookEvent<Type>> {
  const body = requireRawBody(rawBody)
  const known = requireSecrets(secrets)
  const tolerance = requireTolerance(options?.toleranceSeconds)
  const now = requireNow(options?.now)
  const claim = readClaim(headers)
  if (!(Math.abs(now - claim.timestamp) <= tolerance))
    throw new WebhookVerificationError(
      'timestamp_out_of_tolerance',
      'The signature is too old or from the future. Check the clock of this machine.',
    )
  const prefix = utf8(claim.prefix)
  const message = concat(prefix, body)
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
  // From the copy that was verified: the caller may have used its buffer for something else meanwhile.
  return parse(message.subarray(prefix.length)) as WebhookEvent<Type>
}

/** Returns the bytes of the body. */
function requireRawBody(value: unknown): Uint8Array {
  if (typeof value === 'string') return utf8(value)
  const bytes = findBytes(value)
  if (bytes !== undefined) return bytes
  const found = Array.isArray(value) ? 'an array' : value === null ? 'null' : typeof value
  throw invalidArgument(
    `rawBody is ${found === 'object' ? 'an object' : found}. Pass the body as it arrived, before anything parses it: a ` +
      "string, an ArrayBuffer or bytes, such as await request.arrayBuffer(), or express.raw({ type: '*/*' }).",
  )
}

/** Undefined when the value does not hold bytes, or no longer does because they were transferred. */
function findBytes(value: unknown): Uint8Array | undefined {
  try {
    if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
    // Not instanceof, which does not know the buffers of another realm, such as that of a test runner.
    const tag = Object.prototype.toString.call(value)
    if (tag !== '[object ArrayBuffer]' && tag !== '[object SharedArrayBuffer]') return undefined
    const bytes = new Uint8Array(value as ArrayBuffer)
    return bytes.buffer === value ? bytes : undefined
  } catch {
    return undefined
  }
}

function requireSecrets(secrets: unknown): readonly string[] {
  const known: unknown[] = Array.isArray(secrets) ? secrets : [secrets]
  const isText = (secret: unknown): secret is string => typeof secret === 'string' && secret !== ''
  if (known.length > 0 && known.every(isText)) return known
  throw invalidArgument(
    'The webhook secret is empty or not a string. Pass the secret that was shown when the endpoint was created.',
  )
}

function requireTolerance(seconds: unknown): number {
  if (seconds === undefined) return WEBHOOK_TOLERANCE_S
  if (typeof seconds === 'number' && Number.isFinite(seconds) && seconds > 0) return seconds
  throw invalidArgument('toleranceSeconds must be a positive number of seconds. The check cannot be switched off.')
}

function requireNow(now: unknown): number {
  if (now === undefined) return Math.floor(Date.now() / 1000)
  if (typeof now === 'number') return now
  throw invalidArgument('now must be a number: Unix seconds.')
}

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body))
  } catch {
    throw new WebhookVerificationError('body_malformed', 'The body is signed but is not JSON.')
  }
}

/** What a request claims about itself, in either dialect. */
interface Claim {
  readonly timestamp: number
  readonly signatures: readonly Uint8Array[]
  /** What was signed before the body. */
  readonly prefix: string
  /** The bytes of a secret that sign; undefined when it is not a secret of this dialect. */
  keyOf(secret: string): OwnBytes | undefined
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
  const value = findHeader(headers, name)
  if (value === undefined || value === null || value === '') return undefined
  if (typeof value === 'string') return value
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join(',') || undefined
  throw invalidArgument(`The value of the header ${name} is neither a string nor a list of strings. ${PASS_HEADERS}`)
}

const PASS_HEADERS = 'Pass the headers of the request: request.headers.'

function findHeader(headers: unknown, name: string): unknown {
  if (typeof headers !== 'object' || headers === null || Array.isArray(headers))
    throw invalidArgument(`The headers are missing, or not an object. ${PASS_HEADERS}`)
  try {
    if ('get' in headers && typeof headers.get === 'function') return headers.get(name)
    return Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  } catch {
    throw invalidArgument(`The headers cannot be read. ${PASS_HEADERS}`)
  }
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

function standardKey(secret: string): OwnBytes | undefined {
  return fromBase64(secret.replace(/^whsec_/, ''))
}

export interface SignedRequest {
  /** The body, as a text. */
  readonly body: string
  /** The headers, with the signatures. */
  readonly headers: Record<string, string>
}

/**
 * Returns a request as the server would send it for this event, signed in both dialects: for the tests of a receiver.
 * `timestamp` is in Unix seconds, now by default.
 */
async function signTestRequest(
  event: {
    /** The id of the event. */
    readonly id: string
  },
  secret: string,
  options: {
    /** Unix seconds. Default: now. */
    readonly timestamp?: number | undefined
  } = {},
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

export const webhooks = {
  /** Returns the event of a genuine request, and throws for any other. */
  verify,
  /** Returns a signed request for the tests of a receiver. */
  signTestRequest,
} as const
