// Webhook endpoints, the events that are sent to them, and the log of requests.
import type { Call } from '../call.ts'
import type { WebhookEvent } from '../events.ts'
import type {
  EventFilter,
  EventResend,
  EventStreamQuery,
  NewWebhookEndpoint,
  PageQuery,
  RecoverOptions,
  RequestLog,
  RequestLogFilter,
  ResendOptions,
  SecretRotation,
  WebhookAttempt,
  WebhookEndpoint,
  WebhookEndpointChange,
  WebhookEndpointWithSecret,
  WebhookRecovery,
} from '../generated/types.ts'
import { type List, Resource } from '../list.ts'
import type { CallOptions } from '../options.ts'

export class WebhookEndpoints extends Resource {
  /** This answer and that of `rotateSecret` are the only ones that hold the secret. */
  create(endpoint: NewWebhookEndpoint, options?: CallOptions): Call<WebhookEndpointWithSecret> {
    return this.transport.call('POST /api/v1/webhook-endpoints', { body: endpoint }, options)
  }

  /** The endpoints that receive events. */
  list(query: PageQuery = {}, options?: CallOptions): List<WebhookEndpoint> {
    return this.transport.list('GET /api/v1/webhook-endpoints', { query }, options)
  }

  /** Returns one endpoint, without its secret. */
  get(id: string, options?: CallOptions): Call<WebhookEndpoint> {
    return this.transport.call('GET /api/v1/webhook-endpoints/{id}', { params: { id } }, options)
  }

  /** Changes the address, the events, the description or the status. */
  update(id: string, change: WebhookEndpointChange, options?: CallOptions): Call<WebhookEndpoint> {
    return this.transport.call('PATCH /api/v1/webhook-endpoints/{id}', { params: { id }, body: change }, options)
  }

  /** The attempts to deliver anything to this endpoint, newest first. */
  attempts(id: string, query: PageQuery = {}, options?: CallOptions): List<WebhookAttempt> {
    return this.transport.list('GET /api/v1/webhook-endpoints/{id}/attempts', { params: { id }, query }, options)
  }

  /** Deletes an endpoint. Deliveries that are waiting are not sent. */
  delete(id: string, options?: CallOptions): Call<void> {
    return this.transport.call('DELETE /api/v1/webhook-endpoints/{id}', { params: { id } }, options)
  }

  /** The old secret keeps signing for the overlap, 24 hours by default. */
  rotateSecret(id: string, rotation: SecretRotation = {}, options?: CallOptions): Call<WebhookEndpointWithSecret> {
    return this.transport.call(
      'POST /api/v1/webhook-endpoints/{id}/rotate-secret',
      { params: { id }, body: rotation },
      options,
    )
  }

  /** Sends a `webhook.ping` event to this endpoint. */
  ping(id: string, options?: CallOptions): Call<WebhookEvent<'webhook.ping'>> {
    return this.transport.call('POST /api/v1/webhook-endpoints/{id}/ping', { params: { id } }, options) as Call<never>
  }

  /** Sends everything that was not delivered since then once more. */
  recover(id: string, since: RecoverOptions = {}, options?: CallOptions): Call<WebhookRecovery> {
    return this.transport.call('POST /api/v1/webhook-endpoints/{id}/recover', { params: { id }, body: since }, options)
  }
}

export class Events extends Resource {
  /** The events, newest first. */
  list(filter: EventFilter = {}, options?: CallOptions): List<WebhookEvent> {
    return this.transport.list('GET /api/v1/events', { query: filter }, options) as List<never>
  }

  /** Server-sent events. */
  stream(query: EventStreamQuery = {}, options?: CallOptions): Call<ReadableStream<Uint8Array>> {
    return this.transport.stream('GET /api/v1/events/stream', { query }, 'text/event-stream', options)
  }

  /** Returns one event. */
  get(id: string, options?: CallOptions): Call<WebhookEvent> {
    return this.transport.call('GET /api/v1/events/{id}', { params: { id } }, options) as Call<never>
  }

  /** The attempts to deliver the event, with what the receivers answered. */
  attempts(id: string, query: PageQuery = {}, options?: CallOptions): List<WebhookAttempt> {
    return this.transport.list('GET /api/v1/events/{id}/attempts', { params: { id }, query }, options)
  }

  /** Delivers an event again, to one endpoint or to all that are enabled for it. */
  resend(id: string, to: ResendOptions = {}, options?: CallOptions): Call<EventResend> {
    return this.transport.call('POST /api/v1/events/{id}/resend', { params: { id }, body: to }, options)
  }
}

export class RequestLogs extends Resource {
  /** The requests of this company's keys in the last seven days, newest first. */
  list(filter: RequestLogFilter = {}, options?: CallOptions): List<RequestLog> {
    return this.transport.list('GET /api/v1/request-logs', { query: filter }, options)
  }
}
