// All SQL on companies, keys and operator tokens. Each change and its record in the audit log are one statement.
import type { Db } from '../db/pool.ts'
import { sql } from '../db/sql.ts'
import type { Environment } from '../lib/scope.ts'
import type { AuditRecord } from './audit.ts'
import type { KeyPermission } from './permissions.ts'

export interface CompanyRow {
  id: string
  name: string
  kind: 'individual' | 'corporate'
  verification: 'pending' | 'approved' | 'rejected'
  live_services: boolean
  direct_invoices: boolean
  suspended: boolean
  created_at: Date
}

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
}

export interface CallerRow extends Pick<
  CompanyRow,
  'kind' | 'verification' | 'live_services' | 'direct_invoices' | 'suspended'
> {
  key_id: string
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
    select k.digest, k.id as key_id, k.company_id, k.environment, k.scopes, k.allowed_cidrs, k.expires_at, k.revoked_at,
           c.kind, c.verification, c.live_services, c.direct_invoices, c.suspended
    from api_key k join company c on c.id = k.company_id
    where k.digest = any(${digests})`)
}

export function findOperatorTokens(db: Db, digests: readonly Buffer[]) {
  return db.many<{ id: string; digest: Buffer }>(sql`
    select id, digest from operator_token where digest = any(${digests}) and revoked_at is null`)
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

/** Creates a company with its two accounts, so that no money function ever has to create one. */
export function insertCompany(
  db: Db,
  company: Pick<CompanyRow, 'id' | 'name' | 'kind' | 'created_at'>,
  log: AuditRecord,
) {
  return db.find<CompanyRow>(sql`
    with made as (
      insert into company (id, name, kind, created_at)
      values (${company.id}, ${company.name}, ${company.kind}, ${company.created_at})
      returning id, name, kind, verification, live_services, direct_invoices, suspended, created_at
    ), accounts as (
      insert into account (company_id, environment, last_entry_at)
      -- Not from made, which Citus would copy to every node.
      select ${company.id}::uuid, e.environment, ${company.created_at}::timestamptz
      from unnest(enum_range(null::environment)) as e (environment)
    )
    select made.*, record_audit(made.id, ${log}) from made`)
}

export function findCompany(db: Db, id: string) {
  return db.find<CompanyRow>(sql`
    select id, name, kind, verification, live_services, direct_invoices, suspended, created_at from company where id = ${id}`)
}

export function listCompanies(
  db: Db,
  verification: CompanyRow['verification'] | null,
  page: { after: string; limit: number },
) {
  return db.many<CompanyRow>(sql`
    select id, name, kind, verification, live_services, direct_invoices, suspended, created_at from company
    where (${verification}::text is null or verification = ${verification})
      and id < ${page.after}
    order by id desc limit ${page.limit}`)
}

export function updateVerification(db: Db, id: string, verification: CompanyRow['verification'], log: AuditRecord) {
  return db.find<CompanyRow>(sql`
    with changed as (
      update company set verification = ${verification} where id = ${id}
      returning id, name, kind, verification, live_services, direct_invoices, suspended, created_at
    )
    select changed.*, record_audit(changed.id, ${log}) from changed`)
}

export function updateCapabilities(
  db: Db,
  id: string,
  change: { liveServices: boolean | null; directInvoices: boolean | null },
  log: AuditRecord,
) {
  return db.find<CompanyRow>(sql`
    with changed as (
      update company set
        live_services = coalesce(${change.liveServices}, live_services),
        direct_invoices = coalesce(${change.directInvoices}, direct_invoices)
      where id = ${id}
      returning id, name, kind, verification, live_services, direct_invoices, suspended, created_at
    )
    select changed.*, record_audit(changed.id, ${log}) from changed`)
}

/** Returns undefined if there is no such company or nothing changes. Then nothing is logged. */
export function updateSuspension(db: Db, id: string, suspended: boolean, log: AuditRecord) {
  return db.find<CompanyRow>(sql`
    with changed as (
      update company set suspended = ${suspended} where id = ${id} and suspended <> ${suspended}
      returning id, name, kind, verification, live_services, direct_invoices, suspended, created_at
    )
    select changed.*, record_audit(changed.id, ${log}) from changed`)
}

export function insertKey(
  db: Db,
  key: Omit<KeyRow, 'revoked_at' | 'last_used_at'> & { company_id: string; digest: Buffer },
  log: AuditRecord,
) {
  return db.find<KeyRow>(sql`
    with made as (
      insert into api_key (company_id, id, environment, name, digest, prefix, last4, scopes, allowed_cidrs, created_at, expires_at)
      select c.id, ${key.id}, ${key.environment}, ${key.name}, ${key.digest}, ${key.prefix}, ${key.last4}, ${key.scopes},
             ${key.allowed_cidrs}, ${key.created_at}, ${key.expires_at}
      from company c where c.id = ${key.company_id}
      returning company_id, id, environment, name, prefix, last4, scopes, allowed_cidrs, created_at, expires_at, revoked_at, last_used_at
    )
    select made.*, record_audit(made.company_id, ${log}) from made`)
}

/** Across environments: an operator sees all keys of a company, by their ids. */
export function findKey(db: Db, companyId: string, keyId: string) {
  return db.find<KeyRow & { successor_id: string | null }>(sql`
    select id, environment, name, prefix, last4, scopes, allowed_cidrs, created_at, expires_at, revoked_at, last_used_at, successor_id
    from api_key where company_id = ${companyId} and id = ${keyId}`)
}

/** Across environments: an operator sees all keys of a company. People of the company see those of one environment. */
export function listKeys(db: Db, companyId: string, page: { after: string; limit: number }, environment?: Environment) {
  return db.many<KeyRow>(sql`
    select id, environment, name, prefix, last4, scopes, allowed_cidrs, created_at, expires_at, revoked_at, last_used_at
    from api_key
    where company_id = ${companyId} and id < ${page.after} and environment = coalesce(${environment}, environment)
    order by id desc limit ${page.limit}`)
}

/**
 * Makes the successor, which takes over name, scopes, addresses and lifetime; the old key ends with the overlap, or earlier
 * if it would have. Returns nothing if the key has ended or has a successor: concurrent rotations wait for the row's lock
 * and then see the first one's successor. Across environments: an operator rotates any key of a company, by its id.
 */
export function rotateKey(
  db: Db,
  old: { companyId: string; id: string; endsAt: Date },
  successor: { id: string; digest: Buffer; prefix: string; last4: string; createdAt: Date },
  log: AuditRecord,
) {
  return db.find<KeyRow>(sql`
    select company_id, id, environment, name, prefix, last4, scopes, allowed_cidrs, created_at, expires_at, revoked_at, last_used_at
    from rotate_api_key(${old.companyId}, ${old.id}, ${old.endsAt}, ${successor.id}, ${successor.digest}, ${successor.prefix},
                               ${successor.last4}, ${successor.createdAt}, ${log})`)
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

export interface OperatorTokenRow {
  id: string
  name: string
  prefix: string
  last4: string | null
  created_at: Date
  revoked_at: Date | null
  last_used_at: Date | null
}

interface NewOperatorToken {
  id: string
  name: string
  digest: Buffer
  prefix: string
  last4: string
  createdAt: Date
}

/** Stores a token that the server's settings contain. If it is stored already, only its missing last four are added. */
export function acceptOperatorToken(db: Db, token: NewOperatorToken) {
  return db.run(sql`
    insert into operator_token (id, name, digest, prefix, last4, created_at)
    values (${token.id}, ${token.name}, ${token.digest}, ${token.prefix}, ${token.last4}, ${token.createdAt})
    on conflict (digest) do update set prefix = excluded.prefix, last4 = excluded.last4
      where operator_token.last4 is null`)
}

/** Not created if `limit` tokens are active. */
export function createOperatorToken(db: Db, token: NewOperatorToken, limit: number, log: AuditRecord) {
  return db.find<{ is_created: boolean }>(sql`
    select create_operator_token(${token.id}, ${token.name}, ${token.digest}, ${token.prefix}, ${token.last4},
                                 ${token.createdAt}, ${limit}, ${log}) as is_created`)
}

/** Not revoked if it is the last active token. */
export function revokeOperatorToken(db: Db, id: string, at: Date, log: AuditRecord) {
  return db.find<{ is_revoked: boolean }>(sql`select revoke_operator_token(${id}, ${at}, ${log}) as is_revoked`)
}

export function findOperatorToken(db: Db, id: string) {
  return db.find<OperatorTokenRow>(sql`
    select id, name, prefix, last4, created_at, revoked_at, last_used_at from operator_token where id = ${id}`)
}

export function listOperatorTokens(db: Db, page: { after: string; limit: number }) {
  return db.many<OperatorTokenRow>(sql`
    select id, name, prefix, last4, created_at, revoked_at, last_used_at from operator_token
    where id < ${page.after}
    order by id desc limit ${page.limit}`)
}

export function markOperatorTokensUsed(db: Db, tokenIds: string[], usedAt: Date[]) {
  return db.run(sql`
    update operator_token t set last_used_at = u.used_at
    from unnest(${tokenIds}::uuid[], ${usedAt}::timestamptz[]) as u (id, used_at)
    where t.id = u.id and (t.last_used_at is null or t.last_used_at < u.used_at)`)
}

/** Returns the stored value, which is ours if we were the first to set it. */
export function settleInstallation(db: Db, name: string, value: Buffer) {
  return db.find<{ value: Buffer }>(sql`
    with made as (
      insert into installation (name, value) values (${name}, ${value}) on conflict (name) do nothing returning value
    )
    select value from made union all select value from installation where name = ${name} limit 1`)
}
