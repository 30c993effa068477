// Makes and encrypts webhook secrets. They are shown once. Unlike API keys they must be decrypted again, to sign.
import { createHash, randomBytes } from 'node:crypto'
import type { Scope } from '../lib/scope.ts'
import { decryptSecret, encryptSecret } from '../lib/secret-box.ts'

const SECRET_PREFIX = 'whsec_'
/** A secret is the key of an HMAC-SHA-256, which needs no more bytes than it returns. */
const SECRET_BYTES = 32

export function makeSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64')
}

/** Returns the bytes behind the prefix, which Standard Webhooks signs with. */
export function secretBytes(secret: string): Buffer {
  return Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')
}

/** Identifies a secret. It is authenticated with the ciphertext, so that one copied to another row cannot be decrypted. */
export interface SecretPlace {
  readonly scope: Scope
  readonly endpointId: string
  readonly id: string
}

export interface EncryptedSecret {
  /** Nonce, ciphertext and tag. */
  readonly ciphertext: Buffer
  readonly keyId: string
}

export interface SecretBox {
  /** Names the key that new secrets are encrypted with. */
  readonly keyId: string
  encrypt(place: SecretPlace, secret: string): EncryptedSecret
  /** Throws when this process does not have the key. */
  decrypt(place: SecretPlace, encrypted: EncryptedSecret): string
}

/** The first key encrypts; every key decrypts. */
export function createSecretBox(keys: readonly [Buffer, ...Buffer[]]): SecretBox {
  const [current] = keys
  const byId = new Map(keys.map((key) => [keyIdOf(key), key]))
  const keyId = keyIdOf(current)
  return {
    keyId,
    encrypt: (place, secret) => ({ ciphertext: encryptSecret(current, bindingOf(place), secret), keyId }),
    decrypt(place, { ciphertext, keyId: usedKeyId }) {
      const key = byId.get(usedKeyId)
      if (key === undefined) {
        throw new Error(
          `A webhook secret was encrypted with key ${usedKeyId}, which is not set. Set WEBHOOK_SECRET_KEY_PREVIOUS (docs/webhooks.md).`,
        )
      }
      return decryptSecret(key, bindingOf(place), ciphertext)
    },
  }
}

function keyIdOf(key: Buffer): string {
  return createHash('sha256').update('cardstock key id ').update(key).digest('hex').slice(0, 16)
}

function bindingOf({ scope, endpointId, id }: SecretPlace): string {
  return `${scope.companyId} ${scope.environment} ${endpointId} ${id}`
}
