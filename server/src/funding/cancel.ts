// POST /card-account/invoices/{id}/cancel: ends the time to pay an invoice, so that another one can be created. The issuer is not told, because
// its address stays watched: what was paid before is still credited, and what is paid later goes to review.
import { creatorOf } from '../access/creator.ts'
import type { Caller } from '../access/caller.ts'
import { ApiError, notFound } from '../errors.ts'
import { must } from '../lib/invariant.ts'
import type { FundingDeps } from './deps.ts'
import { cancelInvoice as cancel, type InvoiceRow } from './queries.ts'
import { getInvoice } from './read.ts'

type Deps = Pick<FundingDeps, 'db' | 'clock' | 'payLinks'>

/** Repeating it changes nothing: an invoice that has expired is returned as it is. */
export async function cancelInvoice(deps: Deps, caller: Pick<Caller, 'by' | 'scope'>, id: string): Promise<InvoiceRow> {
  const { db, clock, payLinks } = deps
  const { scope } = caller
  const change = { now: clock.now(), by: creatorOf(caller), payUrl: payLinks.urlOf(scope, id) }
  const { status } = must(await cancel(db, scope, id, change))
  if (status === null) throw notFound()
  const row = await getInvoice(deps, scope, id)
  if (status === 'expired' || row.status === 'expired') return row
  if (status === 'pending') throw tooMany(row, change.now)
  throw new ApiError('invoice_not_payable', `This invoice is ${status}. Only a pending invoice can be cancelled.`, {
    details: { status },
  })
}

/** An invoice that has expired stands in nobody's way, so that waiting until then is enough. */
function tooMany({ expires_at: expiresAt }: InvoiceRow, now: Date): ApiError {
  const waitMs = Math.max(0, (expiresAt?.getTime() ?? 0) - now.getTime())
  return new ApiError(
    'rate_limited',
    'This company has had 100 invoices within 25 hours, so this one cannot be cancelled. Pay it, or wait until it expires.',
    { headers: { 'retry-after': String(Math.max(1, Math.ceil(waitMs / 1000))) } },
  )
}
