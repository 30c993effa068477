// Decides which invoice a transfer to one of our addresses belongs to. Pure.
import { micros } from '../../tron/usdt.ts'

/** The time in which transfers to its address belong to an invoice: from its creation until its quarantine ends. */
export interface InvoiceSpan {
  readonly token: string
  readonly companyId: string
  readonly createdAt: Date
  readonly freeAt: Date
}

/** Why no invoice gets a transfer by itself. A person decides about it. */
export type Cause =
  /** Nobody had the address then: it was not given out yet, or its quarantine had ended. */
  | 'no_invoice'
  /** It came from one of our own addresses, so the operator moved money. No payer has those keys. */
  | 'own_transfer'
  /** The server cannot read an amount of more than nine digits. */
  | 'too_large'

export type Attribution =
  { readonly kind: 'invoice'; readonly invoice: InvoiceSpan } | { readonly kind: 'none'; readonly cause: Cause }

/**
 * Transfers below one cent are not payments. The server credits whole cents, so nothing could be credited, and sending such amounts, or
 * zero, is how addresses are spammed: a thousand of them must not hide a payment.
 */
export const DUST_BELOW = micros(10_000n)
/** 999,999,999.999999 USDT: nine digits before the point, which is what the server reads. */
const REPORTED_MAX = micros(999_999_999_999_999n)

export function isDust(amount: bigint): boolean {
  return amount < DUST_BELOW
}

/**
 * The time is the block's. Early means that the block is older than the invoice, even by a second: that money was meant for somebody
 * else. Late, too small and too large transfers belong to the invoice too; the server decides what they are worth.
 */
export function attribute(
  transfer: { readonly time: Date; readonly amount: bigint; readonly isFromOurs: boolean },
  spansOfAddress: readonly InvoiceSpan[],
): Attribution {
  if (transfer.isFromOurs) return { kind: 'none', cause: 'own_transfer' }
  const at = transfer.time.getTime()
  const invoice = spansOfAddress.find((span) => span.createdAt.getTime() <= at && at < span.freeAt.getTime())
  if (invoice === undefined) return { kind: 'none', cause: 'no_invoice' }
  if (transfer.amount > REPORTED_MAX) return { kind: 'none', cause: 'too_large' }
  return { kind: 'invoice', invoice }
}
