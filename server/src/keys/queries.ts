// All SQL on the API keys of companies. Each change and its record in the audit log are one statement.
import type { Db } from '../db/pool.ts'
import { fragment, sql } from '../db/sql.ts'
import type { Environment } from '../lib/scope.ts'
import type { AuditRecord } from '../access/audit.ts'
import type { KeyPermission } from '../access/permissions.ts'
import type { Right } from '../access/right.ts'

/** The columns of a KeyRow. */
export const KEY_COLUMNS = fragment`id, environment, name, prefix, last4, scopes, allowed_cidrs, created_at, expires_at, revoked_at, last_used_at`

export interface KeyRow {
  id: string
  environment: Environment
  name: string
  prefix: string
  last4: string
  scopes: KeyPermission[]
  allowed_cidrs: string[]
  created_at: Date
  expires_at: Date | null
  revoked_at: Date | null
  last_used_at: Date | null
  /** Left out of a key that was just made, which has no successor. */
  successor_id?: string | null
}

/** Returns nothing if the right to make it has ended, if there is no such company, or if as many of its keys work as may. */
export function createKey(
  db: Db,
  key: Omit<KeyRow, 'revoked_at' | 'last_used_at'> & { company_id: string; digest: Buffer },
  limit: number,
  right: Right,
  log: AuditRecord,
) {
  return db.find<KeyRow>(sql`
    select company_id, ${KEY_COLUMNS}
    from create_api_key(${right}, ${key.company_id}, ${key.id}, ${key.environment}, ${key.name}, ${key.digest}, ${key.prefix},
                        ${key.last4}, ${key.scopes}, ${key.allowed_cidrs}, ${key.created_at}, ${key.expires_at}, ${log}, ${limit})`)
}

/** Returns whether a right still holds: then a key was not made for another reason. */
export function findHeld(db: Db, right: Right) {
  return db.find<{ is_held: boolean }>(sql`select hold_right(${right}, '{}') as is_held`)
}

/** Across environments: an operator sees all keys of a company, by their ids. */
export function findKey(db: Db, companyId: string, keyId: string) {
  return db.find<KeyRow & { successor_id: string | null }>(sql`
    select ${KEY_COLUMNS}, successor_id
    from api_key where company_id = ${companyId} and id = ${keyId}`)
}

/** Across environments: an operator sees all keys of a company. People of the company see those of one environment. */
export function listKeys(db: Db, companyId: string, page: { after: string; limit: number }, environment?: Environment) {
  return db.many<KeyRow>(sql`
    select ${KEY_COLUMNS}, successor_id
    from api_key
    where company_id = ${companyId} and id < ${page.after} and environment = coalesce(${environment}, environment)
    order by id desc limit ${page.limit}`)
}

/**
 * Makes the successor, which takes over name, scopes, addresses and lifetime; the old key ends with the overlap, or earlier
 * if it would have. Returns nothing if the right has ended, if the key has ended or has a successor, or if as many keys work as may and this one
 * would go on working: concurrent rotations wait for the row's lock and then see the first one's successor. Across environments: an operator rotates any key of a company, by its id.
 */
export function rotateKey(
  db: Db,
  old: { companyId: string; id: string; endsAt: Date; limit: number },
  successor: { id: string; digest: Buffer; prefix: string; last4: string; createdAt: Date },
  right: Right,
  log: AuditRecord,
) {
  return db.find<KeyRow>(sql`
    select company_id, ${KEY_COLUMNS}
    from hold_right(${right}, '{}') as held (is_held),
         rotate_api_key(${old.companyId}, case when is_held then ${old.id}::uuid end, ${old.endsAt}, ${successor.id}, ${successor.digest},
                        ${successor.prefix}, ${successor.last4}, ${successor.createdAt}, ${log}, ${old.limit})`)
}

/** Revoking again changes nothing and is not logged again. Across environments: a key's id is unique within its company. */
export function revokeKey(db: Db, companyId: string, keyId: string, at: Date, log: AuditRecord) {
  return db.find<{ id: string }>(sql`
    with changed as (
      update api_key set revoked_at = ${at} where company_id = ${companyId} and id = ${keyId} and revoked_at is null
      returning company_id, id
    )
    select changed.id, record_audit(changed.company_id, ${log}) from changed`)
}
