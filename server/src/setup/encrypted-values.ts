// What is encrypted in the database: the secrets of webhook endpoints and of authenticator apps, and the links of mails that wait. Finds what no given key can
// read, counts what is encrypted with an older key, and encrypts it again.
import { type Config, ConfigError } from '../config/config.ts'
import type { Db } from '../db/pool.ts'
import { must } from '../lib/invariant.ts'
import type { KeyBox } from '../lib/secret-box.ts'
import type { SecretKeys } from '../lib/secret-keys.ts'
import { createMailBox, reencryptLinks } from '../mail/links.ts'
import { createTotpBox, opensTotp, reencryptTotp } from '../people/second-factor/totp-secrets.ts'
import { createWebhookBox } from '../webhooks/assemble.ts'
import { reencryptSome } from '../webhooks/jobs.ts'
import type { SecretBox } from '../webhooks/secrets.ts'
import { countOtherKeys, countUnknownKeys, findUnnamedTotp } from './queries.ts'

export interface Boxes {
  readonly webhooks: SecretBox
  readonly totp: KeyBox
  readonly mail: KeyBox
}

export function createBoxes(secretKeys: SecretKeys, config: Pick<Config, 'secrets'>): Boxes {
  return {
    webhooks: createWebhookBox({ secretKey: secretKeys, webhookKeys: webhookKeys(config) }),
    totp: createTotpBox(secretKeys),
    mail: createMailBox(secretKeys),
  }
}

export function webhookKeys({ secrets }: Pick<Config, 'secrets'>): Buffer[] {
  const keys = [secrets.webhookSecretKey, secrets.webhookSecretKeyPrevious]
  return keys.filter((key) => key !== undefined).map((key) => Buffer.from(key, 'hex'))
}

/**
 * Refuses when something is encrypted with a key that this process does not have. The links of mails do not count: they expire within
 * days, and whoever made one can make another.
 */
export async function requireReadable(db: Db, { webhooks, totp }: Boxes): Promise<void> {
  const unknown = must(await countUnknownKeys(db, webhooks.keyIds(), totp.keyIds()))
  const unnamed = await findUnnamedTotp(db)
  const hasUnknownTotp = unknown.totp > 0 || (unnamed !== undefined && !opensTotp(totp, unnamed.person_id, unnamed))
  if (unknown.webhooks === 0 && !hasUnknownTotp) return
  const what = [
    ...(unknown.webhooks > 0 ? [`secrets of webhook endpoints (${unknown.webhooks})`] : []),
    ...(hasUnknownTotp ? ['secrets of authenticator apps'] : []),
  ]
  throw new ConfigError(
    `This database has ${what.join(' and ')} that none of the given keys can decrypt. Set SECRET_KEY_PREVIOUS ` +
      '(or WEBHOOK_SECRET_KEY_PREVIOUS) to the key that was used before, and run cardstock secret-key rotate before you ' +
      'remove it. See docs/rotation.md.',
  )
}

/** Counts what is not encrypted with the newest key. */
export async function countOld(db: Db, { webhooks, totp, mail }: Boxes): Promise<number> {
  const old = must(await countOtherKeys(db, webhooks.keyId(), totp.keyId(), mail))
  return old.webhooks + old.totp + old.mails
}

/** People's secrets per batch; each takes a fraction of a millisecond. */
const BATCH = 100

/** Encrypts everything again with the newest key, batch by batch. Other processes may do the same meanwhile. */
export async function reencryptAll(db: Db, boxes: Boxes, onBatch: () => Promise<void>): Promise<void> {
  while (await reencryptSome(db, boxes.webhooks)) await onBatch()
  while ((await reencryptTotp(db, boxes.totp, BATCH)) === BATCH) await onBatch()
  while ((await reencryptLinks(db, boxes.mail, BATCH)) === BATCH) await onBatch()
}
