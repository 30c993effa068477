// SQL that finds out who is calling. Changes are in companies/, keys/ and operator-tokens/.
import type { Db } from '../db/pool.ts'
import { sql } from '../db/sql.ts'
import type { Environment } from '../lib/scope.ts'
import type { AuditRecord } from './audit.ts'
import type { KeyPermission } from './permissions.ts'

/** What decides about all callers of a company. */
export interface CompanyStanding {
  kind: 'individual' | 'corporate'
  verification: 'pending' | 'approved' | 'rejected'
  live_services: boolean
  direct_invoices: boolean
  suspended: boolean
}

export interface CallerRow extends CompanyStanding {
  key_id: string
  key_name: string
  company_id: string
  environment: Environment
  scopes: KeyPermission[]
  allowed_cidrs: string[]
  expires_at: Date | null
  revoked_at: Date | null
}

/** Across companies: the key tells which company and environment the caller belongs to. */
export function findCallers(db: Db, digests: readonly Buffer[]) {
  return db.many<CallerRow & { digest: Buffer }>(sql`
    select k.digest, k.id as key_id, k.name as key_name, k.company_id, k.environment, k.scopes, k.allowed_cidrs, k.expires_at, k.revoked_at,
           c.kind, c.verification, c.live_services, c.direct_invoices, c.suspended
    from api_key k join company c on c.id = k.company_id
    where k.digest = any(${digests})`)
}

export function listCompanyNames(db: Db, ids: readonly string[]) {
  return db.many<{ id: string; name: string }>(sql`
    select id, name from company where id = any(${ids}::uuid[])`)
}

export function findOperatorTokens(db: Db, digests: readonly Buffer[]) {
  return db.many<{ id: string; name: string; digest: Buffer }>(sql`
    select id, name, digest from operator_token where digest = any(${digests}) and revoked_at is null`)
}

export function readAccessVersion(db: Db) {
  return db.find<{ version: bigint }>(sql`select version from access_version`)
}

/** Across environments: a key's id is unique within its company. */
export function markKeysUsed(db: Db, companyIds: string[], keyIds: string[], usedAt: Date[]) {
  return db.run(sql`
    update api_key k set last_used_at = u.used_at
    from unnest(${companyIds}::uuid[], ${keyIds}::uuid[], ${usedAt}::timestamptz[]) as u (company_id, id, used_at)
    where k.company_id = u.company_id and k.id = u.id
      and (k.last_used_at is null or k.last_used_at < u.used_at)`)
}

export function markOperatorTokensUsed(db: Db, tokenIds: string[], usedAt: Date[]) {
  return db.run(sql`
    update operator_token t set last_used_at = u.used_at
    from unnest(${tokenIds}::uuid[], ${usedAt}::timestamptz[]) as u (id, used_at)
    where t.id = u.id and (t.last_used_at is null or t.last_used_at < u.used_at)`)
}

/** Writes a record of something that changed nothing else, such as a check of the books. */
export function insertAudit(db: Db, record: AuditRecord, companyId: string | null = null) {
  return db.run(sql`select record_audit(${companyId}, ${record})`)
}
