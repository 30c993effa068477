// What a company reads of its books: card payments and statements.
import type { Environment, PageQuery } from './types.ts'

export const TRANSACTION_TYPES = ['purchase', 'refund', 'withdrawal', 'verification', 'fee', 'adjustment'] as const
export type TransactionType = (typeof TRANSACTION_TYPES)[number]

export const TRANSACTION_STATUSES = ['pending', 'settled', 'declined', 'reversed', 'expired'] as const
export type TransactionStatus = (typeof TRANSACTION_STATUSES)[number]

export const ENTRY_KINDS = ['deposit', 'fee', 'reservation', 'capture', 'release', 'adjustment'] as const
export type EntryKind = (typeof ENTRY_KINDS)[number]

/** A card payment. `amount` is signed, debits negative, in `currency`. */
export interface Transaction {
  id: string
  cardId: string
  reference: string
  type: TransactionType
  status: TransactionStatus
  amount: string
  currency: string
  merchant: string
  country: string
  description: string
  occurredAt: string
}

export interface TransactionFilter extends PageQuery {
  cardId?: string
  type?: TransactionType
  status?: TransactionStatus
  /** A date (its whole UTC day) or a date-time, inclusive. */
  from?: string
  to?: string
}

export interface NewSandboxTransaction {
  cardId: string
  type: TransactionType
  /** Unsigned: the sign follows the type. */
  amount: string
  currency?: string
  merchant?: string
  country?: string
  description?: string
  status?: TransactionStatus
}

/** Whole UTC days, both inclusive, such as 2026-01-31. */
export interface StatementRange {
  from: string
  to: string
}

/** Amounts are decimal strings with two decimals, negative with a minus sign. */
export interface StatementEntry {
  id: string
  reference: string
  kind: EntryKind
  description: string
  amount: string
  balance: string
  availableDelta: string
  heldDelta: string
  createdAt: string
}

export interface Statement {
  company: { id: string; name: string }
  environment: Environment
  currency: string
  account: 'card_account'
  from: string
  to: string
  openingBalance: string
  closingBalance: string
  incoming: string
  outgoing: string
  generatedAt: string
  /** Oldest first. */
  data: StatementEntry[]
  proof: {
    firstNumber: number
    lastNumber: number
    openingHeld: string
    hashBefore: string
    hashAfter: string
    digest: string
  }
}
