// Encrypts secrets that must be read again, with AES-256-GCM. Each is bound to its place, so that one copied to another row
// cannot be decrypted.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/** The sizes that AES-GCM defines. */
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Returns nonce, ciphertext and tag. */
export function encryptSecret(key: Buffer, place: string, secret: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(place))
  const encrypted = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, encrypted, cipher.getAuthTag()])
}

/** Throws when the key or the place is another one. */
export function decryptSecret(key: Buffer, place: string, ciphertext: Buffer): string {
  const tag = ciphertext.subarray(ciphertext.length - TAG_BYTES)
  const decipher = createDecipheriv('aes-256-gcm', key, ciphertext.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  })
  decipher.setAAD(Buffer.from(place)).setAuthTag(tag)
  const encrypted = ciphertext.subarray(NONCE_BYTES, ciphertext.length - TAG_BYTES)
  return Buffer.concat([decipher.update(encrypted), decipher.final()]).toString('utf8')
}
