// The columns of a list of delivery attempts, for `cardstock events attempts` and `cardstock webhooks attempts`.
import type { WebhookAttempt } from '@cardstock/sdk'
import type { Column } from '../output.ts'

export const ATTEMPT_COLUMNS: readonly Column<WebhookAttempt>[] = [
  { title: 'CREATED', cell: (attempt) => attempt.createdAt },
  { title: 'EVENT', cell: (attempt) => attempt.eventId },
  { title: 'ENDPOINT', cell: (attempt) => attempt.endpointId },
  { title: 'NUMBER', cell: (attempt) => attempt.number },
  { title: 'SUCCEEDED', cell: (attempt) => attempt.succeeded },
  { title: 'STATUS', cell: (attempt) => attempt.statusCode },
  { title: 'NEXT', cell: (attempt) => attempt.nextAttemptAt },
  { title: 'ERROR', isText: true, cell: (attempt) => attempt.error },
]
