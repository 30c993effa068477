// All SQL of a company's list of invoices.
import type { Db } from '../../db/pool.ts'
import { planEachTime, sql } from '../../db/sql.ts'
import { ZERO_ID } from '../../lib/ids.ts'
import type { Page } from '../../lib/page.ts'
import type { Scope } from '../../lib/scope.ts'
import { readInWindows, WINDOW_ROWS } from '../../lib/windows.ts'
import type { InvoiceRow } from '../queries.ts'

export function listInvoices(db: Db, scope: Scope, filter: { status?: string }, page: Page): Promise<InvoiceRow[]> {
  if (filter.status === undefined) return readInvoices(db, scope, filter, { ...page, oldest: ZERO_ID })
  return readInWindows({
    ...page,
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

type InvoicePage = Pick<Page, 'after' | 'limit'> & { oldest: string }

function readInvoices(db: Db, scope: Scope, filter: { status?: string }, page: InvoicePage) {
  return db.many<InvoiceRow>(
    planEachTime(sql`
      select company_id, environment, id, status, requested, deposit, fee, address, pay_amount, expires_at, received, reasons,
             failure_code, failure_message, created_at, status_at, look_up_count
      from invoice
      where company_id = ${scope.companyId} and environment = ${scope.environment} and id < ${page.after} and id >= ${page.oldest}
        and (${filter.status}::text is null or status = ${filter.status})
      order by id desc limit ${page.limit}`),
  )
}
