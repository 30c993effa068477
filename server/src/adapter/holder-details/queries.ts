// All SQL of the details of holders. They are personal data, and no other table of the adapter or the server has them.
import type { Db } from '../../db/pool.ts'
import { sql } from '../../db/sql.ts'
import type { HolderDetails } from '../provider.ts'

export interface DetailsRow {
  company_id: string | null
  entered_at: Date
}

export function findDetails(db: Db, id: string) {
  return db.find<DetailsRow>(sql`select company_id, entered_at from issuer_adapter.holder_details where id = ${id}`)
}

export interface DetailsEntry {
  readonly id: string
  /** Null on the control port, where holders are named without their company. */
  readonly companyId: string | null
  readonly details: HolderDetails
  readonly by: string
  readonly now: Date
}

/** Returns 0 if another company entered details of the holder. The operator of the adapter may always replace them. */
export function upsertDetails(db: Db, { id, companyId, details, by, now }: DetailsEntry) {
  return db.run(sql`
    insert into issuer_adapter.holder_details as d (id, company_id, details, entered_by, entered_at)
    values (${id}, ${companyId}, ${JSON.stringify(details)}, ${by}, ${now})
    on conflict (id) do update
      set company_id = coalesce(excluded.company_id, d.company_id), details = excluded.details,
          entered_by = excluded.entered_by, entered_at = excluded.entered_at
      where d.company_id is null or excluded.company_id is null or d.company_id = excluded.company_id`)
}

export function deleteDetails(db: Db, id: string, companyId: string) {
  return db.run(sql`
    delete from issuer_adapter.holder_details where id = ${id} and (company_id is null or company_id = ${companyId})`)
}
