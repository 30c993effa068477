// Operations, what they cost, and the balance that pays for them.
import type { Environment, PageQuery } from './types.ts'

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
