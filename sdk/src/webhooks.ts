// Verifying a webhook: first the signature and the time, then the parsing. Nothing of a request that was not verified is
// ever looked into. Works on the Web Crypto of every runtime, without dependencies.

/** Seconds that the sender's clock and the receiver's may differ, and that a request may take; both directions. */
export const WEBHOOK_TOLERANCE_S = 300

export interface WebhookEvent<Data = Record<string, unknown>> {
  /** The same on every attempt: what was handled once must not be handled again. */
  id: string
  type: string
  createdAt: string
  environment: 'sandbox' | 'live'
  companyId: string
  version: string
  /** Grows by one per object: of two events of one object the higher is the newer. */
  sequence: number
  data: Data
}

export interface VerifyWebhookInput {
  /** Exactly as it arrived: bytes, or their text. A body that was parsed and written again does not verify. */
  body: Uint8Array | string
  /** The value of the Service-Signature header. */
  signature: string | null | undefined
  /** The endpoint's secret, `whsec_…`; several while one is being replaced. */
  secret: string | readonly string[]
  /** Unix seconds; the present by default. */
  now?: number
}

export type WebhookRefusal =
  'signature_missing' | 'signature_malformed' | 'timestamp_out_of_tolerance' | 'signature_mismatch'

/** Answer such a request with 400 and do nothing else. */
export class WebhookVerificationError extends Error {
  override name = 'WebhookVerificationError'
  readonly code: WebhookRefusal

  constructor(code: WebhookRefusal, message: string) {
    super(message)
    this.code = code
  }
}

/** The event of a genuine request; throws WebhookVerificationError for any other. */
export async function verifyWebhook<Data = Record<string, unknown>>(
  input: VerifyWebhookInput,
): Promise<WebhookEvent<Data>> {
  const secrets = typeof input.secret === 'string' ? [input.secret] : input.secret
  if (secrets.length === 0 || secrets.includes('')) throw new TypeError('The webhook secret is empty.')
  const { t, signatures } = parseSignature(input.signature)
  const nowS = input.now ?? Math.floor(Date.now() / 1000)
  if (Math.abs(nowS - t) > WEBHOOK_TOLERANCE_S) {
    throw new WebhookVerificationError('timestamp_out_of_tolerance', 'The signature is too old, or from the future.')
  }
  const body = typeof input.body === 'string' ? new TextEncoder().encode(input.body) : input.body
  const message = concat(new TextEncoder().encode(`${t}.`), body)
  let matches = false
  for (const secret of secrets) {
    const expected = await sign(secret, message)
    // No early end: how long it takes must not tell which one matched.
    for (const signature of signatures) if (isEqual(expected, signature)) matches = true
  }
  if (!matches)
    throw new WebhookVerificationError('signature_mismatch', 'No signature belongs to this body and secret.')
  return JSON.parse(new TextDecoder().decode(body)) as WebhookEvent<Data>
}

/** `t=1700000000,v1=hex`, with several v1 while a secret is being replaced; other fields are for other versions. */
function parseSignature(header: string | null | undefined): { t: number; signatures: Uint8Array[] } {
  if (header === null || header === undefined || header === '') {
    throw new WebhookVerificationError('signature_missing', 'The request has no Service-Signature header.')
  }
  const fields = header.split(',').map((field) => field.trim())
  const times = fields.filter((field) => field.startsWith('t='))
  const signatures = fields.filter((field) => /^v1=[0-9a-f]{64}$/.test(field)).map((field) => fromHex(field.slice(3)))
  const [time = ''] = times
  if (times.length !== 1 || !/^t=\d{1,12}$/.test(time) || signatures.length === 0) {
    throw new WebhookVerificationError('signature_malformed', 'The Service-Signature header is not t=…,v1=….')
  }
  return { t: Number(time.slice(2)), signatures }
}

async function sign(secret: string, message: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const key = await crypto.subtle.importKey(
    'raw',
    new TextEncoder().encode(secret),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['sign'],
  )
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, message))
}

function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  let difference = a.length ^ b.length
  for (let index = 0; index < a.length; index += 1) difference |= (a[index] ?? 0) ^ (b[index] ?? 0)
  return difference === 0
}

function fromHex(text: string): Uint8Array {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}

function concat(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(a.length + b.length)
  joined.set(a)
  joined.set(b, a.length)
  return joined
}
