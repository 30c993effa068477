// One HTTP request, typed, with a deadline, its failures turned into errors. It never sends a request twice:
// whether to repeat is the caller's decision, and safe for GET and with the same idempotency key.
import { RefusedError, ServerError, UnreachableError } from './errors.ts'

export interface ClientOptions {
  /** Such as http://127.0.0.1:8080; a path before /api and /admin is kept. */
  baseUrl: string
  /** A company's API key, or the operator token. */
  token: string
  fetch?: typeof globalThis.fetch
  timeoutMs?: number
}

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

export interface RequestOptions {
  query?: Readonly<Record<string, string | number | boolean | undefined>>
  body?: unknown
  idempotencyKey?: string
  /** Instead of the client's own. */
  timeoutMs?: number
}

export interface Client {
  readonly baseUrl: string
  /** Resolves with the answer's body; undefined when it has none. */
  request<Body>(method: Method, path: string, options?: RequestOptions): Promise<Body>
  /** The answer to a GET as it is, for what is not JSON. */
  download(path: string, options: { query?: RequestOptions['query']; accept: string }): Promise<Uint8Array>
}

/** The server answers in milliseconds and gives its own requests 30 s; what takes longer is lost. */
const TIMEOUT_MS_DEFAULT = 30_000
/** What may stand in a header. Anything else would be quoted in the runtime's own error message. */
const TOKEN = /^[\x21-\x7e]+$/

export function createClient(options: ClientOptions): Client {
  const baseUrl = requireBaseUrl(options.baseUrl)
  if (!TOKEN.test(options.token)) throw new TypeError('The token is empty or has characters that no token has.')
  const { token, fetch = globalThis.fetch } = options
  return {
    baseUrl,
    async request<Body>(method: Method, path: string, request: RequestOptions = {}): Promise<Body> {
      const { idempotencyKey, timeoutMs = options.timeoutMs ?? TIMEOUT_MS_DEFAULT } = request
      const answer = await send(fetch, baseUrl + path + toSearch(request.query), {
        method,
        headers: headersOf(token, request),
        ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
      }).catch((error: unknown) => {
        throw toUnreachable(error, { baseUrl, timeoutMs, idempotencyKey })
      })
      return readBody(answer, idempotencyKey) as Body
    },
    async download(path, { query, accept }) {
      const timeoutMs = options.timeoutMs ?? TIMEOUT_MS_DEFAULT
      const answer = await send(fetch, baseUrl + path + toSearch(query), {
        headers: { authorization: `Bearer ${token}`, accept },
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
      }).catch((error: unknown) => {
        throw toUnreachable(error, { baseUrl, timeoutMs, idempotencyKey: undefined })
      })
      // A proxy's page instead of the answer must not end in a file that looks like a statement.
      const type = answer.headers.get('content-type') ?? ''
      if (answer.status === 200 && type.startsWith(accept)) return answer.bytes
      readBody(answer, undefined)
      throw new ServerError(`The answer is ${type} and not ${accept}. Check the address.`, {
        code: 'unexpected_answer',
      })
    },
  }
}

function requireBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new TypeError('baseUrl must begin with http:// or https://.')
  if (url.username !== '' || url.password !== '')
    throw new TypeError('baseUrl must not hold a user name or a password.')
  return (url.origin + url.pathname).replace(/\/+$/, '')
}

function headersOf(token: string, { body, idempotencyKey }: RequestOptions): Record<string, string> {
  return {
    authorization: `Bearer ${token}`,
    accept: 'application/json',
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
  }
}

function toSearch(query: RequestOptions['query'] = {}): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.append(name, String(value))
  return search.size === 0 ? '' : `?${search.toString()}`
}

interface Answer {
  status: number
  headers: Headers
  bytes: Uint8Array
}

async function send(fetch: typeof globalThis.fetch, url: string, init: RequestInit): Promise<Answer> {
  const response = await fetch(url, init)
  return { status: response.status, headers: response.headers, bytes: new Uint8Array(await response.arrayBuffer()) }
}

function readBody({ status, headers, bytes }: Answer, idempotencyKey: string | undefined): unknown {
  const text = new TextDecoder().decode(bytes)
  const body = text === '' ? undefined : parseJson(text)
  const isJson = text === '' || body !== undefined
  if (status >= 200 && status < 300 && isJson) return body
  const refusal = status >= 400 && isRefusal(body) ? body : undefined
  const fields = {
    statusCode: status,
    code: refusal?.code ?? 'unexpected_answer',
    requestId: refusal?.requestId ?? headers.get('x-request-id') ?? undefined,
    details: refusal?.details,
    idempotencyKey,
  }
  const message =
    refusal?.message ?? `The answer (status ${status}) is not that of a Cardstock server. Check the address.`
  throw status >= 400 && status < 500 ? new RefusedError(message, fields) : new ServerError(message, fields)
}

/** Undefined for what is no JSON; `undefined` itself cannot be written in JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

interface Refusal {
  code: string
  message: string
  requestId?: string
  details?: Record<string, unknown>
}

function isRefusal(body: unknown): body is Refusal {
  if (typeof body !== 'object' || body === null || !('code' in body) || !('message' in body)) return false
  return typeof body.code === 'string' && typeof body.message === 'string'
}

function toUnreachable(
  error: unknown,
  request: { baseUrl: string; timeoutMs: number; idempotencyKey: string | undefined },
): UnreachableError {
  const { baseUrl, timeoutMs, idempotencyKey } = request
  if (error instanceof Error && error.name === 'TimeoutError') {
    const message = `No answer from ${baseUrl} within ${timeoutMs / 1000} s.`
    return new UnreachableError(message, { code: 'timeout', idempotencyKey }, { cause: error })
  }
  const message = `Could not reach ${baseUrl} (${reasonOf(error)}).`
  return new UnreachableError(message, { code: 'unreachable', idempotencyKey }, { cause: error })
}

/** fetch says only "fetch failed"; what happened is in the cause, as a code such as ECONNREFUSED. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (!(cause instanceof Error)) return 'unknown'
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message
}
