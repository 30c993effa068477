// SQL of the first start, and of the secret key's rotation.
import type { AuditRecord } from '../access/audit.ts'
import type { Db } from '../db/pool.ts'
import { sql } from '../db/sql.ts'

/** Counts up to one of each. */
export function countStarted(db: Db) {
  return db.find<{ companies: number; operator_tokens: number; people: number }>(sql`
    select (select count(*)::int from (select 1 from company limit 1) c) as companies,
           (select count(*)::int from (select 1 from operator_token where revoked_at is null limit 1) t) as operator_tokens,
           (select count(*)::int from (select 1 from person limit 1) p) as people`)
}

/** Returns the check value of the current secret key, and the lasting keys if the secret key was ever rotated. */
export function findSecretKeyState(db: Db) {
  return db.find<{ check: Buffer; lasting: Buffer | null }>(sql`
    select value as check, (select value from installation where name = 'lasting_keys') as lasting
    from installation where name = 'secret_key_check'`)
}

/** Does nothing if another process was first. */
export function switchSecretKey(db: Db, change: { from: Buffer; to: Buffer; lasting: Buffer }, log: AuditRecord) {
  return db.run(sql`
    with switched as (
      update installation set value = ${change.to} where name = 'secret_key_check' and value = ${change.from} returning name
    ), kept as (
      insert into installation (name, value) select 'lasting_keys', ${change.lasting} from switched
      on conflict (name) do update set value = excluded.value
    )
    select record_audit(null, ${log}) from switched`)
}

/** Across companies: the keys are the server's. */
export function countOtherKeys(
  db: Db,
  webhookKeyId: string,
  totpKeyId: string,
  mail: { keyId(): string; keyIds(): string[] },
) {
  return db.find<{ webhooks: number; totp: number; mails: number }>(sql`
    select (select count(*)::int from webhook_secret where key_id <> ${webhookKeyId}) as webhooks,
           (select count(*)::int from totp where secret_key_id is distinct from ${totpKeyId}
              or (next_secret is not null and next_secret_key_id is distinct from ${totpKeyId})) as totp,
           (select count(*)::int from outgoing_mail
            where status = 'waiting' and link_key_id <> ${mail.keyId()} and link_key_id = any (${mail.keyIds()})) as mails`)
}

/** Across companies: the keys are the server's. */
export function countUnknownKeys(db: Db, webhookKeyIds: readonly string[], totpKeyIds: readonly string[]) {
  return db.find<{ webhooks: number; totp: number }>(sql`
    select (select count(*)::int from webhook_secret where key_id <> all (${webhookKeyIds})) as webhooks,
           (select count(*)::int from totp where secret_key_id <> all (${totpKeyIds})
              or next_secret_key_id <> all (${totpKeyIds})) as totp`)
}

/** Returns a secret that was stored before the ids of keys were. */
export function findUnnamedTotp(db: Db) {
  return db.find<{ person_id: string; secret: Buffer; key_id: null }>(sql`
    select person_id, secret, null as key_id from totp where secret_key_id is null limit 1`)
}

/** Returns the stored value, which is ours if we were the first to set it. */
export function settleInstallation(db: Db, name: string, value: Buffer) {
  return db.find<{ value: Buffer }>(sql`
    with made as (
      insert into installation (name, value) values (${name}, ${value}) on conflict (name) do nothing returning value
    )
    select value from made union all select value from installation where name = ${name} limit 1`)
}
