// From a list of routes to a listening server: matching, limits, access, validation, one error body.
// Knows nothing of any route's business.
import { Readable } from 'node:stream'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { ApiError } from '../errors.ts'
import type { Clock } from '../lib/clock.ts'
import { newId } from '../lib/ids.ts'
import type { Log } from '../lib/log.ts'
import { type Authenticate, type Identity, scopeMissing } from './authenticate.ts'
import { requireIdempotencyKey } from './idempotency-key.ts'
import { requireNoNul, parseJson } from './body.ts'
import type { HttpMetrics } from './metrics.ts'
import { respondToClientError, toApiError, toErrorBody, unavailable } from './respond-error.ts'
import type { Route } from './route.ts'
import { createValidatorCompiler, validationError } from './validate.ts'

/** CONTRACT 9. */
const BODY_BYTES_MAX = 64 * 1024
/** From the first byte to the last of a request; a slower sender only holds a socket. */
const REQUEST_TIMEOUT_MS = 30_000
const TIMEOUT_CHECK_INTERVAL_MS = 1_000
/** No reader of a list pauses for longer. */
const STREAM_IDLE_MS = 60_000
const REQUEST_ID = /^[\w.:/+=-]{1,128}$/

/** The API answers with data only: nothing in it may be framed, sniffed, cached or run. */
const SECURITY_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

export interface ServerDeps {
  routes: readonly Route[]
  authenticate: Authenticate
  metrics: HttpMetrics
  clock: Clock
  log: Log
  trustProxy: boolean
  requestTimeoutMs?: number
}

declare module 'fastify' {
  interface FastifyRequest {
    identity: Identity
    idempotencyKey: string
    rawBody: string
  }
  interface FastifyContextConfig {
    keepsRawBody?: boolean
  }
}

type Refuse = (error: unknown, request: FastifyRequest, reply: FastifyReply) => FastifyReply

export function createServer(deps: ServerDeps): FastifyInstance {
  const refuse = createRefuse(deps.log)
  const server = createFramework(deps, refuse)
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text, done) => {
    if (request.routeOptions.config.keepsRawBody === true) request.rawBody = String(text)
    parseJson(String(text), done)
  })
  server.setValidatorCompiler(createValidatorCompiler())
  server.decorateRequest('identity')
  server.decorateRequest('idempotencyKey', '')
  server.decorateRequest('rawBody', '')

  let closing = false
  server.addHook('preClose', async () => {
    closing = true
  })
  const findMethods = createMethodFinder(deps.routes)
  server.addHook('onRequest', async (request, reply) => {
    addHeaders(request, reply)
    if (closing) throw unavailable()
    requireHost(request)
    requireNoNul(request.url)
    // Here and not in the not-found handler, which would read the body first: the route comes before the syntax.
    if (request.is404) throw refuseRoute(findMethods(request.url))
  })
  server.addHook('onResponse', async (request, reply) => deps.metrics.observe(request, reply))
  server.setErrorHandler(refuse)
  // Never reached, but without a handler of ours the hooks would not run on unknown paths.
  server.setNotFoundHandler((request, reply) => refuse(refuseRoute([]), request, reply))
  // Node would answer 417 without a body.
  server.server.on('checkExpectation', (request, response) => {
    delete request.headers.expect
    server.routing(request, response)
  })
  for (const route of deps.routes) addRoute(server, route, deps)
  return server
}

function createFramework(deps: ServerDeps, refuse: Refuse): FastifyInstance {
  const { clock, trustProxy, requestTimeoutMs = REQUEST_TIMEOUT_MS } = deps
  const nextRequestId = () => newId(clock.now())
  return Fastify({
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: requestTimeoutMs,
    http: {
      // Node would let a body take its default of 60 s if the headers' limit were the larger of the two.
      headersTimeout: requestTimeoutMs,
      connectionsCheckingInterval: Math.min(TIMEOUT_CHECK_INTERVAL_MS, requestTimeoutMs),
      // Node refuses a request without Host by an empty answer; requireHost gives ours.
      requireHostHeader: false,
    },
    trustProxy,
    genReqId: (request) => {
      const given = request.headers['x-request-id']
      return typeof given === 'string' && REQUEST_ID.test(given) ? given : nextRequestId()
    },
    schemaErrorFormatter: (errors, part) => validationError(errors as Parameters<typeof validationError>[0], part),
    // These come before any hook.
    frameworkErrors: (error, request, reply) => {
      void refuse(error, request, addHeaders(request, reply))
    },
    clientErrorHandler: (error, socket) => respondToClientError(error, socket, nextRequestId()),
    forceCloseConnections: 'idle',
    // The framework's own answer has another body; a hook gives ours.
    return503OnClosing: false,
  })
}

function createRefuse(log: Log): Refuse {
  return (error, request, reply) => {
    const refusal = toApiError(error)
    const about = { requestId: request.id, route: request.routeOptions?.url }
    if (refusal.statusCode >= 500) log.error({ error, ...about }, 'request failed')
    else log.debug({ code: refusal.code, ...about }, 'request refused')
    return reply
      .code(refusal.statusCode)
      .headers(refusal.headers)
      .type('application/json; charset=utf-8')
      .send(JSON.stringify(toErrorBody(refusal, request.id)))
  }
}

function addHeaders(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply.headers(SECURITY_HEADERS).header('x-request-id', request.id)
}

/** RFC 9112: an HTTP/1.1 request without Host is refused. */
function requireHost(request: FastifyRequest): void {
  if (request.headers.host === undefined && request.raw.httpVersion === '1.1') {
    throw new ApiError('validation_failed', 'Send a Host header.')
  }
}

function addRoute(server: FastifyInstance, route: Route, { authenticate, log }: ServerDeps): void {
  const { access, idempotent } = route
  const responses = Object.entries(route.responses).filter(([, schema]) => schema !== null)
  server.route({
    method: route.method,
    url: route.path,
    config: { keepsRawBody: route.keepsRawBody === true },
    schema: {
      ...(route.params === undefined ? {} : { params: route.params }),
      ...(route.query === undefined ? {} : { querystring: route.query }),
      ...(route.body === undefined ? {} : { body: route.body }),
      response: Object.fromEntries(responses),
    },
    onRequest: async (request, reply) => {
      request.identity = await authenticate(access, {
        authorization: request.headers.authorization,
        address: request.ip,
        requestId: request.id,
        announceRate: (headers) => void reply.headers(headers),
      })
    },
    preValidation: async (request) => {
      // No body at all is an empty one: the schema then names the fields that are missing.
      if (route.body !== undefined && request.body === undefined) request.body = {}
      if (access.by === 'company' && access.exactly !== undefined) {
        const permission = access.exactly(request.body)
        if (permission !== undefined && !request.identity.caller?.permissions.has(permission))
          throw scopeMissing([permission])
      }
      if (idempotent === true) request.idempotencyKey = requireIdempotencyKey(request.headers['idempotency-key'])
    },
    handler: async (request, reply) => {
      const { caller, actor } = request.identity as { caller: never; actor: never }
      // Field by field: spreading one object into another of a dozen fields costs as much as the rest of a small request.
      const answer = await route.handle({
        caller,
        actor,
        params: request.params,
        query: request.query,
        body: request.body,
        idempotencyKey: request.idempotencyKey,
        requestId: request.id,
        address: request.ip,
        headers: request.headers,
        url: request.url,
        rawBody: request.rawBody,
        accept: request.headers.accept,
        log,
      })
      reply.code(answer.status)
      if (answer.headers !== undefined) reply.headers(answer.headers)
      // A reader that stopped reading would hold its connection, and what is buffered for it, for ever.
      if (answer.body instanceof Readable) reply.raw.setTimeout(STREAM_IDLE_MS, () => reply.raw.destroy())
      return answer.body === undefined ? reply.send() : answer.body
    },
  })
}

/** The methods that a path has, to tell 405 from 404. Only paths that matched nothing get here. */
function createMethodFinder(routes: readonly Route[]): (url: string) => string[] {
  const patterns = new Map<string, { pattern: RegExp; methods: string[] }>()
  for (const route of routes) {
    const known = patterns.get(route.path) ?? { pattern: toPattern(route.path), methods: [] }
    known.methods.push(route.method, ...(route.method === 'GET' ? ['HEAD'] : []))
    patterns.set(route.path, known)
  }
  return (url) => {
    const path = url.split('?', 1)[0] ?? ''
    return [...patterns.values()].filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => methods)
  }
}

function toPattern(path: string): RegExp {
  return new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+')}$`)
}

function refuseRoute(methods: readonly string[]): ApiError {
  if (methods.length === 0) return new ApiError('not_found', 'There is nothing at this path. See /docs for all paths.')
  const allow = methods.join(', ')
  return new ApiError('method_not_allowed', `This path answers to ${allow} only.`, { headers: { allow } })
}
