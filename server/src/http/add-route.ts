// Registers one route with the framework: access before the body is read, then validation, then the route's handler.
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest, onSendHookHandler } from 'fastify'
import { ApiError, notFound } from '../errors.ts'
import type { Log } from '../lib/log.ts'
import { type AuditChange, auditedHandle } from './audited-handle.ts'
import type { Authenticate } from './authenticate.ts'
import type { CompanyReads } from './company-reads.ts'
import type { Credentials, Identity } from './credentials.ts'
import { requireIdempotencyKey } from './idempotency-key.ts'
import { scopeMissing } from './require-access.ts'
import type { Answer, Route } from './route.ts'

/** How long the reader of a streamed list may pause. */
const STREAM_IDLE_MS = 60_000

interface Deps {
  authenticate: Authenticate
  log: Log
  auditChange: AuditChange
  reads: CompanyReads
}

/** Returns the parameter that names the object of a path: the last one, such as `holderId` of /companies/:id/holders/:holderId. */
function findObjectParam(path: string): string | undefined {
  return path
    .split('/')
    .findLast((segment) => segment.startsWith(':'))
    ?.slice(1)
}

/** Names the parameter when an object is not found: the code that looks for an object does not know how the path calls it. */
function nameMissing(error: unknown, param: string | undefined): unknown {
  const isUnnamed = error instanceof ApiError && error.code === 'not_found' && error.param === undefined
  return isUnnamed && param !== undefined ? notFound(param) : error
}

export function addRoute(server: FastifyInstance, route: Route, { authenticate, log, auditChange, reads }: Deps): void {
  const handle = auditedHandle(route, auditChange, log)
  const objectParam = findObjectParam(route.path)
  const responses = Object.entries(route.responses).filter(([, schema]) => schema !== null)
  server.route({
    method: route.method === 'GET' ? ['GET', 'HEAD'] : route.method,
    url: route.path,
    config: { keepsRawBody: route.keepsRawBody === true, checkRawBody: route.checkRawBody },
    schema: {
      ...(route.params === undefined ? {} : { params: route.params }),
      ...(route.query === undefined ? {} : { querystring: route.query }),
      ...(route.body === undefined ? {} : { body: route.body }),
      response: Object.fromEntries(responses),
    },
    onRequest: async (request, reply) => {
      request.identity = await authenticate(
        route.access,
        credentialsOf(request, (headers) => void reply.headers(headers)),
      )
    },
    preValidation: (request, _reply, done) => {
      prepare(route, request)
      done()
    },
    ...(route.signAnswer === undefined ? {} : { onSend: signWith(route.signAnswer) }),
    handler: async (request, reply) => {
      let answer: Answer
      try {
        answer = await handle(callOf(request, log))
      } catch (error) {
        throw nameMissing(error, objectParam)
      }
      request.answerBody = answer.body
      if (request.method === 'HEAD') return sendHead(answer, reply)
      const { read, produce } = answer
      if (produce === undefined) return send(answer, answer.body, reply)
      const reader = { companyId: request.identity.caller?.scope.companyId, response: reply.raw }
      return sendProduced(
        answer,
        reads.run(reader, read, () => produce(reply.raw)),
        reply,
      )
    },
  })
}

/** Field by field: spreading an object into another of a dozen fields costs as much as the rest of a small request. */
function callOf(request: FastifyRequest, log: Log): Parameters<Route['handle']>[0] {
  const { caller, actor, session, recheck } = request.identity as Record<keyof Identity, never>
  return {
    caller,
    actor,
    session,
    params: request.params,
    query: request.query,
    body: request.body,
    idempotencyKey: request.idempotencyKey,
    recheck,
    requestId: request.id,
    address: request.clientAddress,
    headers: request.headers,
    url: request.url,
    rawBody: request.rawBody,
    accept: request.headers.accept,
    isSecure: request.isSecure,
    log,
    span: request.span,
  }
}

function credentialsOf(request: FastifyRequest, announceRate: Credentials['announceRate']): Credentials {
  return {
    method: request.method,
    headers: request.headers,
    isSecure: request.isSecure,
    address: request.clientAddress,
    requestId: request.id,
    announceRate,
  }
}

/** Checks what the schemas cannot: the body's signature, the scope that the body needs, and the idempotency key. */
function prepare(route: Route, request: FastifyRequest): void {
  const { access, idempotent } = route
  // The parser checks a body, but it is not called if there is none.
  if (route.checkRawBody !== undefined && request.body === undefined) route.checkRawBody(request.headers, '')
  // A missing body counts as an empty one, so that the schema names the missing fields.
  if (route.body !== undefined && request.body === undefined) request.body = {}
  if (access.by === 'company' && access.exactly !== undefined) {
    const permission = access.exactly(request.body)
    if (permission !== undefined && !request.identity.caller?.permissions.has(permission))
      throw scopeMissing(request.identity.caller, [permission])
  }
  if (idempotent === true) request.idempotencyKey = requireIdempotencyKey(request.headers['idempotency-key'])
}

/** Only then is the text of every answer known: those of refusals are built elsewhere. */
function signWith(signAnswer: NonNullable<Route['signAnswer']>): onSendHookHandler {
  return (request, reply, payload, done) => {
    if (typeof payload === 'string') reply.headers(signAnswer(request, { status: reply.statusCode, body: payload }))
    done()
  }
}

/** The headers are set after the body is built, so that a refusal does not carry the headers of a success. */
async function sendProduced(answer: Answer, produced: Promise<unknown>, reply: FastifyReply): Promise<unknown> {
  return send(answer, await produced, reply)
}

function send({ status, headers }: Answer, body: unknown, reply: FastifyReply): unknown {
  reply.code(status)
  if (headers !== undefined) reply.headers(headers)
  // A client that stopped reading would keep its connection and buffers forever.
  if (body instanceof Readable) reply.raw.setTimeout(STREAM_IDLE_MS, () => reply.raw.destroy())
  return body === undefined ? reply.send() : body
}

/** Answers HEAD without building the body. If the body is there already, the framework takes its length but does not send it. */
function sendHead(answer: Answer, reply: FastifyReply): unknown {
  const { body, produce } = answer
  if (body instanceof Readable) body.destroy()
  return send(answer, produce === undefined && !(body instanceof Readable) ? body : undefined, reply)
}
