// States of a card payment, as the issuer reports them. docs/states.md shows this table; record_transaction enforces it.
export const TRANSACTION_TYPES = ['purchase', 'refund', 'withdrawal', 'verification', 'fee', 'adjustment'] as const
export type TransactionType = (typeof TRANSACTION_TYPES)[number]

export const TRANSACTION_STATUSES = ['pending', 'settled', 'declined', 'reversed', 'expired'] as const
export type TransactionStatus = (typeof TRANSACTION_STATUSES)[number]

/** A merchant may present a payment after its authorisation expired. Any other report is late and changes nothing. */
export const TRANSACTION_TRANSITIONS: Readonly<Record<TransactionStatus, readonly TransactionStatus[]>> = {
  pending: ['settled', 'reversed', 'expired'],
  expired: ['settled'],
  settled: [],
  declined: [],
  reversed: [],
}

/** The type of a sandbox transaction determines its sign. */
export function isCredit(type: TransactionType): boolean {
  return type === 'refund' || type === 'adjustment'
}
