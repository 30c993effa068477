// Keyed digests of secrets, digests of payloads, and the derivation of one purpose's key from the server's secret.
import { createHmac, hash, hkdfSync } from 'node:crypto'

/** A separate key per purpose, so that no digest made for one can be replayed for another. */
export function deriveKey(secret: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `cardstock ${purpose}`, 32))
}

export function keyedDigest(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}

/** Returns the cache key of a secret. It is an unkeyed digest, so it is only for secrets that nobody can guess, and never stored. */
export function fingerprint(secret: string): string {
  return hash('sha256', secret, 'base64')
}

/** Returns the digest of a parsed body in hexadecimal. Key order and white space do not matter; "10" and "10.00" differ. */
export function payloadDigest(body: unknown): string {
  return hash('sha256', canonicalJson(body), 'hex')
}

export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields = value as Record<string, unknown>
  // Sort by code units, whatever the machine's locale. Use a loop, because every operation comes through here.
  let text = ''
  for (const key of Object.keys(fields).toSorted()) {
    text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${canonicalJson(fields[key])}`
  }
  return `{${text}}`
}
