// The life of a card payment, as the issuer reports it. docs/states.md shows this table; record_transaction obeys it.
export const TRANSACTION_TYPES = ['purchase', 'refund', 'withdrawal', 'verification', 'fee', 'adjustment'] as const
export type TransactionType = (typeof TRANSACTION_TYPES)[number]

export const TRANSACTION_STATUSES = ['pending', 'settled', 'declined', 'reversed', 'expired'] as const
export type TransactionStatus = (typeof TRANSACTION_STATUSES)[number]

/** `expired → settled`: a merchant may present a payment after its authorisation ran out. A report of anything else is late. */
export const TRANSACTION_TRANSITIONS: Readonly<Record<TransactionStatus, readonly TransactionStatus[]>> = {
  pending: ['settled', 'reversed', 'expired'],
  expired: ['settled'],
  settled: [],
  declined: [],
  reversed: [],
}

/** CONTRACT 11: the sign of a sandbox transaction follows its type. */
export function isCredit(type: TransactionType): boolean {
  return type === 'refund' || type === 'adjustment'
}
