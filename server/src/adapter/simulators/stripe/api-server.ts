// The HTTP side of the simulated Stripe: checks each request strictly, keeps the answers to idempotency keys, and misbehaves where it is told
// to. It uses node:http, because only there an answer can be broken off.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createCheck } from '../../../http/validate.ts'
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

/** The body of a call to the simulated Stripe. No call of the adapter has a longer one. */
const BODY_BYTES_MAX = 64 * 1024
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
  const server = createServer((request, response) => {
    void answer(options, calls, request, response)
  })
  await new Promise<void>((resolve) => server.listen(options.port, options.host, resolve))
  return {
    url: `http://${options.host}:${(server.address() as AddressInfo).port}`,
    calls,
    async close() {
      // Calls that hang would keep the server open.
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

async function answer(
  { world, behaviours, secretKey }: ApiServerOptions,
  calls: Map<RouteId, number>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await readBody(request)
  const url = new URL(request.url ?? '/', 'http://simulated')
  const found = findRoute(request.method ?? '', url.pathname)
  if (found === undefined) return send(response, 404, errorBody(new Failure(404, 'Unrecognized request URL.')))
  const { route } = found
  calls.set(route.id, (calls.get(route.id) ?? 0) + 1)
  const mode = behaviours.take(route.id)
  if (mode === 'hang') return
  if (mode === 'cut') return void response.destroy()
  if (/^\d+$/.test(mode)) return send(response, Number(mode), errorBody(new Failure(Number(mode), 'Told to refuse.')))
  const text = route.method === 'POST' ? body : url.search.slice(1)
  const path = url.pathname
  const { status, answer: answered } = carryOut(world, { ...found, secretKey, request, path, text, mode })
  if (mode === 'lost') return void response.destroy()
  if (mode === 'garbage')
    return void response.writeHead(OK, { 'content-type': 'text/html' }).end('<html>Bad Gateway</html>')
  return send(response, status, mode === 'unfit' ? {} : answered)
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

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    length += part.length
    if (length > BODY_BYTES_MAX) break
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
