// The life of an operation. docs/states.md shows this table; the database refuses what is not in it.
export const OPERATION_STATUSES = ['queued', 'processing', 'completed', 'failed', 'manual_review'] as const
export type OperationStatus = (typeof OPERATION_STATUSES)[number]

/** `processing → queued` only if it is certain that nothing was sent. Only a decision or the issuer ends a review, never a timer. */
export const OPERATION_TRANSITIONS: Readonly<Record<OperationStatus, readonly OperationStatus[]>> = {
  queued: ['processing'],
  processing: ['completed', 'failed', 'manual_review', 'queued'],
  manual_review: ['completed', 'failed'],
  completed: [],
  failed: [],
}
