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
  suspended: boolean
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
