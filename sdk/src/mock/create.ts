// Stands in for a server: it checks requests against the OpenAPI document and answers with the examples of the document. It has no accounts and moves nothing, so it cannot show that a flow is right.
import type { WebhookEvent } from '../events.ts'
import type { EventType } from '../generated/values.ts'
import { chooseExample, findMatch, type Match, type OpenApi } from './document.ts'
import { findProblem, isRecord, type Problem } from './validate.ts'

/** A request that the mock received. */
export interface MockRequest {
  /** The HTTP method. */
  readonly method: string
  /** The path, without the query. */
  readonly path: string
  /** The parameters after the question mark. */
  readonly query: Readonly<Record<string, string>>
  /** The headers, with names in lower case. The key is not among them. */
  readonly headers: Readonly<Record<string, string>>
  /** The body; undefined if there is none or it is not JSON. */
  readonly body: unknown
}

/** An answer that a test writes itself. */
export interface MockAnswer {
  /** The HTTP status. */
  readonly status: number
  /** The body, which is sent as JSON. */
  readonly body?: unknown
  /** Further headers, such as `retry-after`. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

export interface Mock {
  /** Answers requests without a network. Pass it to a client as `fetch`. */
  readonly fetch: typeof globalThis.fetch
  /** What was received, the oldest first: the last 1,000. */
  readonly requests: readonly MockRequest[]
  /**
   * Decides the answer to the next valid request of a route, such as `POST /api/v1/operations`. Several calls decide about as many requests. The
   * answer is the name of an example of the document, an error code of the route, or an answer of your own.
   */
  reply(route: string, answer: string | MockAnswer): void
  /** Returns the event that the document has as the example of its type; `webhooks.signTestRequest` signs it. */
  event<Type extends EventType>(type: Type): WebhookEvent<Type>
}

/** Enough for a test; a mock that runs for long must not grow. */
const REQUESTS_MAX = 1_000

interface Kept {
  readonly text: string
  readonly answer: MockAnswer
}

interface State {
  readonly document: OpenApi
  readonly requests: MockRequest[]
  readonly decided: Map<string, MockAnswer[]>
  readonly kept: Map<string, Kept>
}

/** Takes the document as an object: `@cardstock/sdk/openapi.json`, or `/openapi.json` of a server. */
export function createMock(document: object): Mock {
  const openApi = document as OpenApi
  const state: State = { document: openApi, requests: [], decided: new Map(), kept: new Map() }
  return {
    requests: state.requests,
    fetch: async (input, init) => {
      const request = new Request(input, init)
      request.signal.throwIfAborted()
      const { status, body, headers } = await answer(state, request)
      const text = body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body)
      return new Response(text, { status, headers: { 'content-type': 'application/json', ...headers } })
    },
    reply(route, wanted) {
      const [method = '', template = ''] = route.split(' ')
      const endpoint = openApi.paths[template]?.[method.toLowerCase()]
      if (endpoint === undefined) throw new RangeError(`The document has no route ${JSON.stringify(route)}.`)
      const match = { route, endpoint, params: {} }
      state.decided.set(route, [...(state.decided.get(route) ?? []), decide(state, match, wanted)])
    },
    event: <Type extends EventType>(type: Type) => {
      const example = openApi.components.pathItems[type]?.post?.requestBody?.content['application/json']?.examples
      const [first] = Object.values(example ?? {})
      if (first === undefined) throw new RangeError(`The document has no example of ${JSON.stringify(type)}.`)
      return structuredClone(first.value) as WebhookEvent<Type>
    },
  }
}

function decide({ document }: State, match: Match, wanted: string | MockAnswer): MockAnswer {
  if (typeof wanted !== 'string') return wanted
  const example = chooseExample(match, { accept: '', body: undefined }, wanted)
  if (example !== undefined) return toAnswer(example)
  if (match.endpoint['x-error-codes']?.includes(wanted) === true && wanted in document.components.examples)
    return refuse(document, wanted)
  throw new RangeError(`${match.route} has neither an example nor an error code ${JSON.stringify(wanted)}.`)
}

/** A list is one page: examples have cursors that lead nowhere. */
function toAnswer({ status, type, value }: { status: number; type: string; value: unknown }): MockAnswer {
  const body = isRecord(value) && 'nextCursor' in value ? { ...value, nextCursor: null } : value
  return { status, body, headers: { 'content-type': type } }
}

/** Returns the document's example of an error. `problem` replaces what it says about one field. */
function refuse({ components }: OpenApi, code: string, problem?: { param?: string; message: string }): MockAnswer {
  const example = components.examples[code]?.value
  // Another document may have other codes.
  if (!isRecord(example))
    return { status: 400, body: { statusCode: 400, message: 'Refused.', requestId: 'mock', code } }
  const { param: _param, details: _details, ...rest } = example
  return { status: Number(example['statusCode']), body: problem === undefined ? example : { ...rest, ...problem } }
}

async function answer(state: State, request: Request): Promise<MockAnswer> {
  const { document, requests } = state
  const { pathname, searchParams } = new URL(request.url)
  const body = parse(await request.text())
  const { authorization, ...headers } = Object.fromEntries(request.headers)
  requests.push({ method: request.method, path: pathname, query: Object.fromEntries(searchParams), headers, body })
  if (requests.length > REQUESTS_MAX) requests.shift()
  const match = findMatch(document, request.method, pathname)
  if (match === undefined)
    return refuse(document, 'not_found', { message: `There is no ${request.method} ${pathname}.` })
  if ((match.endpoint.security ?? []).length > 0 && !/^Bearer \S+$/.test(authorization ?? ''))
    return { ...refuse(document, 'missing_api_key'), status: 401 }
  const refusal = check(document, match, { query: searchParams, headers, body })
  return refusal ?? answerOnce(state, match, { body, headers })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

interface Parts {
  readonly query: URLSearchParams
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

/** Returns the refusal of a request that the document does not allow. */
function check(document: OpenApi, { endpoint }: Match, { query, headers, body }: Parts): MockAnswer | undefined {
  const { schemas } = document.components
  for (const { name, in: place, required, schema = {} } of endpoint.parameters ?? []) {
    const text = place === 'query' ? query.get(name) : place === 'header' ? headers[name.toLowerCase()] : undefined
    const code = name === 'Idempotency-Key' ? 'idempotency_key' : undefined
    if (text === undefined || text === null) {
      if (required !== true || place === 'path') continue
      return code === undefined
        ? invalid(document, place, { param: name, text: 'is required' })
        : refuse(document, `${code}_missing`)
    }
    const problem = findProblem(toValue(text, schema.type), schema, schemas, name)
    if (problem !== undefined)
      return code === undefined ? invalid(document, place, problem) : refuse(document, `${code}_invalid`)
  }
  const wanted = endpoint.requestBody?.content['application/json']?.schema
  const problem = wanted === undefined ? undefined : findProblem(body, wanted, schemas)
  return problem === undefined ? undefined : invalid(document, 'body', problem)
}

/** Parameters arrive as texts. */
function toValue(text: string, type: unknown): unknown {
  if ((type === 'integer' || type === 'number') && /^-?\d{1,15}$/.test(text)) return Number(text)
  return type === 'boolean' && /^(?:true|false)$/.test(text) ? text === 'true' : text
}

function invalid(document: OpenApi, place: string, { param, text }: Problem): MockAnswer {
  const where = param === '' ? place : `${place}.${param}`
  return refuse(document, 'validation_failed', { ...(param === '' ? {} : { param }), message: `${where} ${text}.` })
}

/** Answers a request. One with an idempotency key that was used before gets the first answer, or a refusal if its body differs. */
function answerOnce(
  state: State,
  match: Match,
  { body, headers }: { body: unknown; headers: Readonly<Record<string, string>> },
): MockAnswer {
  const { document, decided, kept } = state
  const idempotencyKey = headers['idempotency-key']
  const place = idempotencyKey === undefined ? undefined : `${match.route} ${idempotencyKey}`
  const before = place === undefined ? undefined : kept.get(place)
  if (before !== undefined) {
    if (before.text !== canonical(body)) return refuse(document, 'idempotency_conflict')
    return { ...before.answer, headers: { ...before.answer.headers, 'idempotent-replayed': 'true' } }
  }
  const chosen = decided.get(match.route)?.shift() ?? choose(match, headers['accept'] ?? '*/*', body)
  // A refused request leaves its key free, as on a server.
  if (place !== undefined && chosen.status < 300) kept.set(place, { text: canonical(body), answer: chosen })
  if (kept.size > REQUESTS_MAX) kept.delete([...kept.keys()][0] ?? '')
  return chosen
}

/** The order of the fields of a body does not matter. */
function canonical(body: unknown): string {
  return JSON.stringify(body, (_name, value: unknown) =>
    isRecord(value) ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))) : value,
  )
}

function choose(match: Match, accept: string, body: unknown): MockAnswer {
  if ('204' in match.endpoint.responses) return { status: 204 }
  const example = chooseExample(match, { accept, body })
  if (example !== undefined) return toAnswer(example)
  const message = `The document has no example of ${match.route} as ${accept}. Decide the answer with reply().`
  return { status: 501, body: { statusCode: 501, code: 'no_example', message, requestId: 'mock' } }
}
