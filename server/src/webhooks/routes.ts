// /webhook-endpoints: register, read, change and delete endpoints, rotate their secrets, ping them, recover events.
import { answerPage } from '../http/page.ts'
import { requireId } from '../errors.ts'
import { companyRoute, created, noContent, ok, type Route } from '../http/route.ts'
import { IdParams, object, pageOf, pageQuery } from '../lib/wire.ts'
import type { EventRetention } from '../events/catalogue.ts'
import { Event } from '../events/schema.ts'
import { type ShowOperation, toEnvelope } from '../events/render.ts'
import type { CursorCodec } from '../lib/cursor.ts'
import * as endpoints from './endpoints.ts'
import { listEndpointAttempts, listEndpoints } from './queries.ts'
import * as schema from './schema.ts'
import { requireNotForwarded } from './url.ts'

const READ = { anyOf: ['webhooks:read'] } as const
const WRITE = { anyOf: ['webhooks:write'] } as const
const PATH = '/api/v1/webhook-endpoints'
const tag = 'webhooks'

export interface WebhookRouteDeps extends endpoints.EndpointDeps {
  cursors: CursorCodec
  showOperation: ShowOperation
  retention: EventRetention
}

export function webhookRoutes(deps: WebhookRouteDeps): Route[] {
  return [...resourceRoutes(deps), attemptsRoute(deps), ...actionRoutes(deps)]
}

function withSecret({ endpoint, secret }: endpoints.EndpointWithSecret) {
  return { ...schema.toEndpoint(endpoint), secret }
}

function resourceRoutes(deps: WebhookRouteDeps): Route[] {
  const { db, cursors } = deps
  return [
    companyRoute(WRITE, {
      method: 'POST',
      path: PATH,
      tag,
      id: 'createWebhookEndpoint',
      summary: 'Register a webhook endpoint',
      description:
        'Registers a URL that receives events. Only this response shows the secret, which signs every delivery. A company can have ten endpoints in each environment.',
      refusals: ['webhook_endpoint_limit', 'webhook_url_refused'],
      body: schema.NewEndpoint,
      responses: { 201: schema.EndpointWithSecret },
      handle: async ({ caller, body, headers }) => {
        requireNotForwarded(deps.urlRules, headers)
        const answer = withSecret(await endpoints.createEndpoint(deps, caller.scope, body))
        return created(`${PATH}/${answer.id}`, answer)
      },
    }),
    companyRoute(READ, {
      method: 'GET',
      path: PATH,
      tag,
      id: 'listWebhookEndpoints',
      summary: 'List webhook endpoints',
      description: 'Lists the endpoints of this environment with their health.',
      query: object(pageQuery),
      responses: { 200: pageOf(schema.Endpoint) },
      handle: async ({ caller, query }) =>
        answerPage({
          cursors,
          name: 'webhook-endpoints',
          scope: caller.scope,
          query,
          fetch: (slice) => listEndpoints(db, caller.scope, slice),
          idOf: (row) => row.id,
          toWire: schema.toEndpoint,
        }),
    }),
    companyRoute(READ, {
      method: 'GET',
      path: `${PATH}/:id`,
      tag,
      id: 'getWebhookEndpoint',
      summary: 'Read a webhook endpoint',
      description: 'Returns one endpoint with its health.',
      params: IdParams,
      responses: { 200: schema.Endpoint },
      handle: async ({ caller, params }) =>
        ok(schema.toEndpoint(await endpoints.getEndpoint(db, caller.scope, requireId('we', params.id)))),
    }),
    companyRoute(WRITE, {
      method: 'PATCH',
      path: `${PATH}/:id`,
      tag,
      id: 'updateWebhookEndpoint',
      summary: 'Change a webhook endpoint',
      description:
        'Changes the fields that you send and leaves the others. Use `status` to disable or enable the endpoint.',
      refusals: ['webhook_url_refused'],
      params: IdParams,
      body: schema.EndpointChange,
      responses: { 200: schema.Endpoint },
      handle: async ({ caller, params, body, headers }) => {
        const id = requireId('we', params.id)
        await endpoints.getEndpoint(db, caller.scope, id)
        if (body.url !== undefined) requireNotForwarded(deps.urlRules, headers)
        return ok(schema.toEndpoint(await endpoints.changeEndpoint(deps, caller.scope, id, body)))
      },
    }),
    companyRoute(WRITE, {
      method: 'DELETE',
      path: `${PATH}/:id`,
      tag,
      id: 'deleteWebhookEndpoint',
      summary: 'Delete a webhook endpoint',
      description: 'Deletes the endpoint. Deliveries that are waiting are not sent.',
      params: IdParams,
      responses: { 204: null },
      handle: async ({ caller, params }) => {
        await endpoints.deleteEndpoint(deps, caller.scope, requireId('we', params.id))
        return noContent()
      },
    }),
  ]
}

function attemptsRoute({ db, cursors }: WebhookRouteDeps): Route {
  return companyRoute(READ, {
    method: 'GET',
    path: `${PATH}/:id/attempts`,
    tag,
    id: 'listWebhookEndpointAttempts',
    summary: 'List the delivery attempts to a webhook endpoint',
    description:
      'Lists the attempts to deliver any event to this endpoint, newest first. They are kept for at least 30 days.',
    params: IdParams,
    query: object(pageQuery),
    responses: { 200: pageOf(schema.Attempt) },
    handle: async ({ caller, params, query }) => {
      const { id } = await endpoints.getEndpoint(db, caller.scope, requireId('we', params.id))
      return answerPage({
        cursors,
        name: `attempts ${id}`,
        scope: caller.scope,
        query,
        fetch: (slice) => listEndpointAttempts(db, caller.scope, id, slice),
        idOf: (row) => row.id,
        toWire: schema.toAttempt,
      })
    },
  })
}

function actionRoutes(deps: WebhookRouteDeps): Route[] {
  return [
    companyRoute(WRITE, {
      method: 'POST',
      path: `${PATH}/:id/rotate-secret`,
      tag,
      id: 'rotateWebhookSecret',
      summary: 'Rotate the secret of a webhook endpoint',
      description:
        'Creates a new secret and shows it once. During `overlapSeconds` every delivery is signed with both secrets.',
      params: IdParams,
      body: schema.SecretRotation,
      responses: { 200: schema.EndpointWithSecret },
      handle: async ({ caller, params, body }) => {
        const { overlapSeconds = schema.OVERLAP_DEFAULT_S } = body
        return ok(
          withSecret(await endpoints.rotateSecret(deps, caller.scope, requireId('we', params.id), overlapSeconds)),
        )
      },
    }),
    companyRoute(WRITE, {
      method: 'POST',
      path: `${PATH}/:id/ping`,
      tag,
      id: 'pingWebhookEndpoint',
      summary: 'Ping a webhook endpoint',
      description: 'Sends a `webhook.ping` event to this endpoint.',
      refusals: ['webhook_endpoint_disabled'],
      params: IdParams,
      responses: { 202: Event },
      handle: async ({ caller, params }) => {
        const event = await endpoints.pingEndpoint(deps, caller.scope, requireId('we', params.id))
        return { status: 202, body: toEnvelope(event, deps.showOperation) }
      },
    }),
    companyRoute(WRITE, {
      method: 'POST',
      path: `${PATH}/:id/recover`,
      tag,
      id: 'recoverWebhookEndpoint',
      summary: 'Recover missed events',
      description:
        'Sends the endpoint every event since `since` that it has not acknowledged. Events are kept for at least 30 days.',
      refusals: ['webhook_endpoint_disabled'],
      params: IdParams,
      body: schema.Recovery,
      responses: { 202: schema.RecoveryStarted },
      handle: async ({ caller, params, body }) => {
        const since = await endpoints.recoverEndpoint(deps, caller.scope, requireId('we', params.id), body.since)
        return { status: 202, body: { since: since.toISOString() } }
      },
    }),
  ]
}
