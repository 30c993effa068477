// Every kind of event. A type never changes its meaning; docs/webhooks.md has a row for each.
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

/** In an endpoint's list of events, this means all types, including those that are added later. */
export const ALL_EVENTS = '*'

const DAY_MS = 86_400_000

/** How long events, their deliveries and the attempts are kept. */
export interface EventRetention {
  readonly eventsDays: number
}

/** Events before this time have been deleted or are about to be. */
export function oldestKept(now: Date, { eventsDays }: EventRetention): Date {
  return new Date(now.getTime() - eventsDays * DAY_MS)
}

/** The version of the interface that the data of an event follows. */
export const EVENT_VERSION = '1.1.0'
