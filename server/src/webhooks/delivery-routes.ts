// /events/{id}/attempts and /events/{id}/resend: how an event was delivered, and sending it again.
import { notFound, requireFound, requireId } from '../errors.ts'
import { oldestKept } from '../events/catalogue.ts'
import { findEvent } from '../events/queries.ts'
import { answerPage } from '../http/page.ts'
import { companyRoute, type Route } from '../http/route.ts'
import { must } from '../lib/invariant.ts'
import { IdParams, object, pageOf, pageQuery } from '../lib/wire.ts'
import { findEndpoint, listAttempts, resendEvent } from './queries.ts'
import type { WebhookRouteDeps } from './routes.ts'
import * as schema from './schema.ts'

const tag = 'events'

export function deliveryRoutes(deps: Pick<WebhookRouteDeps, 'db' | 'clock' | 'cursors' | 'retention'>): Route[] {
  const { db, clock, cursors, retention } = deps
  return [
    companyRoute(
      { anyOf: ['webhooks:read'] },
      {
        method: 'GET',
        path: '/api/v1/events/:id/attempts',
        tag,
        id: 'listEventAttempts',
        summary: 'List the delivery attempts of an event',
        description: 'Lists every attempt to deliver this event, newest first.',
        params: IdParams,
        query: object(pageQuery),
        responses: { 200: pageOf(schema.Attempt) },
        handle: async ({ caller, params, query }) => {
          const oldest = oldestKept(clock.now(), retention)
          const event = requireFound(await findEvent(db, caller.scope, requireId('evt', params.id), oldest))
          return answerPage({
            cursors,
            name: `attempts ${event.id}`,
            scope: caller.scope,
            query,
            fetch: (slice) => listAttempts(db, caller.scope, event.id, slice),
            idOf: (row) => row.id,
            toWire: schema.toAttempt,
          })
        },
      },
    ),
    companyRoute(
      { anyOf: ['webhooks:write'] },
      {
        method: 'POST',
        path: '/api/v1/events/:id/resend',
        tag,
        id: 'resendEvent',
        summary: 'Resend an event',
        description: 'Sends the event again, to one endpoint or to all that are enabled for it.',
        refusals: ['webhook_endpoint_disabled'],
        params: IdParams,
        body: schema.Resend,
        responses: { 202: schema.Resent },
        handle: async ({ caller, params, body }) => {
          const eventId = requireId('evt', params.id)
          const endpointId = body.endpointId === undefined ? null : requireId('we', body.endpointId, 'endpointId')
          if (endpointId !== null) requireFound(await findEndpoint(db, caller.scope, endpointId), 'endpointId')
          const now = clock.now()
          const { deliveries } = must(
            await resendEvent(db, caller.scope, eventId, { now, oldest: oldestKept(now, retention), endpointId }),
          )
          if (deliveries === null) throw notFound()
          return { status: 202, body: { deliveries } }
        },
      },
    ),
  ]
}
