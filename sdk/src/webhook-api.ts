// A company's calls on its webhook endpoints and events.
import type { Client } from './client.ts'
import { createList, type List } from './list.ts'
import { path } from './path.ts'
import type { PageQuery } from './types.ts'
import type {
  EventFilter,
  NewWebhookEndpoint,
  WebhookAttempt,
  WebhookEndpoint,
  WebhookEndpointChange,
  WebhookEndpointWithSecret,
} from './webhook-types.ts'
import type { WebhookEvent } from './webhooks.ts'

const ENDPOINTS = '/api/v1/webhook-endpoints'

export function webhookEndpoints(client: Client) {
  return {
    /** The only answer, with that of `rotateSecret`, that holds the secret. */
    create: (endpoint: NewWebhookEndpoint) =>
      client.request<WebhookEndpointWithSecret>('POST', ENDPOINTS, { body: endpoint }),
    list: (query: PageQuery = {}): List<WebhookEndpoint> => createList(client, ENDPOINTS, query),
    get: (id: string) => client.request<WebhookEndpoint>('GET', path`/api/v1/webhook-endpoints/${id}`),
    change: (id: string, change: WebhookEndpointChange) =>
      client.request<WebhookEndpoint>('PATCH', path`/api/v1/webhook-endpoints/${id}`, { body: change }),
    delete: (id: string) => client.request<void>('DELETE', path`/api/v1/webhook-endpoints/${id}`),
    /** The old secret goes on signing for the overlap, 24 hours unless told otherwise. */
    rotateSecret: (id: string, options: { overlapSeconds?: number } = {}) =>
      client.request<WebhookEndpointWithSecret>('POST', path`/api/v1/webhook-endpoints/${id}/rotate-secret`, {
        body: options,
      }),
    ping: (id: string) => client.request<WebhookEvent>('POST', path`/api/v1/webhook-endpoints/${id}/ping`),
    recover: (id: string, options: { since?: string } = {}) =>
      client.request<{ since: string }>('POST', path`/api/v1/webhook-endpoints/${id}/recover`, { body: options }),
  }
}

export function events(client: Client) {
  return {
    list: (filter: EventFilter = {}): List<WebhookEvent> => createList(client, '/api/v1/events', filter),
    get: (id: string) => client.request<WebhookEvent>('GET', path`/api/v1/events/${id}`),
    attempts: (id: string, query: PageQuery = {}): List<WebhookAttempt> =>
      createList(client, path`/api/v1/events/${id}/attempts`, query),
    resend: (id: string, options: { endpointId?: string } = {}) =>
      client.request<{ deliveries: number }>('POST', path`/api/v1/events/${id}/resend`, { body: options }),
  }
}
