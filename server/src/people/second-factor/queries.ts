// All SQL on authenticator apps and recovery codes. A change and its line in the audit log are one statement.
import type { AuditRecord } from '../../access/audit.ts'
import type { Right } from '../../access/right.ts'
import type { Db } from '../../db/pool.ts'
import { sql } from '../../db/sql.ts'
import type { EncryptedSecret } from '../../lib/secret-box.ts'

export interface SecondFactorsRow {
  has_totp: boolean
  passkeys: number
  recovery_codes_left: number
}

export function findSecondFactors(db: Db, personId: string) {
  return db.find<SecondFactorsRow>(sql`
    select exists (select from totp t where t.person_id = ${personId} and t.confirmed_at is not null) as has_totp,
           (select count(*)::integer from passkey k where k.person_id = ${personId}) as passkeys,
           (select count(*)::integer from recovery_code r where r.person_id = ${personId} and r.used_at is null)
             as recovery_codes_left`)
}

/** A secret as it is stored, with the id of its key; null from before ids were stored. */
export interface StoredTotp {
  secret: Buffer
  key_id: string | null
}

/** Replaces a secret that was not confirmed. A confirmed one stays until the new one is confirmed. Writes nothing when the right has ended. */
export function insertTotp(db: Db, personId: string, { ciphertext, keyId }: EncryptedSecret, right: Right, at: Date) {
  return db.run(sql`
    insert into totp as t (person_id, secret, secret_key_id, created_at)
    select ${personId}::uuid, ${ciphertext}::bytea, ${keyId}, ${at}::timestamptz
    where hold_right(${right}, array[${personId}]::uuid[])
    on conflict (person_id) do update set
      secret = case when t.confirmed_at is null then excluded.secret else t.secret end,
      secret_key_id = case when t.confirmed_at is null then excluded.secret_key_id else t.secret_key_id end,
      created_at = case when t.confirmed_at is null then excluded.created_at else t.created_at end,
      next_secret = case when t.confirmed_at is null then null else excluded.secret end,
      next_secret_key_id = case when t.confirmed_at is null then null else excluded.secret_key_id end`)
}

export function findTotp(db: Db, personId: string) {
  return db.find<StoredTotp>(sql`
    select secret, secret_key_id as key_id from totp where person_id = ${personId} and confirmed_at is not null`)
}

/** Returns the secret of an app that waits for its first code. */
export function findNewTotp(db: Db, personId: string) {
  return db.find<StoredTotp>(sql`
    select case when confirmed_at is null then secret else next_secret end as secret,
           case when confirmed_at is null then secret_key_id else next_secret_key_id end as key_id
    from totp
    where person_id = ${personId} and (confirmed_at is null or next_secret is not null)`)
}

/**
 * Uses up every code until this step. Returns nothing when the step was used before, also by another process at this moment, or when the
 * secret that the code was checked with has been replaced.
 */
export function takeTotpStep(db: Db, personId: string, secret: Buffer, step: number) {
  return db.find<{ person_id: string }>(sql`
    update totp set last_step = ${step}
    where person_id = ${personId} and confirmed_at is not null and secret = ${secret} and last_step < ${step}
    returning person_id`)
}

/**
 * Makes the app count instead of a former one, with its first code used up and a new set of recovery codes. It is a proof of the second
 * factor in the session. Null when the right has ended.
 */
export function confirmTotp(
  db: Db,
  { personId, id: sessionId }: { personId: string; id: string },
  confirmation: { secret: Buffer; step: number; at: Date; codes: readonly Buffer[] },
  right: Right,
  log: AuditRecord,
) {
  return db.find<{ is_confirmed: boolean | null }>(sql`
    select case when hold_right(${right}, array[${personId}]::uuid[])
                then confirm_totp(${personId}, ${sessionId}, ${confirmation.secret}, ${confirmation.step}, ${confirmation.codes},
                                  ${confirmation.at}, ${log}) end as is_confirmed`)
}

/** False when there is none. Null when the right has ended. */
export function removeTotp(db: Db, personId: string, right: Right, log: AuditRecord) {
  return db.find<{ is_removed: boolean | null }>(sql`
    select case when hold_right(${right}, array[${personId}]::uuid[])
                then remove_totp(${personId}, ${log}) end as is_removed`)
}

/** False when there is no second factor. Null when the right has ended. */
export function renewRecoveryCodes(db: Db, personId: string, codes: readonly Buffer[], right: Right, log: AuditRecord) {
  return db.find<{ is_renewed: boolean | null }>(sql`
    select case when hold_right(${right}, array[${personId}]::uuid[])
                then renew_recovery_codes(${personId}, ${codes}, ${log}) end as is_renewed`)
}

/** Returns nothing when the code is unknown or was used before. */
export function takeRecoveryCode(db: Db, personId: string, digest: Buffer, at: Date, log: AuditRecord) {
  return db.find<{ person_id: string }>(sql`
    with used as (
      update recovery_code set used_at = ${at}
      where person_id = ${personId} and digest = ${digest} and used_at is null
      returning person_id
    )
    select used.person_id, record_audit(null, ${log}) from used`)
}

export interface TotpRow {
  person_id: string
  secret: Buffer
  secret_key_id: string | null
  next_secret: Buffer | null
  next_secret_key_id: string | null
}

/** Lists the secrets that are not encrypted with the given key. */
export function listTotpOfOtherKeys(db: Db, keyId: string, limit: number) {
  return db.many<TotpRow>(sql`
    select person_id, secret, secret_key_id, next_secret, next_secret_key_id from totp
    where secret_key_id is distinct from ${keyId} or (next_secret is not null and next_secret_key_id is distinct from ${keyId})
    limit ${limit}`)
}

/** Changes nothing when the person has replaced a secret meanwhile. */
export function replaceTotp(db: Db, row: TotpRow, secret: EncryptedSecret, next: EncryptedSecret | undefined) {
  return db.run(sql`
    update totp set secret = ${secret.ciphertext}, secret_key_id = ${secret.keyId},
                    next_secret = ${next?.ciphertext ?? null}, next_secret_key_id = ${next?.keyId ?? null}
    where person_id = ${row.person_id} and secret = ${row.secret} and next_secret is not distinct from ${row.next_secret}`)
}
