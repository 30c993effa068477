// All SQL on companies. Each change and its record in the audit log are one statement.
import type { Db } from '../db/pool.ts'
import { fragment, sql } from '../db/sql.ts'
import type { CompanyStanding } from '../access/queries.ts'
import type { AuditRecord } from '../access/audit.ts'
import type { Environment } from '../lib/scope.ts'

/** The columns of a CompanyRow. */
export const COMPANY_COLUMNS = fragment`id, name, kind, verification, live_services, direct_invoices, suspended, created_at`

export interface CompanyRow extends CompanyStanding {
  id: string
  name: string
  created_at: Date
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
      returning ${COMPANY_COLUMNS}
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
    select ${COMPANY_COLUMNS} from company where id = ${id}`)
}

export function listCompanies(
  db: Db,
  { verification = null, q = null }: { verification?: CompanyRow['verification'] | null; q?: string | null },
  page: { after: string; limit: number },
) {
  return db.many<CompanyRow>(sql`
    select ${COMPANY_COLUMNS} from company
    where (${verification}::text is null or verification = ${verification})
      and (${q}::text is null or starts_with(lower(name), lower(${q})))
      and id < ${page.after}
    order by id desc limit ${page.limit}`)
}

export interface BalanceRow {
  company_id: string
  environment: Environment
  available: bigint
  held: bigint
}

/** Across companies: an operator sees all. Returns both card accounts of each company. */
export function listBalances(db: Db, companyIds: readonly string[]) {
  return db.many<BalanceRow>(sql`
    select company_id, environment, available, held from account where company_id = any(${companyIds}::uuid[])`)
}

export function updateVerification(db: Db, id: string, verification: CompanyRow['verification'], log: AuditRecord) {
  return db.find<CompanyRow>(sql`
    with changed as (
      update company set verification = ${verification} where id = ${id}
      returning ${COMPANY_COLUMNS}
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
      returning ${COMPANY_COLUMNS}
    )
    select changed.*, record_audit(changed.id, ${log}) from changed`)
}

/** Returns undefined if there is no such company or nothing changes. Then nothing is logged. */
export function updateSuspension(db: Db, id: string, suspended: boolean, log: AuditRecord) {
  return db.find<CompanyRow>(sql`
    with changed as (
      update company set suspended = ${suspended} where id = ${id} and suspended <> ${suspended}
      returning ${COMPANY_COLUMNS}
    )
    select changed.*, record_audit(changed.id, ${log}) from changed`)
}
