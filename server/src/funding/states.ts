// States of a funding invoice. docs/states.md shows this table; the database refuses any other transition.
export const INVOICE_STATUSES = ['creating', 'pending', 'completed', 'expired', 'failed', 'manual_review'] as const
export type InvoiceStatus = (typeof INVOICE_STATUSES)[number]

/** An expired invoice goes to review when money arrives. Only a decision or the issuer ends a review, never a timer. */
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
