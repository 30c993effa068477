// Signs one attempt in both formats: the specification's header and those of Standard Webhooks.
// vectors/webhook-signatures.json holds examples; the SDK's verifier reads the same file.
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import { secretBytes } from './secrets.ts'

export type SignatureHeaders = Record<
  'service-signature' | 'webhook-id' | 'webhook-timestamp' | 'webhook-signature',
  string
>

/** The keys of one secret, made once for many signatures. */
export interface SigningKeys {
  readonly service: KeyObject
  readonly standard: KeyObject
}

export function signingKeys(secret: string): SigningKeys {
  return { service: createSecretKey(secret, 'utf8'), standard: createSecretKey(secretBytes(secret)) }
}

/** Returns one signature per secret, because during a rotation the receiver may know any of them. */
export function signatureHeaders(
  secrets: readonly SigningKeys[],
  message: { id: string; at: Date; body: Buffer },
): SignatureHeaders {
  const seconds = Math.floor(message.at.getTime() / 1000).toString()
  // SPEC: 'HMAC-SHA256 keyed with the webhook secret over the string t + "." + raw request body'.
  const ours = secrets.map(({ service }) => `v1=${hmac(service, `${seconds}.`, message.body, 'hex')}`)
  const standard = secrets.map(
    (keys) => `v1,${hmac(keys.standard, `${message.id}.${seconds}.`, message.body, 'base64')}`,
  )
  return {
    'service-signature': [`t=${seconds}`, ...ours].join(','),
    'webhook-id': message.id,
    'webhook-timestamp': seconds,
    'webhook-signature': standard.join(' '),
  }
}

function hmac(key: KeyObject, prefix: string, body: Buffer, encoding: 'hex' | 'base64'): string {
  return createHmac('sha256', key).update(prefix).update(body).digest(encoding)
}
