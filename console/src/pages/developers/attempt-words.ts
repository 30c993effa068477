// Attempts to deliver an event, in plain words.
import type { WebhookAttempt } from '@cardstock/sdk'

/** What became of an attempt, for a table and for screen readers. */
export function describeAttempt({ succeeded, statusCode, error }: WebhookAttempt): string {
  if (succeeded) return `Delivered, ${statusCode}`
  return statusCode === null ? `No answer: ${error ?? 'unknown reason'}` : `Refused, ${statusCode}`
}
