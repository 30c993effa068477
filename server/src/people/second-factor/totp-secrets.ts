// Encrypts the secrets of authenticator apps, and encrypts them again after a rotation of the secret key.
import type { Db } from '../../db/pool.ts'
import { createKeyBox, type EncryptedSecret, type KeyBox } from '../../lib/secret-box.ts'
import { deriveKeys, type SecretKeys } from '../../lib/secret-keys.ts'
import { listTotpOfOtherKeys, replaceTotp, type StoredTotp } from './queries.ts'

export function createTotpBox(secretKeys: Pick<SecretKeys, 'all'>): KeyBox {
  return createKeyBox(deriveKeys(secretKeys, 'totp secrets'))
}

const placeOf = (personId: string) => `totp ${personId}`

export function encryptTotp(box: KeyBox, personId: string, secret: string): EncryptedSecret {
  return box.encrypt(placeOf(personId), secret)
}

/** Reports whether one of the keys decrypts the secret. */
export function opensTotp(box: KeyBox, personId: string, { secret, key_id: keyId }: StoredTotp): boolean {
  return box.find(placeOf(personId), { ciphertext: secret, keyId }) !== undefined
}

export function decryptTotp(box: KeyBox, personId: string, { secret, key_id: keyId }: StoredTotp): string {
  const decrypted = box.find(placeOf(personId), { ciphertext: secret, keyId })
  if (decrypted !== undefined) return decrypted
  throw new Error(
    `The secret of an authenticator app was encrypted with ${keyId === null ? 'another key' : `key ${keyId}`}, which is not set. Set SECRET_KEY_PREVIOUS (docs/rotation.md).`,
  )
}

/** Encrypts at most `limit` people's secrets of other keys again with the current one. Returns how many it found. */
export async function reencryptTotp(db: Db, box: KeyBox, limit: number): Promise<number> {
  const rows = await listTotpOfOtherKeys(db, box.keyId(), limit)
  for (const row of rows) {
    const personId = row.person_id
    const again = (stored: StoredTotp) => encryptTotp(box, personId, decryptTotp(box, personId, stored))
    const secret = again({ secret: row.secret, key_id: row.secret_key_id })
    const next =
      row.next_secret === null ? undefined : again({ secret: row.next_secret, key_id: row.next_secret_key_id })
    await replaceTotp(db, row, secret, next)
  }
  return rows.length
}
