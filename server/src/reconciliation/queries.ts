// SQL of the reconciliation. It only reads.
import type { Db } from '../db/pool.ts'
import { sql } from '../db/sql.ts'

export interface AskedRow {
  id: string
  kind: 'issue' | 'topup' | 'service' | 'invoice'
  status: string
  amount: bigint
  failure_code: string | null
  /** For an invoice: the micro-USDT of all payments that the issuer reported. */
  received: bigint | null
}

/** Returns a company's live operations and invoices in the order of their ids. */
export function listAsked(db: Db, companyId: string, after: string, limit: number) {
  return db.many<AskedRow>(sql`
    select id, kind, status, amount, failure_code, received from (
      (select o.id, o.type as kind, o.status, o.amount, o.failure_code, null::bigint as received from operation o
       where o.company_id = ${companyId} and o.environment = 'live' and o.id > ${after} order by o.id limit ${limit})
      union all
      (select i.id, 'invoice', i.status, i.requested, i.failure_code,
              (select sum(p.amount)::bigint from invoice_payment p
               where p.company_id = i.company_id and p.environment = i.environment and p.invoice_id = i.id)
       from invoice i
       where i.company_id = ${companyId} and i.environment = 'live' and i.id > ${after} order by i.id limit ${limit})
    ) a
    order by id limit ${limit}`)
}

/** Returns those of the ids that a live operation or invoice of the company has. */
export function listKnown(db: Db, companyId: string, ids: readonly string[]) {
  return db.many<{ id: string }>(sql`
    select o.id from operation o
    where o.company_id = ${companyId} and o.environment = 'live' and o.id = any(${ids}::uuid[])
    union all
    select i.id from invoice i
    where i.company_id = ${companyId} and i.environment = 'live' and i.id = any(${ids}::uuid[])`)
}
