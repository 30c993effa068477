// The challenges that passkeys sign. A challenge carries its expiry and an HMAC, so that whoever asks for one stores nothing:
// asking costs no row, and every process can check the challenges of the others. What was answered is stored until it expires.
import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { PeopleDeps } from '../deps.ts'

/** Long enough to fetch a key from another room, short enough that a challenge is worth nothing to whoever finds it. */
export const CHALLENGE_LIFETIME_MS = 5 * 60_000
export const NONCE_BYTES = 16
const EXPIRY_BYTES = 8
const MAC_BYTES = 32

/** What an answer may be used for, and in which session; nobody has a session when signing in. */
export type Purpose = { readonly for: 'sign in' } | { readonly for: 'register' | 'prove'; readonly sessionId: string }

export interface Challenge {
  readonly nonce: Buffer
  readonly expiresAt: Date
}

type Deps = Pick<PeopleDeps, 'clock' | 'keyring'>

export function makeChallenge({ clock, keyring }: Deps, purpose: Purpose): string {
  const expiry = Buffer.alloc(EXPIRY_BYTES)
  expiry.writeBigUInt64BE(BigInt(clock.now().getTime() + CHALLENGE_LIFETIME_MS))
  const body = Buffer.concat([randomBytes(NONCE_BYTES), expiry])
  return Buffer.concat([body, macOf(keyring, purpose, body)]).toString('base64url')
}

/** Returns undefined unless this server made the challenge for this purpose and it has not expired. */
export function findChallenge({ clock, keyring }: Deps, purpose: Purpose, text: string): Challenge | undefined {
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.length !== NONCE_BYTES + EXPIRY_BYTES + MAC_BYTES) return undefined
  const body = bytes.subarray(0, NONCE_BYTES + EXPIRY_BYTES)
  if (!timingSafeEqual(bytes.subarray(body.length), macOf(keyring, purpose, body))) return undefined
  const expiresAt = new Date(Number(body.readBigUInt64BE(NONCE_BYTES)))
  return expiresAt > clock.now() ? { nonce: body.subarray(0, NONCE_BYTES), expiresAt } : undefined
}

function macOf(keyring: Deps['keyring'], purpose: Purpose, body: Buffer): Buffer {
  const session = purpose.for === 'sign in' ? '' : purpose.sessionId
  return keyring.digest(`passkey challenge to ${purpose.for} ${session} ${body.toString('base64url')}`)
}
