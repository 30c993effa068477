// The links of mails that wait: encrypted for the queue, decrypted for the mail, and encrypted again when the secret key is rotated.
import type { Db } from '../db/pool.ts'
import { must } from '../lib/invariant.ts'
import { createKeyBox, type KeyBox } from '../lib/secret-box.ts'
import { deriveKeys, type SecretKeys } from '../lib/secret-keys.ts'
import type { LinkKind } from './kinds.ts'
import { LINKS_PER_ADDRESS, LINKS_PER_COMPANY, QUEUE_MAX } from './limits.ts'
import { listLinksOfOtherKeys, replaceLink } from './queries.ts'

export function createMailBox(secretKeys: Pick<SecretKeys, 'all'>): KeyBox {
  return createKeyBox(deriveKeys(secretKeys, 'mail links'))
}

const placeOf = (id: string) => `mail ${id}`

function encryptLink(box: KeyBox, id: string, url: string) {
  return box.encrypt(placeOf(id), url)
}

/** A mail that brings its reader a link, for the statement that makes the link. */
export interface LinkMail {
  readonly kind: LinkKind
  /** Encrypted, in base64. */
  readonly link: string
  readonly keyId: string
  readonly addressMax: number
  readonly companyMax: number
  readonly queueMax: number
}

export function writeLinkMail(box: KeyBox, kind: LinkKind, { id, url }: { id: string; url: string }): LinkMail {
  const { ciphertext, keyId } = encryptLink(box, id, url)
  const link = ciphertext.toString('base64')
  return { kind, link, keyId, addressMax: LINKS_PER_ADDRESS, companyMax: LINKS_PER_COMPANY, queueMax: QUEUE_MAX }
}

/** Returns undefined when this process does not have the key. */
export function findLink(box: KeyBox, id: string, link: { ciphertext: Buffer; keyId: string | null }) {
  return box.find(placeOf(id), link)
}

/** Encrypts at most `limit` links of other keys again with the current one. Returns how many it found. */
export async function reencryptLinks(db: Db, box: KeyBox, limit: number): Promise<number> {
  const rows = await listLinksOfOtherKeys(db, box.keyId(), box.keyIds(), limit)
  for (const row of rows) {
    const url = must(findLink(box, row.id, { ciphertext: row.link, keyId: row.link_key_id }))
    await replaceLink(db, row.id, encryptLink(box, row.id, url))
  }
  return rows.length
}
