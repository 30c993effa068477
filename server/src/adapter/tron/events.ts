// The event that tells the server about one transfer. Everything in it follows from the transfer and the invoice, so that the same transfer
// always gives the same event.
import type { Db } from '../../db/pool.ts'
import type { InvoiceSettled } from '../../issuer/http/event-schema.ts'
import { formatId } from '../../lib/ids.ts'
import { formatMicros } from '../../tron/usdt.ts'

/** Stores an event for the server, in the transaction that records its transfer. An event whose id is known changes nothing. */
export type AddEvent = (tx: Db, event: InvoiceSettled) => Promise<void>

export function settledEvent(
  invoice: { readonly token: string; readonly companyId: string },
  payment: { readonly paymentId: string; readonly amount: bigint; readonly time: Date },
): InvoiceSettled {
  const paidAt = payment.time.toISOString()
  return {
    id: `tron:${payment.paymentId}`,
    type: 'invoice.settled',
    // When it happened, not when it was seen: a repeat must have the same content.
    createdAt: paidAt,
    companyId: formatId('co', invoice.companyId),
    data: { token: invoice.token, paymentId: payment.paymentId, amount: formatMicros(payment.amount), paidAt },
  }
}
