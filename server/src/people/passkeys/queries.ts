// All SQL on passkeys. A change and its line in the audit log are one statement.
import type { AuditRecord } from '../../access/audit.ts'
import type { Right } from '../../access/right.ts'
import type { Db } from '../../db/pool.ts'
import { fragment, sql } from '../../db/sql.ts'
import type { Challenge } from './challenges.ts'

/** The columns of a PasskeyRow. */
const PASSKEY_COLUMNS = fragment`id, name, rp_id, credential_id, transports, is_synced, created_at, last_used_at`

/**
 * Stands among the used challenges after a restore, and uses up every challenge that expires no later than it does: those that were
 * answered after the backup are forgotten there, and must not be answered again.
 */
export const EARLIER_CHALLENGES = Buffer.alloc(16)

export interface PasskeyRow {
  id: string
  name: string
  rp_id: string
  credential_id: Buffer
  transports: string[]
  is_synced: boolean
  created_at: Date
  last_used_at: Date | null
}

export interface KnownPasskeyRow {
  id: string
  person_id: string
  person_name: string
  email: string
  credentials_version: number
  rp_id: string
  public_key: Buffer
  counter: bigint
}

export interface NewPasskey {
  readonly id: string
  readonly personId: string
  readonly name: string
  readonly rpId: string
  readonly credentialId: Buffer
  readonly publicKey: Buffer
  readonly counter: number
  readonly transports: readonly string[]
  readonly isSynced: boolean
  readonly createdAt: Date
}

/** All of them: a person has few. */
export function listPasskeys(db: Db, personId: string) {
  return db.many<PasskeyRow>(sql`
    select ${PASSKEY_COLUMNS} from passkey
    where person_id = ${personId} order by id desc`)
}

export function findPasskey(db: Db, personId: string, id: string) {
  return db.find<PasskeyRow>(sql`
    select ${PASSKEY_COLUMNS} from passkey
    where person_id = ${personId} and id = ${id}`)
}

export function findPasskeyByCredential(db: Db, credentialId: Buffer) {
  return db.find<KnownPasskeyRow>(sql`
    select k.id, k.person_id, p.name as person_name, p.email, p.credentials_version, k.rp_id, k.public_key, k.counter
    from passkey k join person p on p.id = k.person_id
    where k.credential_id = ${credentialId}`)
}

/** It is a proof of the second factor in the session. The outcome is null when the right has ended. */
export function addPasskey(
  db: Db,
  passkey: NewPasskey & { sessionId: string },
  challenge: Challenge,
  max: number,
  right: Right,
  log: AuditRecord,
) {
  return db.find<{ outcome: 'added' | 'limit' | 'refused' | null }>(sql`
    with done as materialized (
      select case when hold_right(${right}, array[${passkey.personId}]::uuid[]) then add_passkey(
        ${passkey.id}, ${passkey.personId}, ${passkey.name}, ${passkey.rpId}, ${passkey.credentialId}, ${passkey.publicKey},
        ${passkey.counter}, ${passkey.transports}, ${passkey.isSynced}, ${passkey.createdAt},
        ${challenge.nonce}, ${challenge.expiresAt}, ${max}, ${log}) end as outcome
    ), verified as (
      update person_session s set verified_at = ${passkey.createdAt} from done
      where s.id = ${passkey.sessionId} and s.person_id = ${passkey.personId} and s.ended_at is null and done.outcome = 'added'
    )
    select outcome from done`)
}

/**
 * Uses the challenge up and records the use of the passkey. Returns nothing when the challenge was used before, when the
 * passkey has been removed meanwhile, or when its counter did not grow; a counter that stays 0 does not count.
 */
export function takePasskey(
  db: Db,
  id: string,
  use: { counter: number; isSynced: boolean; at: Date },
  challenge: Challenge,
) {
  return db.find<{ id: string }>(sql`
    with used as (
      insert into used_challenge (nonce, expires_at) select ${challenge.nonce}, ${challenge.expiresAt}
      where not exists (
        select from used_challenge e where e.nonce = ${EARLIER_CHALLENGES} and e.expires_at >= ${challenge.expiresAt})
      on conflict do nothing returning nonce
    )
    update passkey k set counter = ${use.counter}, is_synced = ${use.isSynced}, last_used_at = ${use.at} from used
    where k.id = ${id} and (k.counter < ${use.counter} or (k.counter = 0 and ${use.counter} = 0))
    returning k.id`)
}

/** Returns nothing when there is no such passkey, or when the right has ended. */
export function renamePasskey(
  db: Db,
  { personId, id }: { personId: string; id: string },
  name: string,
  right: Right,
  log: AuditRecord,
) {
  return db.find<{ id: string }>(sql`
    with changed as (
      update passkey set name = ${name}
      where person_id = ${personId} and id = ${id} and hold_right(${right}, array[${personId}]::uuid[])
      returning id
    )
    select changed.id, record_audit(null, ${log}) from changed`)
}

/** The outcome is null when the right has ended. */
export function removePasskey(db: Db, personId: string, id: string, right: Right, log: AuditRecord) {
  return db.find<{ outcome: 'removed' | 'not_found' | 'last_way' | null }>(sql`
    select case when hold_right(${right}, array[${personId}]::uuid[])
                then remove_passkey(${personId}, ${id}, ${log}) end as outcome`)
}

/** Removes used challenges that have expired, a bounded number at a time. */
export function pruneChallenges(db: Db, before: Date, limit: number) {
  return db.run(sql`
    delete from used_challenge where nonce in (
      select nonce from used_challenge where expires_at < ${before} order by expires_at limit ${limit})`)
}
