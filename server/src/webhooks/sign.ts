// Signs one attempt in both formats: the specification's header and those of Standard Webhooks.
// vectors/webhook-signatures.json holds examples; the SDK's verifier reads the same file.
import { createHmac } from 'node:crypto'
import { secretBytes } from './secrets.ts'

export type SignatureHeaders = Record<
  'service-signature' | 'webhook-id' | 'webhook-timestamp' | 'webhook-signature',
  string
>

/** Returns one signature per secret, because during a rotation the receiver may know any of them. */
export function signatureHeaders(
  secrets: readonly string[],
  message: { id: string; at: Date; body: Buffer },
): SignatureHeaders {
  const seconds = Math.floor(message.at.getTime() / 1000).toString()
  // SPEC: 'HMAC-SHA256 keyed with the webhook secret over the string t + "." + raw request body'.
  const ours = secrets.map((secret) => `v1=${hmac(secret, `${seconds}.`, message.body).toString('hex')}`)
  const standard = secrets.map(
    (secret) => `v1,${hmac(secretBytes(secret), `${message.id}.${seconds}.`, message.body).toString('base64')}`,
  )
  return {
    'service-signature': [`t=${seconds}`, ...ours].join(','),
    'webhook-id': message.id,
    'webhook-timestamp': seconds,
    'webhook-signature': standard.join(' '),
  }
}

function hmac(key: string | Buffer, prefix: string, body: Buffer): Buffer {
  return createHmac('sha256', key).update(prefix).update(body).digest()
}
