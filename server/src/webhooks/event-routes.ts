// /events: reading them, their attempts, and sending one again. Here and not in events/, which knows nothing of HTTP.
import { notFound, requireFound, requireId } from '../errors.ts'
import { oldestKept } from '../events/catalogue.ts'
import { findEvent, listEvents } from '../events/queries.ts'
import { toEnvelope } from '../events/render.ts'
import { parseInstantRange } from '../http/instant.ts'
import { answerPage } from '../http/page.ts'
import { companyRoute, ok, type Route } from '../http/route.ts'
import { IdParams, object, pageOf, pageQuery } from '../lib/wire.ts'
import { must } from '../lib/invariant.ts'
import type { Scope } from '../lib/scope.ts'
import { getEndpoint } from './endpoints.ts'
import { listAttempts, resendEvent } from './queries.ts'
import type { WebhookRouteDeps } from './routes.ts'
import * as schema from './schema.ts'

const tag = 'events'

export function eventRoutes(
  deps: Pick<WebhookRouteDeps, 'db' | 'clock' | 'cursors' | 'showOperation' | 'retention'>,
): Route[] {
  const { db, clock, cursors, showOperation, retention } = deps
  const getEvent = async (scope: Scope, id: string) =>
    requireFound(await findEvent(db, scope, requireId('evt', id), oldestKept(clock.now(), retention)))
  return [
    companyRoute(
      { anyOf: ['webhooks:read'] },
      {
        method: 'GET',
        path: '/api/v1/events',
        tag,
        id: 'listEvents',
        summary: 'List events',
        description: 'Lists the events of the last 30 days, or longer if the operator keeps them longer, newest first.',
        query: schema.EventQuery,
        responses: { 200: pageOf(schema.Event) },
        handle: async ({ caller, query }) => {
          const { from, until } = parseInstantRange(query)
          const oldest = oldestKept(clock.now(), retention)
          const filter = { type: query.type, from: from !== null && from > oldest ? from : oldest, until }
          return answerPage({
            cursors,
            name: 'events',
            scope: caller.scope,
            query,
            fetch: (page) => listEvents(db, caller.scope, filter, page),
            idOf: (row) => row.id,
            toWire: (row) => toEnvelope(row, showOperation),
          })
        },
      },
    ),
    companyRoute(
      { anyOf: ['webhooks:read'] },
      {
        method: 'GET',
        path: '/api/v1/events/:id',
        tag,
        id: 'getEvent',
        summary: 'Read an event',
        description: 'Returns one event, with the object as it was.',
        params: IdParams,
        responses: { 200: schema.Event },
        handle: async ({ caller, params }) => ok(toEnvelope(await getEvent(caller.scope, params.id), showOperation)),
      },
    ),
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
          const event = await getEvent(caller.scope, params.id)
          return answerPage({
            cursors,
            name: `attempts ${event.id}`,
            scope: caller.scope,
            query,
            fetch: (page) => listAttempts(db, caller.scope, event.id, page),
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
          const endpointId = body.endpointId === undefined ? null : requireId('we', body.endpointId)
          if (endpointId !== null) await getEndpoint(db, caller.scope, endpointId)
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
