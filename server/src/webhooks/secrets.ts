// Webhook secrets: made here, shown once, kept encrypted. Unlike API keys they must be read again, to sign.
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import type { Scope } from '../lib/scope.ts'

const SECRET_PREFIX = 'whsec_'
/** As many as the HMAC-SHA-256 that it keys has. */
const SECRET_BYTES = 32
/** AES-GCM's own sizes. */
const NONCE_BYTES = 12
const TAG_BYTES = 16

export function makeSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64')
}

/** The bytes behind the prefix: what Standard Webhooks signs with. */
export function secretBytes(secret: string): Buffer {
  return Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')
}

/** Which secret it is. Bound to the ciphertext, so that one moved to another row does not open. */
export interface SecretPlace {
  readonly scope: Scope
  readonly endpointId: string
  readonly id: string
}

export interface Sealed {
  readonly sealed: Buffer
  readonly keyId: string
}

export interface SecretBox {
  /** Names the key that new secrets are sealed with. */
  readonly keyId: string
  seal(place: SecretPlace, secret: string): Sealed
  /** Throws when no known key opens it. */
  open(place: SecretPlace, sealed: Sealed): string
}

/** The first key seals; all of them open. */
export function createSecretBox(keys: readonly [Buffer, ...Buffer[]]): SecretBox {
  const [current] = keys
  const byId = new Map(keys.map((key) => [keyIdOf(key), key]))
  const keyId = keyIdOf(current)
  return {
    keyId,
    seal(place, secret) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', current, nonce).setAAD(bindingOf(place))
      const ciphertext = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
      return { sealed: Buffer.concat([nonce, ciphertext, cipher.getAuthTag()]), keyId }
    },
    open(place, { sealed, keyId: usedKeyId }) {
      const key = byId.get(usedKeyId)
      if (key === undefined) {
        throw new Error(`a webhook secret needs key ${usedKeyId}; set WEBHOOK_SECRET_KEY_PREVIOUS (docs/webhooks.md)`)
      }
      const tag = sealed.subarray(sealed.length - TAG_BYTES)
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      })
      decipher.setAAD(bindingOf(place)).setAuthTag(tag)
      const ciphertext = sealed.subarray(NONCE_BYTES, sealed.length - TAG_BYTES)
      return Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString('utf8')
    },
  }
}

function keyIdOf(key: Buffer): string {
  return createHash('sha256').update('cardstock key id ').update(key).digest('hex').slice(0, 16)
}

function bindingOf({ scope, endpointId, id }: SecretPlace): Buffer {
  return Buffer.from(`${scope.companyId} ${scope.environment} ${endpointId} ${id}`)
}
