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
  if (status !== 'expired') {
    throw new ApiError('invoice_not_payable', `This invoice is ${status}. Only a pending invoice can be cancelled.`, {
      details: { status },
    })
  }
  return getInvoice(deps, scope, id)
}
