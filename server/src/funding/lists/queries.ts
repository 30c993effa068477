// All SQL of a company's list of invoices.
import type { Db } from '../../db/pool.ts'
import { planEachTime, sql } from '../../db/sql.ts'
import { isAscending, lastId, type Slice } from '../../lib/slice.ts'
import type { Scope } from '../../lib/scope.ts'
import { readInWindows, WINDOW_ROWS } from '../../lib/windows.ts'
import type { InvoiceRow } from '../queries.ts'

export function listInvoices(db: Db, scope: Scope, filter: { status?: string }, slice: Slice): Promise<InvoiceRow[]> {
  const { limit, sort } = slice
  const place = { isUpward: isAscending(sort), after: slice.after, end: lastId(sort) }
  if (filter.status === undefined) return readInvoices(db, scope, filter, { ...place, limit })
  return readInWindows({
    ...slice,
    findEnd: async (after) => (await findInvoiceAhead(db, scope, { ...place, after }))?.id,
    read: (after, end = lastId(sort), most) => readInvoices(db, scope, filter, { ...place, after, end, limit: most }),
  })
}

interface Place {
  isUpward: boolean
  after: string
  /** The last id that is read. */
  end: string
}

function findInvoiceAhead(db: Db, scope: Scope, { isUpward, after }: Place) {
  return db.find<{ id: string }>(
    planEachTime(sql`
      select id from invoice
      where company_id = ${scope.companyId} and environment = ${scope.environment}
        and case when ${isUpward} then id > ${after} else id < ${after} end
      order by case when ${isUpward} then id end, id desc offset ${WINDOW_ROWS} limit 1`),
  )
}

/** The planner knows the order, so that one branch of each case is left. */
function readInvoices(
  db: Db,
  scope: Scope,
  filter: { status?: string },
  { isUpward, after, end, limit }: Place & { limit: number },
) {
  return db.many<InvoiceRow>(
    planEachTime(sql`
      select company_id, environment, id, status, requested, deposit, fee, address, pay_amount, expires_at, received, reasons,
             failure_code, failure_message, created_at, status_at, look_up_count, created_by, cancelled_by
      from invoice
      where company_id = ${scope.companyId} and environment = ${scope.environment}
        and case when ${isUpward} then id > ${after} and id <= ${end} else id < ${after} and id >= ${end} end
        and (${filter.status}::text is null or status = ${filter.status})
      order by case when ${isUpward} then id end, id desc limit ${limit}`),
  )
}
