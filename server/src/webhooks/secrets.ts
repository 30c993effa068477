// Makes and encrypts webhook secrets. They are shown once. Unlike API keys they must be decrypted again, to sign.
import { randomBytes } from 'node:crypto'
import type { Scope } from '../lib/scope.ts'
import { createKeyBox, type EncryptedSecret } from '../lib/secret-box.ts'
import type { KeyList } from '../lib/secret-keys.ts'

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

export interface SecretBox {
  /** Returns the id of the key that new secrets are encrypted with. */
  keyId(): string
  /** Returns the ids of all keys that can decrypt. */
  keyIds(): string[]
  encrypt(place: SecretPlace, secret: string): EncryptedSecret
  /** Throws when this process does not have the key. */
  decrypt(place: SecretPlace, encrypted: EncryptedSecret): string
}

/** The first key encrypts; every key decrypts. */
export function createSecretBox(keys: KeyList): SecretBox {
  const box = createKeyBox(keys)
  return {
    keyId: box.keyId,
    keyIds: box.keyIds,
    encrypt: (place, secret) => box.encrypt(bindingOf(place), secret),
    decrypt(place, encrypted) {
      const secret = box.find(bindingOf(place), encrypted)
      if (secret !== undefined) return secret
      throw new Error(
        `A webhook secret was encrypted with key ${encrypted.keyId}, which is not set. Set WEBHOOK_SECRET_KEY_PREVIOUS or SECRET_KEY_PREVIOUS (docs/rotation.md).`,
      )
    },
  }
}

function bindingOf({ scope, endpointId, id }: SecretPlace): string {
  return `${scope.companyId} ${scope.environment} ${endpointId} ${id}`
}
