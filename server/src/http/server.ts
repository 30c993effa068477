// Builds the HTTP server from the list of routes: limits, hooks and the error body. It must not know what any route does.
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Caller } from '../access/caller.ts'
import { DatabaseUnreachableError } from '../db/unavailable.ts'
import { ApiError } from '../errors.ts'
import type { Clock } from '../lib/clock.ts'
import { newId } from '../lib/ids.ts'
import { clientAddress, isForwardedSecure, NO_PROXIES, type TrustedProxies } from '../lib/client-address.ts'
import type { Log } from '../lib/log.ts'
import { isSecretId } from '../lib/sensitive.ts'
import { addRoute } from './add-route.ts'
import type { AuditChange } from './audited-handle.ts'
import type { Authenticate } from './authenticate.ts'
import { requireNoNul, parseJson, requireUtf8 } from './body.ts'
import { createCompanyReads } from './company-reads.ts'
import type { Identity } from './credentials.ts'
import { createGuard, type GuardDeps } from './guard.ts'
import type { HttpMetrics } from './metrics.ts'
import { sendAndLinger } from './linger.ts'
import { NO_COMPILERS } from './no-compilers.ts'
import { requireCanonicalPath, requireHost, requireReadable, requireSingleHeaders } from './request-checks.ts'
import { respondToClientError, toApiError, toErrorBody, unavailable } from './respond-error.ts'
import { createMethodFinder, refuseRoute } from './route-table.ts'
import type { Answer, Route } from './route.ts'
import type { Tracing } from '../telemetry/tracing.ts'
import { limitConnections } from './connections-per-address.ts'
import { closeStalledConnections } from './stalled-connections.ts'
import { traceRequests } from './trace-requests.ts'
import { closeUnusedConnections } from './unused-connections.ts'
import { createSerializerCompiler } from './serialize.ts'
import { createValidatorCompiler, validationError } from './validate.ts'

/** The largest body that is read. */
const BODY_BYTES_MAX = 64 * 1024
/** How long a request may take to arrive, from its first byte to its last. A slower sender only holds a socket. */
const REQUEST_TIMEOUT_MS = 30_000
/** A client gets longer to read than to send: half a megabyte within a minute is slow, but it is progress. */
const READ_TIMEOUTS = 2
const TIMEOUT_CHECK_INTERVAL_MS = 1_000
const REQUEST_ID = /^[\w.:/+=-]{1,128}$/

/** Responses are data only: browsers must not frame, sniff, cache or run them. */
const SECURITY_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

export interface ServerDeps extends GuardDeps {
  authenticate: Authenticate
  metrics: HttpMetrics
  clock: Clock
  log: Log
  trustedProxies?: TrustedProxies
  /** Where clients reach the server, if that is known. */
  publicUrl?: string | undefined
  /** Returns where clients reach the pages that explain error codes. Absent: errors do not name them. */
  baseUrl?: () => string
  /** Writes what a person changes through a company's routes to the audit log. Absent: no person can sign in. */
  auditChange?: AuditChange
  requestTimeoutMs?: number
  /** How many connections one client address may have open. */
  connectionsPerAddress?: number
  /** While this returns true, each answer has `Connection: close`, so that clients move to another server. */
  isDraining?: () => boolean
  /** Returns what a browser gets at an unknown path, or undefined where the answer is the error body. */
  unknownPage?: ((request: FastifyRequest) => Answer | undefined) | undefined
  /** Called after each answer to a company's key. Must not throw or take long. */
  onAnswered?: (answered: Answered) => void
  /** Absent: no traces. */
  tracing?: Tracing | undefined
}

/** An answered request of a company. The bodies are as parsed and built, so a caller that stores them must redact them. */
export interface Answered {
  readonly caller: Caller
  readonly method: string
  readonly url: string
  readonly status: number
  readonly durationMs: number
  readonly requestId: string
  readonly address: string
  readonly errorCode: string | null
  /** Empty when the call takes none, or was refused before it was read. */
  readonly idempotencyKey: string
  readonly requestBody: unknown
  /** Whether the request had a body, even if it was not read. */
  readonly hasRequestBody: boolean
  readonly responseBody: unknown
}

declare module 'fastify' {
  interface FastifyRequest {
    identity: Identity
    idempotencyKey: string
    rawBody: string
    /** Where the request comes from, as far as trusted proxies tell. */
    clientAddress: string
    /** Whether the client uses TLS, as far as trusted proxies tell. */
    isSecure: boolean
    /** What the route answered with, or the body of a refusal; undefined if there is none. */
    answerBody: unknown
    refusal: ApiError | undefined
  }
  interface FastifyContextConfig {
    keepsRawBody?: boolean
    checkRawBody?: Route['checkRawBody']
  }
}

type Refuse = (error: unknown, request: FastifyRequest, reply: FastifyReply) => FastifyReply

export function createServer(deps: ServerDeps): FastifyInstance {
  const refuse = createRefuse(deps)
  const server = createFramework(deps, refuse)
  prepareRequests(server)
  let closing = false
  server.addHook('preClose', async () => {
    closing = true
  })
  const { isDraining = () => false, trustedProxies = NO_PROXIES, publicUrl } = deps
  const isPublicSecure = publicUrl?.startsWith('https:') === true
  const systemPaths = new Set(deps.routes.filter((route) => route.tag === 'system').map((route) => route.path))
  const isServed = createGuard(deps)
  const findMethods = createMethodFinder(deps.routes)
  if (deps.tracing !== undefined) traceRequests(server, deps.tracing, systemPaths)
  // Hooks that wait for nothing take a callback, which costs less than a promise for each request.
  server.addHook('onRequest', (request, reply, done) => {
    addHeaders(request, reply)
    if (isDraining()) reply.header('connection', 'close')
    readPeer(request, trustedProxies, isPublicSecure)
    if (closing) throw unavailable()
    requireHost(request)
    requireSingleHeaders(request)
    requireNoNul(request.url)
    requireCanonicalPath(request.url)
    // Not in the not-found handler, which would read the body first: the contract checks the route before the syntax.
    if (request.is404) {
      const methods = findMethods(request.url)
      const page = methods.length === 0 ? deps.unknownPage?.(request) : undefined
      if (page === undefined) throw refuseRoute(methods)
      void reply
        .code(page.status)
        .headers(page.headers ?? {})
        .send(page.body)
      return
    }
    if (!isServed(request)) throw unavailable()
    done()
  })
  const { metrics, onAnswered } = deps
  server.addHook('onResponse', (request, reply, done) => {
    metrics.observe(request, reply)
    if (onAnswered !== undefined) reportAnswer(onAnswered, request, reply)
    done()
  })
  server.setErrorHandler(refuse)
  // The hook above always refuses first, but the framework runs hooks on unknown paths only if there is a handler.
  server.setNotFoundHandler((request, reply) => refuse(refuseRoute([]), request, reply))
  // Without a listener Node answers 417 with an empty body.
  server.server.on('checkExpectation', (request, response) => {
    delete request.headers.expect
    server.routing(request, response)
  })
  const { authenticate, log, auditChange = async () => {} } = deps
  const reads = createCompanyReads()
  for (const route of deps.routes) addRoute(server, route, { authenticate, log, auditChange, reads })
  const { requestTimeoutMs = REQUEST_TIMEOUT_MS, connectionsPerAddress: max = Number.POSITIVE_INFINITY } = deps
  limitConnections(server, { max, trustedProxies, log, onRefused: metrics.countRefusedConnection })
  return closeStalledConnections(closeUnusedConnections(server), READ_TIMEOUTS * requestTimeoutMs)
}

/** Says how bodies are read and checked, and what every request carries. */
function prepareRequests(server: FastifyInstance): void {
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes, done) => {
    const { keepsRawBody, checkRawBody } = request.routeOptions.config
    const text = bytes.toString()
    if (keepsRawBody === true) request.rawBody = text
    try {
      requireReadable(request.headers)
      checkRawBody?.(request.headers, text)
      requireUtf8(bytes as Buffer)
    } catch (error) {
      done(error as Error)
      return
    }
    parseJson(text, done)
  })
  server.setValidatorCompiler(createValidatorCompiler())
  server.setSerializerCompiler(createSerializerCompiler())
  server.decorateRequest('identity')
  server.decorateRequest('idempotencyKey', '')
  server.decorateRequest('rawBody', '')
  server.decorateRequest('clientAddress', '')
  server.decorateRequest('isSecure', false)
  server.decorateRequest('answerBody')
  server.decorateRequest('refusal')
  server.decorateRequest('span')
}

/** Finds out where the request comes from, and whether over TLS. */
function readPeer(request: FastifyRequest, trustedProxies: TrustedProxies, isPublicSecure: boolean): void {
  const { headers } = request
  const address = request.raw.socket.remoteAddress
  const forwardedFor = headers['x-forwarded-for']?.toString()
  request.clientAddress = clientAddress(trustedProxies, { address, forwardedFor })
  const forwardedProto = headers['x-forwarded-proto']?.toString()
  request.isSecure = isPublicSecure || isForwardedSecure(trustedProxies, { address, forwardedProto })
}

function createFramework(deps: ServerDeps, refuse: Refuse): FastifyInstance {
  const { clock, requestTimeoutMs = REQUEST_TIMEOUT_MS, baseUrl } = deps
  const nextRequestId = () => newId(clock.now())
  return Fastify({
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: requestTimeoutMs,
    http: {
      // Node ignores requestTimeout for the body if headersTimeout is larger.
      headersTimeout: requestTimeoutMs,
      connectionsCheckingInterval: Math.min(TIMEOUT_CHECK_INTERVAL_MS, requestTimeoutMs),
      // Node refuses a request without Host with an empty answer; requireHost answers with our error body.
      requireHostHeader: false,
    },
    genReqId: (request) => {
      const given = request.headers['x-request-id']
      // The id is in the answer, the request log, the audit log, the server's log and traces, so it must not be a secret.
      return typeof given === 'string' && REQUEST_ID.test(given) && !isSecretId(given) ? given : nextRequestId()
    },
    schemaController: NO_COMPILERS,
    schemaErrorFormatter: (errors, part) => validationError(errors as Parameters<typeof validationError>[0], part),
    // These errors occur before any hook runs.
    frameworkErrors: (error, request, reply) => {
      void refuse(error, request, addHeaders(request, reply))
    },
    clientErrorHandler: (error, socket) =>
      respondToClientError(error, socket, { requestId: nextRequestId(), baseUrl: baseUrl?.() }),
    forceCloseConnections: 'idle',
    // addRoute registers HEAD itself: the framework's HEAD routes read a streamed body to its end.
    exposeHeadRoutes: false,
    // The framework's own answer has a different body; the onRequest hook gives ours.
    return503OnClosing: false,
  })
}

function createRefuse({ log, baseUrl }: ServerDeps): Refuse {
  return (error, request, reply) => {
    const refusal = toApiError(error)
    request.refusal = refusal
    const about = { requestId: request.id, route: request.routeOptions?.url }
    // The database monitor has logged an outage once, so it is not logged again for every request.
    const isKnown = error instanceof ApiError || error instanceof DatabaseUnreachableError
    if (refusal.statusCode >= 500 && !isKnown) log.error({ error, ...about }, 'The request failed.')
    else log.debug({ code: refusal.code, ...about }, 'The request was refused.')
    reply.code(refusal.statusCode).headers(refusal.headers).type('application/json; charset=utf-8')
    const body = toErrorBody(refusal, { requestId: request.id, baseUrl: baseUrl?.() })
    request.answerBody = body
    const text = JSON.stringify(body)
    return refusal.code === 'payload_too_large' ? sendAndLinger(request, reply, text) : reply.send(text)
  }
}

/** Larger bodies are not passed on, because they would fill the memory. */
const TOLD_BODY_BYTES_MAX = 4 * 1024

function reportAnswer(onAnswered: (answered: Answered) => void, request: FastifyRequest, reply: FastifyReply): void {
  const caller = request.identity?.caller
  if (caller === undefined) return
  const { refusal } = request
  const isShort = Number(request.headers['content-length'] ?? 0) <= TOLD_BODY_BYTES_MAX
  onAnswered({
    caller,
    method: request.method,
    url: request.url,
    status: reply.statusCode,
    durationMs: reply.elapsedTime,
    requestId: request.id,
    address: request.clientAddress,
    errorCode: refusal?.code ?? null,
    idempotencyKey: request.idempotencyKey,
    requestBody: isShort ? request.body : undefined,
    hasRequestBody: hasBody(request),
    responseBody: request.answerBody,
  })
}

/** Bodies of requests that only read are ignored. */
function hasBody({ method, headers }: FastifyRequest): boolean {
  const isSent = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
  return isSent && method !== 'GET' && method !== 'HEAD'
}

function addHeaders(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply.headers(SECURITY_HEADERS).header('x-request-id', request.id)
}
