// The life of a funding invoice. docs/states.md shows this table; the database refuses what is not in it.
export const INVOICE_STATUSES = ['creating', 'pending', 'completed', 'expired', 'failed', 'manual_review'] as const
export type InvoiceStatus = (typeof INVOICE_STATUSES)[number]

/** `expired → manual_review` when money was seen. Out of review by a decision or the issuer's confirmation, never by a timer. */
export const INVOICE_TRANSITIONS: Readonly<Record<InvoiceStatus, readonly InvoiceStatus[]>> = {
  creating: ['pending', 'failed', 'manual_review'],
  pending: ['completed', 'expired', 'manual_review'],
  completed: [],
  expired: ['manual_review'],
  failed: [],
  manual_review: ['completed', 'failed', 'expired'],
}

/** Why an invoice is, or was, in review. */
export const REVIEW_REASONS = ['underpaid', 'overpaid', 'paid_late', 'multiple_payments', 'issuer_unknown'] as const
export type ReviewReason = (typeof REVIEW_REASONS)[number]
