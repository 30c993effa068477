// Reads invoices. The first reader of a pending invoice past its expiry marks it expired, so it never shows as payable.
import { requireFound } from '../errors.ts'
import { scopeOf } from '../issuer/requests/ask.ts'
import { must } from '../lib/invariant.ts'
import type { Scope } from '../lib/scope.ts'
import type { FundingDeps } from './deps.ts'
import { expireInvoice, findInvoice, findOverdueInvoice, type InvoiceRow } from './queries.ts'
import { type Invoice, toInvoice } from './schema.ts'

type Deps = Pick<FundingDeps, 'db' | 'clock' | 'payLinks'>

export async function getInvoice(deps: Deps, scope: Scope, id: string): Promise<InvoiceRow> {
  return asOfNow(deps, requireFound(await findInvoice(deps.db, scope, id)))
}

/** Marks an overdue invoice expired before a list is read, so that filters and pages are right. */
export async function expireOverdue({ db, clock, payLinks }: Deps, scope: Scope): Promise<void> {
  const now = clock.now()
  const overdue = await findOverdueInvoice(db, scope, now)
  if (overdue !== undefined) await expireInvoice(db, scope, overdue.id, now, payLinks.urlOf(scope, overdue.id))
}

/** Returns the invoice, marked expired if it is past its expiry. */
export async function asOfNow({ db, clock, payLinks }: Deps, row: InvoiceRow): Promise<InvoiceRow> {
  const now = clock.now()
  if (row.status !== 'pending' || row.expires_at === null || row.expires_at > now) return row
  const scope = scopeOf(row)
  await expireInvoice(db, scope, row.id, now, payLinks.urlOf(scope, row.id))
  return must(await findInvoice(db, scope, row.id))
}

export function showInvoice({ payLinks }: Pick<Deps, 'payLinks'>, row: InvoiceRow): Invoice {
  return toInvoice(row, payLinks.urlOf(scopeOf(row), row.id))
}
