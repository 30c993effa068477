// The HTTP side of the simulated Stripe: checks each request strictly, keeps the answers to idempotency keys, and misbehaves where it is told
// to.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createCheck } from '../../../http/validate.ts'
import { sendGarbage, sendJson, startServer } from '../kit/http.ts'
import { API_ROUTES, type ApiRoute } from './api-routes.ts'
import type { AnswerMode, Behaviours, RouteId } from './behaviour.ts'
import { parseForm } from './form.ts'
import { Failure, type Fields, type World } from './world.ts'

export interface ApiServerOptions {
  readonly world: World
  readonly behaviours: Behaviours
  readonly secretKey: string
  readonly host: string
  readonly port: number
}

export interface ApiServer {
  readonly url: string
  /** How often each route was called. */
  readonly calls: ReadonlyMap<RouteId, number>
  close(): Promise<void>
}

/** As Stripe has it. */
const KEY_LENGTH_MAX = 255
const FORM_TYPE = 'application/x-www-form-urlencoded'
const OK = 200

interface CheckedRoute extends ApiRoute {
  isValid(fields: unknown): boolean
}

interface Answered {
  readonly status: number
  readonly answer: object
}

const ROUTES: readonly CheckedRoute[] = API_ROUTES.map((route) => ({ ...route, isValid: createCheck(route.schema) }))

export async function startApiServer(options: ApiServerOptions): Promise<ApiServer> {
  const calls = new Map<RouteId, number>()
  const server = await startServer(options, (request, body, response) =>
    answer(options, calls, { request, body, response }),
  )
  return { ...server, calls }
}

function answer(
  { world, behaviours, secretKey }: ApiServerOptions,
  calls: Map<RouteId, number>,
  { request, body, response }: { request: IncomingMessage; body: string; response: ServerResponse },
): void {
  const url = new URL(request.url ?? '/', 'http://simulated')
  const found = findRoute(request.method ?? '', url.pathname)
  if (found === undefined) return sendJson(response, 404, errorBody(new Failure(404, 'Unrecognized request URL.')))
  const { route } = found
  calls.set(route.id, (calls.get(route.id) ?? 0) + 1)
  const mode = behaviours.take(route.id)
  if (mode === 'hang') return
  if (mode === 'cut') return void response.destroy()
  if (/^\d+$/.test(mode))
    return sendJson(response, Number(mode), errorBody(new Failure(Number(mode), 'Told to refuse.')))
  const text = route.method === 'POST' ? body : url.search.slice(1)
  const path = url.pathname
  const { status, answer: answered } = carryOut(world, { ...found, secretKey, request, path, text, mode })
  if (mode === 'lost') return void response.destroy()
  if (mode === 'garbage') return sendGarbage(response)
  return sendJson(response, status, mode === 'unfit' ? {} : answered)
}

interface Received {
  readonly route: CheckedRoute
  readonly id: string
  readonly secretKey: string
  readonly request: IncomingMessage
  readonly path: string
  readonly text: string
  readonly mode: AnswerMode
}

/** Nothing is kept for a wrong key or for parameters that are not valid. Everything else is, whatever its status. */
function carryOut(world: World, received: Received): Answered {
  const { route, id, path, text, mode, request } = received
  try {
    requireHeaders(received)
    const fields = parseForm(text)
    if (!route.isValid(fields)) {
      throw new Failure(400, 'A parameter is missing, not known or not valid.', { code: 'parameter_invalid' })
    }
    const key = route.method === 'POST' ? request.headers['idempotency-key'] : undefined
    if (typeof key !== 'string') return act(world, route, { id, fields, mode })
    if (key.length > KEY_LENGTH_MAX) throw new Failure(400, 'The idempotency key is too long.')
    const sent = `${path} ${text}`
    const kept = world.keys.get(key)
    if (kept === undefined) {
      const first = act(world, route, { id, fields, mode })
      world.keys.set(key, { ...first, request: sent })
      return first
    }
    if (kept.request === sent) return kept
    throw new Failure(
      400,
      'Keys for idempotent requests can only be used with the same parameters they were first used with.',
      {
        type: 'idempotency_error',
      },
    )
  } catch (error) {
    if (error instanceof Failure) return { status: error.status, answer: errorBody(error) }
    throw error
  }
}

function requireHeaders({ request: { headers }, route, secretKey }: Received): void {
  if (headers.authorization !== `Bearer ${secretKey}`) throw new Failure(401, 'Invalid API Key provided.')
  if (headers['stripe-version'] === undefined) throw new Failure(400, 'No Stripe-Version.')
  if (route.method === 'POST' && headers['content-type'] !== FORM_TYPE) {
    throw new Failure(400, 'The body of a POST request has to be form-encoded.')
  }
}

function act(
  world: World,
  route: CheckedRoute,
  { id, fields, mode }: { id: string; fields: Fields; mode: AnswerMode },
): Answered {
  const failed = { status: 500, answer: errorBody(new Failure(500, 'Told to fail.', { type: 'api_error' })) }
  if (mode === 'kept_500') return failed
  try {
    const answered = route.handle(world, { id, fields })
    return mode === 'acted_500' ? failed : { status: OK, answer: answered }
  } catch (error) {
    if (error instanceof Failure) return { status: error.status, answer: errorBody(error) }
    throw error
  }
}

function findRoute(method: string, path: string): { route: CheckedRoute; id: string } | undefined {
  const parts = path.split('/')
  for (const route of ROUTES) {
    const wanted = route.path.split('/')
    const isMatch =
      wanted.length === parts.length && wanted.every((part, index) => part === ':id' || part === parts[index])
    if (route.method === method && isMatch) return { route, id: parts[wanted.indexOf(':id')] ?? '' }
  }
  return undefined
}

function errorBody({ message, type, code }: Failure): object {
  return { error: { message, type, ...(code === undefined ? {} : { code }) } }
}
