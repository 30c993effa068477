// All SQL of a company's list of invoices.
import type { Db } from '../../db/pool.ts'
import { planEachTime, sql } from '../../db/sql.ts'
import { ZERO_ID } from '../../lib/ids.ts'
import type { Slice } from '../../lib/slice.ts'
import type { Scope } from '../../lib/scope.ts'
import { readInWindows, WINDOW_ROWS } from '../../lib/windows.ts'
import type { InvoiceRow } from '../queries.ts'

export function listInvoices(db: Db, scope: Scope, filter: { status?: string }, slice: Slice): Promise<InvoiceRow[]> {
  if (filter.status === undefined) return readInvoices(db, scope, filter, { ...slice, oldest: ZERO_ID })
  return readInWindows({
    ...slice,
    findEnd: async (after) => (await findInvoiceAhead(db, scope, after))?.id,
    read: (after, end, limit) => readInvoices(db, scope, filter, { after, oldest: end ?? ZERO_ID, limit }),
  })
}

function findInvoiceAhead(db: Db, scope: Scope, after: string) {
  return db.find<{ id: string }>(sql`
    select id from invoice
    where company_id = ${scope.companyId} and environment = ${scope.environment} and id < ${after}
    order by id desc offset ${WINDOW_ROWS} limit 1`)
}

type InvoiceSlice = Pick<Slice, 'after' | 'limit'> & { oldest: string }

function readInvoices(db: Db, scope: Scope, filter: { status?: string }, slice: InvoiceSlice) {
  return db.many<InvoiceRow>(
    planEachTime(sql`
      select company_id, environment, id, status, requested, deposit, fee, address, pay_amount, expires_at, received, reasons,
             failure_code, failure_message, created_at, status_at, look_up_count, created_by, cancelled_by
      from invoice
      where company_id = ${scope.companyId} and environment = ${scope.environment} and id < ${slice.after} and id >= ${slice.oldest}
        and (${filter.status}::text is null or status = ${filter.status})
      order by id desc limit ${slice.limit}`),
  )
}
