// Events as a union narrowed by `type`. An event that a later server adds has a type that is not listed here, so a
// receiver should ignore types that it does not know.
import type {
  ApiKey,
  Card,
  EventEnvelope,
  FundingInvoice,
  Operation,
  Transaction,
  WebhookEndpoint,
} from './generated/types.ts'
import type { EventType } from './generated/values.ts'

/** The `data` of each type of event: the object as it was. */
export interface EventData {
  'operation.queued': Operation
  'operation.processing': Operation
  'operation.completed': Operation
  'operation.failed': Operation
  'operation.manual_review': Operation
  'invoice.pending': FundingInvoice
  'invoice.completed': FundingInvoice
  'invoice.expired': FundingInvoice
  'invoice.failed': FundingInvoice
  'invoice.manual_review': FundingInvoice
  'card.created': Card
  'card.updated': Card
  'transaction.created': Transaction
  'transaction.updated': Transaction
  'webhook.ping': WebhookEndpoint
  'webhook.disabled': WebhookEndpoint
  'api_key.expiring': ApiKey
}

/**
 * `id` is the same on every attempt, so handle each id once. `sequence` grows by one per object: of two events of one
 * object the higher one is the newer.
 */
export type WebhookEvent<Type extends EventType = EventType> = {
  [T in Type]: Omit<EventEnvelope, 'type' | 'data'> & { type: T; data: EventData[T] }
}[Type]
