// Generated from the OpenAPI documents by `npm run generate`. Do not edit.
export const ENVIRONMENTS = ['sandbox', 'live'] as const
export type Environment = (typeof ENVIRONMENTS)[number]

export const OPERATION_TYPES = ['issue', 'topup', 'service'] as const
export type OperationType = (typeof OPERATION_TYPES)[number]

export const OPERATION_STATUSES = ['queued', 'processing', 'completed', 'failed', 'manual_review'] as const
export type OperationStatus = (typeof OPERATION_STATUSES)[number]

export const INVOICE_STATUSES = ['creating', 'pending', 'completed', 'expired', 'failed', 'manual_review'] as const
export type InvoiceStatus = (typeof INVOICE_STATUSES)[number]

export const CARD_STATUSES = ['pending', 'active', 'frozen', 'blocked', 'expired', 'closed'] as const
export type CardStatus = (typeof CARD_STATUSES)[number]

export const HOLDER_KINDS = ['individual', 'corporate'] as const
export type HolderKind = (typeof HOLDER_KINDS)[number]

export const HOLDER_STATUSES = ['pending', 'active', 'blocked', 'inactive'] as const
export type HolderStatus = (typeof HOLDER_STATUSES)[number]

export const TRANSACTION_TYPES = ['purchase', 'refund', 'withdrawal', 'verification', 'fee', 'adjustment'] as const
export type TransactionType = (typeof TRANSACTION_TYPES)[number]

export const TRANSACTION_STATUSES = ['pending', 'settled', 'declined', 'reversed', 'expired'] as const
export type TransactionStatus = (typeof TRANSACTION_STATUSES)[number]

export const SPEND_CATEGORIES = [
  'cash',
  'fuel',
  'groceries',
  'restaurants',
  'travel',
  'transport',
  'software',
  'advertising',
  'telecom',
  'office',
  'health',
  'education',
  'entertainment',
  'services',
  'finance',
  'government',
  'shopping',
  'other',
  'unknown',
] as const
export type SpendCategoryId = (typeof SPEND_CATEGORIES)[number]

export const SORTS = ['newest', 'oldest'] as const
export type Sort = (typeof SORTS)[number]

export const NAME_SORTS = ['newest', 'oldest', 'name_asc', 'name_desc'] as const
export type NameSort = (typeof NAME_SORTS)[number]

export const ENTRY_KINDS = ['deposit', 'fee', 'reservation', 'capture', 'release', 'adjustment'] as const
export type EntryKind = (typeof ENTRY_KINDS)[number]

export const EVENT_TYPES = [
  'operation.queued',
  'operation.processing',
  'operation.completed',
  'operation.failed',
  'operation.manual_review',
  'invoice.pending',
  'invoice.completed',
  'invoice.expired',
  'invoice.failed',
  'invoice.manual_review',
  'card.created',
  'card.updated',
  'transaction.created',
  'transaction.updated',
  'webhook.ping',
  'webhook.disabled',
  'api_key.expiring',
] as const
export type EventType = (typeof EVENT_TYPES)[number]

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
