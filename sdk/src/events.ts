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
  /** An operation was accepted and its total reserved. */
  'operation.queued': Operation
  /** An operation was handed to the issuer. */
  'operation.processing': Operation
  /** An operation was carried out and its total captured. */
  'operation.completed': Operation
  /** An operation failed and its total was released. */
  'operation.failed': Operation
  /** It is not known whether an operation was carried out; a person decides. */
  'operation.manual_review': Operation
  /** An invoice can be paid. */
  'invoice.pending': FundingInvoice
  /** An invoice was paid and credited. */
  'invoice.completed': FundingInvoice
  /** An invoice was not paid in time. */
  'invoice.expired': FundingInvoice
  /** An invoice could not be created, or a person let it fail. */
  'invoice.failed': FundingInvoice
  /** What was paid on an invoice, or whether it exists, is for a person to decide. */
  'invoice.manual_review': FundingInvoice
  /** A card was issued. */
  'card.created': Card
  /** The status or the balance of a card changed. */
  'card.updated': Card
  /** A card was used for a payment. */
  'transaction.created': Transaction
  /** The status of a transaction changed. */
  'transaction.updated': Transaction
  /** A test that was asked for. */
  'webhook.ping': WebhookEndpoint
  /** An endpoint was disabled because deliveries failed for too long. */
  'webhook.disabled': WebhookEndpoint
  /** A key expires within seven days. */
  'api_key.expiring': ApiKey
}

/**
 * `id` is the same on every attempt, so handle each id once. `sequence` grows by one per object: of two events of one
 * object the higher one is the newer.
 */
export type WebhookEvent<Type extends EventType = EventType> = {
  [T in Type]: Omit<EventEnvelope, 'type' | 'data'> & {
    /** What happened. */
    type: T
    /** The object as it was. */
    data: EventData[T]
  }
}[Type]
