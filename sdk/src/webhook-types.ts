// Webhook endpoints, events and attempts as the server sends them.
import type { Environment, PageQuery } from './types.ts'

export const EVENT_TYPES = [
  'operation.queued',
  'operation.processing',
  'operation.completed',
  'operation.failed',
  'operation.manual_review',
  'invoice.pending',
  'invoice.completed',
  'invoice.expired',
  'invoice.failed',
  'invoice.manual_review',
  'card.created',
  'card.updated',
  'transaction.created',
  'transaction.updated',
  'webhook.ping',
  'webhook.disabled',
  'api_key.expiring',
] as const
export type EventType = (typeof EVENT_TYPES)[number]

export interface EventFilter extends PageQuery {
  type?: EventType
  from?: string
  to?: string
}

export interface NewWebhookEndpoint {
  url: string
  /** All when left out. */
  events?: readonly (EventType | '*')[]
  description?: string
}

export interface WebhookEndpointChange extends Partial<NewWebhookEndpoint> {
  status?: 'enabled' | 'disabled'
}

export interface WebhookEndpoint {
  id: string
  url: string
  events: string[]
  description: string | null
  status: 'enabled' | 'disabled'
  disabledReason: 'request' | 'gone' | 'failures' | null
  health: { lastSuccessAt: string | null; failingSince: string | null; failures: number }
  environment: Environment
  createdAt: string
}

export interface WebhookEndpointWithSecret extends WebhookEndpoint {
  /** Signs the deliveries. The server shows it in this answer and never again. */
  secret: string
}

export interface WebhookAttempt {
  id: string
  eventId: string
  endpointId: string
  number: number
  succeeded: boolean
  statusCode: number | null
  error: string | null
  latencyMs: number
  response: string | null
  createdAt: string
}
