// Generated from the server's tables of states by `npm run generate`. Do not edit.
import type { CardStatus, OperationStatus, InvoiceStatus, TransactionStatus } from './values.ts'

/** What can be asked of a card, and the statuses that allow it. */
export const CARD_ACTIONS = {
  topUp: ['active'],
  freeze: ['active'],
  unfreeze: ['frozen'],
  close: ['active', 'frozen', 'blocked', 'expired'],
} as const satisfies Record<string, readonly CardStatus[]>

/** What a person can decide about an operation, and the statuses that allow it. */
export const OPERATION_ACTIONS = {
  resolve: ['manual_review'],
} as const satisfies Record<string, readonly OperationStatus[]>

/** What a person can decide about an invoice, and the statuses that allow it. */
export const INVOICE_ACTIONS = {
  resolve: ['manual_review'],
} as const satisfies Record<string, readonly InvoiceStatus[]>

/** What can become of a payment in the sandbox, and the statuses that allow it. */
export const TRANSACTION_ACTIONS = {
  settled: ['pending', 'expired'],
  reversed: ['pending'],
  expired: ['pending'],
} as const satisfies Record<string, readonly TransactionStatus[]>
