// What only operators see: reviews and their decisions, the audit, the reconciliation.
import type { Environment } from './types.ts'

export interface Exchange {
  purpose: string
  sent: unknown
  received: unknown
  outcome: string
  startedAt: string
  finishedAt: string | null
}

export interface Review {
  id: string
  object: string
  companyId: string
  environment: Environment
  heldAmount: string
  since: string
  reasons: string[]
  /** What was sent, what came back, when. */
  dossier: {
    type: string
    acceptedAt: string
    claimedAt: string | null
    request: Record<string, unknown>
    exchanges: Exchange[]
    note: string | null
  }
}

export interface ReviewResolution {
  /** `expired` is for invoices only. */
  outcome: 'completed' | 'failed' | 'expired'
  reason: string
  evidence?: string
  cardId?: string
  last4?: string
  receipt?: string
  /** Of an invoice: USDT really received. Of a completed close: what came back from the card. */
  receivedAmount?: string
}

export interface Reconciliation {
  companies: number
  compared: number
  differences: { companyId: string; id: string; kind: string; difference: string }[]
}

export interface LedgerAudit {
  accounts: number
  entries: number
  differences: { companyId: string; environment: Environment; difference: string }[]
}

export interface AuditEntry {
  id: string
  companyId: string | null
  actor: string
  action: string
  object: string | null
  details: Record<string, unknown>
  address: string | null
  requestId: string | null
  createdAt: string
}

export interface VerificationDecision {
  decision: 'approve' | 'reject'
  reason?: string
}

export interface SuspensionChange {
  suspended: boolean
  reason: string
}

export interface CapabilityChange {
  liveServices?: boolean
  directInvoices?: boolean
}
