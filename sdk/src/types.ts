// The resources as the server sends them. Lists of values are constants, so that a program can offer them as choices.
// A test of the server holds each list to the server's own.
export const ENVIRONMENTS = ['sandbox', 'live'] as const
export type Environment = (typeof ENVIRONMENTS)[number]

export const COMPANY_KINDS = ['individual', 'corporate'] as const
export type CompanyKind = (typeof COMPANY_KINDS)[number]

export const SCOPES = [
  'funding:write',
  'cards:write',
  'services:write',
  'cards:read',
  'holders:read',
  'operations:read',
  'balance:read',
  'holders:write',
  'webhooks:read',
  'webhooks:write',
] as const
export type Scope = (typeof SCOPES)[number]

export const HOLDER_KINDS = ['individual', 'corporate'] as const
export type HolderKind = (typeof HOLDER_KINDS)[number]

export const HOLDER_STATUSES = ['pending', 'active', 'blocked', 'inactive'] as const
export type HolderStatus = (typeof HOLDER_STATUSES)[number]

export const CARD_STATUSES = ['pending', 'active', 'frozen', 'blocked', 'expired', 'closed'] as const
export type CardStatus = (typeof CARD_STATUSES)[number]

export const TRANSACTION_TYPES = ['purchase', 'refund', 'withdrawal', 'verification', 'fee', 'adjustment'] as const
export type TransactionType = (typeof TRANSACTION_TYPES)[number]

export const TRANSACTION_STATUSES = ['pending', 'settled', 'declined', 'reversed', 'expired'] as const
export type TransactionStatus = (typeof TRANSACTION_STATUSES)[number]

export const ENTRY_KINDS = ['deposit', 'fee', 'reservation', 'capture', 'release', 'adjustment'] as const
export type EntryKind = (typeof ENTRY_KINDS)[number]

export interface Page<Item> {
  data: Item[]
  /** Null at the end of the list. */
  nextCursor: string | null
}

export interface PageQuery {
  /** `nextCursor` of the page before, with the same filters. */
  cursor?: string
  /** Items per page, 1 to 100. */
  limit?: number
}

export interface Company {
  id: string
  name: string
  kind: CompanyKind
  verification: 'pending' | 'approved' | 'rejected'
  capabilities: { liveServices: boolean; directInvoices: boolean }
  createdAt: string
}

export interface NewCompany {
  name: string
  kind: CompanyKind
}

interface KeyFields {
  id: string
  prefix: string
  last4: string
  environment: Environment
  name: string
  scopes: Scope[]
  allowedCidrs: string[]
  createdAt: string
  expiresAt: string | null
}

export interface ApiKey extends KeyFields {
  revokedAt: string | null
  lastUsedAt: string | null
}

export interface CreatedApiKey extends KeyFields {
  /** The key itself. The server shows it in this answer and never again. */
  key: string
}

export interface NewApiKey {
  environment: Environment
  name: string
  scopes: readonly Scope[]
  expiresAt?: string
  allowedCidrs?: readonly string[]
}

export interface Holder {
  id: string
  name: string
  email: string
  kind: HolderKind
  status: HolderStatus
  externalId?: string
}

export interface NewHolder {
  name: string
  email: string
  kind: HolderKind
  externalId?: string
}

export interface HolderFilter extends PageQuery {
  status?: HolderStatus
  kind?: HolderKind
  externalId?: string
  email?: string
}

export interface Card {
  id: string
  name: string
  holderId: string
  last4: string
  status: CardStatus
  /** A decimal string with two decimals. Keep it a string: it is money. */
  balance: string
  productId: string
  createdAt: string
  /** Only while a change is open, whose outcome is not known yet: the status that was asked for. */
  pendingStatus?: 'active' | 'frozen' | 'closed'
}

export interface CardFilter extends PageQuery {
  status?: CardStatus
  holderId?: string
  productId?: string
}

/** Absent rules are null. Amounts are decimal strings; `rate` is a fraction such as "0.002". */
export interface Pricing {
  flatFee: string | null
  rate: string | null
  minimumFee: string | null
  minimumAmount: string | null
  maximumAmount: string | null
  fixedPrice: string | null
}

export interface Product {
  id: string
  kind: 'card' | 'service'
  name: string
  description: string
  currency: string
  /** The price of issuing a card, or of the service. */
  pricing: Pricing
  /** Null for services. */
  topupPricing: Pricing | null
}

export const OPERATION_TYPES = ['issue', 'topup', 'service'] as const
export type OperationType = (typeof OPERATION_TYPES)[number]

export const OPERATION_STATUSES = ['queued', 'processing', 'completed', 'failed', 'manual_review'] as const
export type OperationStatus = (typeof OPERATION_STATUSES)[number]

export interface Operation {
  id: string
  type: OperationType
  status: OperationStatus
  amount: string
  fee: string
  total: string
  /** Empty until completed. */
  result: { cardId?: string; receipt?: string }
  /** Only of a failed one. */
  failure?: { code: string; message: string }
  createdAt: string
}

interface AnyNewOperation {
  amount: string
  /** Refused as `quote_changed` when the total is another one. */
  expectedTotal?: string
}

export type NewOperation = AnyNewOperation &
  (
    | { type: 'issue'; productId: string; holderId: string; name?: string }
    | { type: 'topup'; cardId: string; productId?: string }
    | { type: 'service'; productId: string; recipient: string }
  )

export interface OperationFilter extends PageQuery {
  type?: OperationType
  status?: OperationStatus
  cardId?: string
  from?: string
  to?: string
  idempotencyKey?: string
}

export interface Quote {
  amount: string
  fee: string
  total: string
  currency: string
}

export interface Balance {
  available: string
  held: string
  total: string
  currency: string
  environment: Environment
}

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
