// The items of a batch, as the ledger's SQL functions take them: operations to accept and operations to settle.
import type { Cents } from '../lib/money.ts'
import type { Scope } from '../lib/scope.ts'
import type { RequestSpan } from '../telemetry/tracing.ts'

export interface Candidate {
  readonly scope: Scope
  readonly type: 'issue' | 'topup' | 'service'
  readonly productId: string
  readonly amount: Cents
  readonly fee: Cents
  readonly holderId: string | null
  readonly cardId: string | null
  readonly name: string | null
  readonly recipient: string | null
  readonly idempotencyKey: string
  /** The digest of the payload in hex. The same key with another digest is a conflict. */
  readonly digest: string
  readonly issuanceQuota: number | null
  /** Who orders it, as access/creator.ts writes it. */
  readonly createdBy?: string
  /** The request that asks for it, when traces are on. */
  readonly span?: RequestSpan | undefined
}

export interface AcceptItem {
  readonly id: string
  readonly candidate: Candidate
}

export interface Settlement {
  readonly scope: Scope
  readonly id: string
  readonly status: 'completed' | 'failed' | 'manual_review' | 'queued' | 'processing'
  readonly receipt?: string
  /** The card that a completed issue creates. */
  readonly card?: { readonly id: string; readonly last4: string }
  readonly failure?: { readonly code: string; readonly message: string }
  /** For queued and processing: when to continue. */
  readonly dueAt?: Date
  /** For processing: how many look-ups were answered. */
  readonly lookUps?: number
}
