// Makes the request of a call: its address, its headers, its body and its limits. It sends nothing.
import { CardstockError, type Request } from './errors.ts'
import {
  type CallOptions,
  type IdempotentCallOptions,
  requireSecret,
  requireWhole,
  type Settings,
  WHOLE_MAX,
} from './options.ts'

/** @internal */
export interface AnyInput {
  readonly params?: Readonly<Record<string, string>> | undefined
  readonly query?: object | undefined
  readonly body?: unknown
}

/** @internal */
export interface Ready extends Request {
  readonly url: string
  readonly init: RequestInit
  readonly maxRetries: number
  readonly callerSignal: AbortSignal | undefined
  readonly timeoutMs: number
  readonly deadline: number
}

/** @internal */
export function prepare(
  settings: Settings,
  route: string,
  input: AnyInput,
  options: IdempotentCallOptions,
  accept: string,
): Ready {
  const [method = '', template = ''] = route.split(' ')
  const { signal: callerSignal, idempotencyKey } = options
  const headers: Record<string, string> = { ...readHeaders(options.headers), ...settings.headers, accept }
  if (options.apiKey !== undefined) headers['authorization'] = authorize(settings, options.apiKey)
  if (input.body !== undefined) headers['content-type'] = 'application/json'
  if (idempotencyKey !== undefined) headers['idempotency-key'] = requireKey(idempotencyKey)
  // A redirect is never followed: it would take the key to another place.
  const init: RequestInit = { method, headers, redirect: 'manual' }
  if (input.body !== undefined) init.body = JSON.stringify(input.body)
  return {
    method,
    url: settings.baseUrl + fillPath(template, input.params) + toSearch(input.query),
    init,
    baseUrl: settings.baseUrl,
    idempotencyKey,
    callerSignal,
    ...readLimits(settings, options, isRepeatable(method, idempotencyKey)),
  }
}

/**
 * Returns the route of a request that a program writes itself. A path that a URL parser would change, such as one with `..`, is refused,
 * because the key would go to another place than the text says.
 * @internal
 */
export function toRoute({ baseUrl }: Settings, method: string, path: string): string {
  const url = baseUrl + path
  if (/^\/[^?#]*$/.test(path) && new URL(url).href === url) return `${method.toUpperCase()} ${path}`
  throw invalid('path must begin with / and have no query. Encode each part with encodeURIComponent.')
}

/** The headers that the client sets itself, from what a call is given for them. */
const OWN_HEADERS =
  /^(?:accept|authorization|connection|content-length|content-type|cookie|host|idempotency-key|user-agent)$/

/** A wrong header would be quoted, with its value, in the runtime's own error message. */
function readHeaders(headers: Readonly<Record<string, string>> = {}): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const)
  for (const [name, value] of entries)
    if (OWN_HEADERS.test(name) || !/^[a-z0-9_-]+$/.test(name) || !/^[\x20-\x7e]*$/.test(value))
      throw invalid(`headers must not contain ${JSON.stringify(name)}, or not with this value.`)
  return Object.fromEntries(entries)
}

function authorize({ secret }: Settings, value: string): string {
  if (secret === undefined) throw invalid('This client has no key.')
  return `Bearer ${requireSecret({ ...secret, value })}`
}

/** GET changes nothing, and a request with an idempotency key is carried out at most once. Nothing else is repeated. */
function isRepeatable(method: string, idempotencyKey: string | undefined): boolean {
  return method === 'GET' || idempotencyKey !== undefined
}

/** What a whole call is given for the wait before each try, besides the time for the try: the longest wait, and a little. */
const WAIT_MS = 10_000

function readLimits(settings: Settings, options: CallOptions, isRepeated: boolean) {
  const choose = (name: 'timeoutMs' | 'totalTimeoutMs' | 'maxRetries', minimum: number) =>
    options[name] === undefined ? settings[name] : requireWhole(name, options[name], minimum)
  const timeoutMs = choose('timeoutMs', 1) ?? settings.timeoutMs
  const maxRetries = isRepeated ? (choose('maxRetries', 0) ?? settings.maxRetries) : 0
  const totalMs = choose('totalTimeoutMs', 1) ?? Math.min((timeoutMs + WAIT_MS) * (maxRetries + 1), WHOLE_MAX)
  return { timeoutMs, maxRetries, deadline: Date.now() + totalMs }
}

/** Each value becomes exactly one segment, whatever characters it holds. */
function fillPath(template: string, params: Readonly<Record<string, string>> = {}): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name]
    // An empty segment or dots would turn the address of one object into that of a list.
    if (typeof value !== 'string' || /^\.{0,2}$/.test(value)) throw invalid(`The ${name} of the object is missing.`)
    return encodeURIComponent(value)
  })
}

function requireKey(key: string): string {
  if (/^[\x21-\x7e]{1,128}$/.test(key)) return key
  throw invalid('idempotencyKey must have 1 to 128 visible ASCII characters.')
}

function invalid(message: string): CardstockError {
  return new CardstockError(message, { code: 'invalid_argument' })
}

function toSearch(query: object = {}): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query) as [string, string | number | undefined][])
    if (value !== undefined) search.append(name, String(value))
  const text = search.toString()
  return text === '' ? '' : `?${text}`
}
