// Encrypts secrets that must be read again, with AES-256-GCM. Each is bound to its place, so that one copied to another row
// cannot be decrypted, and is stored with the id of its key, so that keys can be rotated.
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import type { KeyList } from './secret-keys.ts'

/** The sizes that AES-GCM defines. */
const NONCE_BYTES = 12
const TAG_BYTES = 16

export interface EncryptedSecret {
  /** Nonce, ciphertext and tag. */
  readonly ciphertext: Buffer
  readonly keyId: string
}

export interface KeyBox {
  /** Returns the id of the key that new secrets are encrypted with. */
  keyId(): string
  /** Returns the ids of all keys that can decrypt. */
  keyIds(): string[]
  encrypt(place: string, secret: string): EncryptedSecret
  /**
   * Returns undefined when this process does not have the key. Throws when the secret was made for another place. Without a
   * key's id, from before ids were stored, every key is tried.
   */
  find(place: string, encrypted: { ciphertext: Buffer; keyId: string | null }): string | undefined
}

/** The first key encrypts; every key decrypts. */
export function createKeyBox(keys: KeyList): KeyBox {
  return {
    keyId: () => keyIdOf(keys()[0]),
    keyIds: () => keys().map(keyIdOf),
    encrypt(place, secret) {
      const [current] = keys()
      return { ciphertext: encryptSecret(current, place, secret), keyId: keyIdOf(current) }
    },
    find(place, { ciphertext, keyId }) {
      const key = keys().find((candidate) =>
        keyId === null ? opens(candidate, place, ciphertext) : keyIdOf(candidate) === keyId,
      )
      return key && decryptBytes(key, place, ciphertext).toString('utf8')
    },
  }
}

/** Names a key without revealing it. */
export function keyIdOf(key: Buffer): string {
  return createHash('sha256').update('cardstock key id ').update(key).digest('hex').slice(0, 16)
}

/** Returns nonce, ciphertext and tag. */
export function encryptSecret(key: Buffer, place: string, secret: string | Buffer): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(place))
  const encrypted = Buffer.concat([cipher.update(Buffer.from(secret)), cipher.final()])
  return Buffer.concat([nonce, encrypted, cipher.getAuthTag()])
}

function opens(key: Buffer, place: string, ciphertext: Buffer): boolean {
  try {
    decryptBytes(key, place, ciphertext)
    return true
  } catch {
    return false
  }
}

/** Throws when the key or the place is another one. */
export function decryptBytes(key: Buffer, place: string, ciphertext: Buffer): Buffer {
  const tag = ciphertext.subarray(ciphertext.length - TAG_BYTES)
  const decipher = createDecipheriv('aes-256-gcm', key, ciphertext.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  })
  decipher.setAAD(Buffer.from(place)).setAuthTag(tag)
  const encrypted = ciphertext.subarray(NONCE_BYTES, ciphertext.length - TAG_BYTES)
  return Buffer.concat([decipher.update(encrypted), decipher.final()])
}
