// The HTTP side of the simulated Lithic: checks each request strictly, does what the call does, and misbehaves where it is told to.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createCheck } from '../../../http/validate.ts'
import { sendGarbage, sendJson, startServer } from '../kit/http.ts'
import { API_ROUTES, type ApiRoute } from './api-routes.ts'
import type { AnswerMode, Behaviours, RouteId } from './behaviour.ts'
import { Failure, type World } from './world.ts'

/** One request that was answered by the book, for tests that compare it with Lithic's own description. */
export interface Exchange {
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: unknown
  readonly status: number
  readonly answer: unknown
}

export interface ApiServerOptions {
  readonly world: World
  readonly behaviours: Behaviours
  readonly apiKey: string
  readonly host: string
  readonly port: number
  readonly onExchange?: (exchange: Exchange) => void
}

export interface ApiServer {
  readonly url: string
  /** How often each route was called. */
  readonly calls: ReadonlyMap<RouteId, number>
  close(): Promise<void>
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const OK = 200

interface CheckedRoute extends ApiRoute {
  isQuery(query: unknown): boolean
  isBody(body: unknown): boolean
}

const ROUTES: readonly CheckedRoute[] = API_ROUTES.map((route) => {
  const checks = route.bodies.map((schema) => createCheck(schema))
  const isBody = (body: unknown) => (checks.length === 0 ? body === undefined : checks.some((check) => check(body)))
  return { ...route, isQuery: createCheck(route.query), isBody }
})

export async function startApiServer(options: ApiServerOptions): Promise<ApiServer> {
  const calls = new Map<RouteId, number>()
  const server = await startServer(options, (request, body, response) =>
    answer(options, calls, { request, body, response }),
  )
  return { ...server, calls }
}

function answer(
  { world, behaviours, apiKey, onExchange }: ApiServerOptions,
  calls: Map<RouteId, number>,
  { request, body: text, response }: { request: IncomingMessage; body: string; response: ServerResponse },
): void {
  const url = new URL(request.url ?? '/', 'http://simulated')
  const found = findRoute(request.method ?? '', url.pathname)
  if (found === undefined) return sendJson(response, 404, errorBody('No such call.'))
  const { route, token } = found
  calls.set(route.id, (calls.get(route.id) ?? 0) + 1)
  const mode = behaviours.take(route.id)
  if (mode === 'hang') return
  if (mode === 'cut') return void response.destroy()
  if (/^\d+$/.test(mode)) return sendJson(response, Number(mode), errorBody('Told to refuse.'))
  const query = Object.fromEntries(url.searchParams)
  const headers = { authorization: request.headers.authorization, 'idempotency-key': keyOf(request) }
  const body = text === '' ? undefined : parseJson(text)
  const { status, answered } = carryOut(world, route, { apiKey, request, token, query, body })
  if (mode === 'normal') {
    onExchange?.({ method: route.method, path: url.pathname, query, headers, body, status, answer: answered })
  }
  return sendAs(mode, response, status, answered)
}

interface Received {
  readonly apiKey: string
  readonly request: IncomingMessage
  readonly token: string
  readonly query: Readonly<Record<string, string>>
  readonly body: unknown
}

function carryOut(world: World, route: CheckedRoute, received: Received): { status: number; answered: object } {
  const { apiKey, request, token, query, body } = received
  try {
    if (route.isPublic !== true && request.headers.authorization !== apiKey) throw new Failure(401, 'Invalid API key.')
    const key = keyOf(request)
    if (key !== undefined && !UUID.test(key)) throw new Failure(400, 'The idempotency key is not a UUID.')
    if (!route.isQuery(query)) throw new Failure(400, 'A parameter of the query is not known or not valid.')
    if (!route.isBody(body)) throw new Failure(400, 'A field of the body is missing, not known or not valid.')
    return { status: OK, answered: route.handle(world, { token, query, body, key }) }
  } catch (error) {
    if (error instanceof Failure) return { status: error.status, answered: errorBody(error.message) }
    throw error
  }
}

function sendAs(mode: AnswerMode, response: ServerResponse, status: number, answered: object): void {
  if (mode === 'lost') return void response.destroy()
  if (mode === 'acted_500') return sendJson(response, 500, errorBody('Told to fail.'))
  if (mode === 'garbage') return sendGarbage(response)
  return sendJson(response, status, mode === 'unfit' ? {} : answered)
}

function findRoute(method: string, path: string): { route: CheckedRoute; token: string } | undefined {
  const parts = path.split('/')
  for (const route of ROUTES) {
    const wanted = route.path.split('/')
    const isMatch =
      wanted.length === parts.length && wanted.every((part, index) => part === ':token' || part === parts[index])
    const token = parts[wanted.indexOf(':token')] ?? ''
    if (route.method === method && isMatch && (token === '' || UUID.test(token))) return { route, token }
  }
  return undefined
}

function keyOf({ headers }: IncomingMessage): string | undefined {
  const key = headers['idempotency-key']
  return typeof key === 'string' ? key : undefined
}

function errorBody(message: string): object {
  return { debugging_request_id: '94d5e915-0000-4cee-a4f5-20d6ebd279ac', message }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
