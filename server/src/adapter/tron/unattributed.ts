// The transfers to our addresses that belong to no invoice, and what a person decides about them: which invoice gets one, or that none does.
// A decision is final.
import type { Db } from '../../db/pool.ts'
import type { Transact } from '../../db/transaction.ts'
import { type AddEvent, settledEvent } from './events.ts'
import {
  assignTransfer,
  dismissTransfer,
  findInvoice,
  findTransfer,
  listOpenTransfers,
  type TransferRow,
} from './queries.ts'

/** Transfers without an invoice on one page: what a person can look through. */
export const OPEN_TRANSFERS_MAX = 100

export interface Decision {
  readonly paymentId: string
  /** Who decides, for the record. */
  readonly by: string
  readonly reason: string
}

export type Decided =
  | { readonly kind: 'decided'; readonly transfer: TransferRow }
  | { readonly kind: 'unknown_transfer' }
  | { readonly kind: 'unknown_invoice' }
  /** The server could not read the amount, so no invoice can get it. It can be dismissed. */
  | { readonly kind: 'too_large' }
  /** It was decided before, or never needed a decision. */
  | { readonly kind: 'not_open'; readonly state: TransferRow['state'] }

/** Returns those that wait for a decision, the oldest first. `after` is the last payment id of the page before. */
export async function listUnattributed(db: Db, after?: string): Promise<TransferRow[]> {
  const last = after === undefined ? undefined : await findTransfer(db, after)
  const place = { height: last?.height ?? -1n, paymentId: last?.payment_id ?? '' }
  return listOpenTransfers(db, place, OPEN_TRANSFERS_MAX)
}

/** Gives the transfer to an invoice and tells the server, in one transaction. */
export async function assignToInvoice(
  { transact, addEvent }: { transact: Transact; addEvent: AddEvent },
  now: Date,
  { paymentId, by, reason, token }: Decision & { readonly token: string },
): Promise<Decided> {
  return transact(async (tx) => {
    const invoice = await findInvoice(tx, token)
    if (invoice === undefined) return { kind: 'unknown_invoice' }
    const transfer = await assignTransfer(tx, { paymentId, token, by, at: now, reason })
    if (transfer === undefined) return whyNot(tx, paymentId)
    const payment = { paymentId, amount: BigInt(transfer.amount), time: transfer.block_time }
    await addEvent(tx, settledEvent({ token, companyId: invoice.company_id }, payment))
    return { kind: 'decided', transfer }
  })
}

/** Records that no invoice gets the transfer, such as one that the operator made. */
export async function dismiss(db: Db, now: Date, { paymentId, by, reason }: Decision): Promise<Decided> {
  const transfer = await dismissTransfer(db, { paymentId, by, at: now, reason })
  return transfer === undefined ? whyNot(db, paymentId) : { kind: 'decided', transfer }
}

async function whyNot(db: Db, paymentId: string): Promise<Decided> {
  const transfer = await findTransfer(db, paymentId)
  if (transfer === undefined) return { kind: 'unknown_transfer' }
  return transfer.state === 'open' ? { kind: 'too_large' } : { kind: 'not_open', state: transfer.state }
}
