// Sends one call: with a deadline, with retries where they are safe, and bound to the endpoints that the server documents.
import { CardstockError, isUnsent, readJson, type Request, toNoAnswer, unexpectedType } from './errors.ts'
import type { Endpoints } from './generated/endpoints.ts'
import { createList, type List } from './list.ts'
import { type CallOptions, type IdempotentCallOptions, requireWhole, type Settings, sleep } from './options.ts'

export type Route = keyof Endpoints

type ParamOf<R> = R extends `${string}{${infer Name}}${infer Rest}` ? Name | ParamOf<Rest> : never

type ItemOf<R extends Route> = Endpoints[R]['result'] extends { data: (infer Item)[] } ? Item : never

export type Input<R extends Route> = ([ParamOf<R>] extends [never]
  ? { readonly params?: undefined }
  : { readonly params: Readonly<Record<ParamOf<R>, string>> }) &
  (Endpoints[R] extends { query: infer Query } ? { readonly query?: Query } : { readonly query?: undefined }) &
  (Endpoints[R] extends { body: infer Body } ? { readonly body: Body } : { readonly body?: undefined })

export interface Transport {
  readonly baseUrl: string
  /** Resolves with the body of the answer; with undefined when it has none. */
  call<R extends Route>(route: R, input: Input<R>, options?: IdempotentCallOptions): Promise<Endpoints[R]['result']>
  /** As `call`, with an idempotency key: the given one, or a new one. */
  callOnce<R extends Route>(route: R, input: Input<R>, options?: IdempotentCallOptions): Promise<Endpoints[R]['result']>
  list<R extends Route>(route: R, input: Input<R>, options?: CallOptions): List<ItemOf<R>>
  /** The body of the answer as it arrives. The deadline holds until its end. */
  stream<R extends Route>(
    route: R,
    input: Input<R>,
    accept: string,
    options?: CallOptions,
  ): Promise<ReadableStream<Uint8Array>>
}

interface AnyInput {
  readonly params?: Readonly<Record<string, string>> | undefined
  readonly query?: object | undefined
  readonly body?: unknown
}

interface Ready extends Request {
  readonly url: string
  readonly init: RequestInit
  readonly maxRetries: number
  /** The caller's signal, or the deadline. */
  readonly signal: AbortSignal
  readonly callerSignal: AbortSignal | undefined
  readonly deadline: number
}

/** `wait` is replaced in tests, so that a retry does not take its time. */
export function createTransport(settings: Settings, wait: typeof sleep = sleep): Transport {
  const send = (request: Ready) => sendWithRetries(settings, request, wait)
  const call = async (route: string, input: AnyInput, options: IdempotentCallOptions = {}): Promise<unknown> => {
    const request = prepare(settings, route, input, options, 'application/json')
    return send(request).then((response) => readBody(response, request))
  }
  const transport = {
    baseUrl: settings.baseUrl,
    call,
    callOnce: (route: string, input: AnyInput, options: IdempotentCallOptions = {}) =>
      call(route, input, { ...options, idempotencyKey: options.idempotencyKey ?? crypto.randomUUID() }),
    list: (route: string, input: AnyInput, options: CallOptions = {}) =>
      createList((query) => call(route, { ...input, query }, options), input.query ?? {}),
    async stream(route: string, input: AnyInput, accept: string, options: CallOptions = {}) {
      const request = prepare(settings, route, input, options, accept)
      const response = await send(request)
      const type = response.headers.get('content-type') ?? 'no content type'
      // A proxy's page must not end up in a file that looks like a statement.
      if (response.status === 200 && type.startsWith(accept) && response.body !== null) return response.body
      await readBody(response, request)
      throw unexpectedType(type, accept)
    },
  }
  return transport as Transport
}

async function readBody(response: Response, request: Ready): Promise<unknown> {
  try {
    return await readJson(response, request)
  } catch (error) {
    // The connection may break in the middle of the body.
    throw error instanceof CardstockError ? error : toNoAnswer(error, request, request.callerSignal)
  }
}

function prepare(
  settings: Settings,
  route: string,
  input: AnyInput,
  options: IdempotentCallOptions,
  accept: string,
): Ready {
  const [method = '', template = ''] = route.split(' ')
  const { signal: callerSignal, idempotencyKey } = options
  const timeoutMs =
    options.timeoutMs === undefined ? settings.timeoutMs : requireWhole('timeoutMs', options.timeoutMs, 1)
  const limit = AbortSignal.timeout(timeoutMs)
  const signal = callerSignal === undefined ? limit : AbortSignal.any([limit, callerSignal])
  const headers: Record<string, string> = { ...settings.headers, accept }
  if (input.body !== undefined) headers['content-type'] = 'application/json'
  if (idempotencyKey !== undefined) headers['idempotency-key'] = requireKey(idempotencyKey)
  // A redirect is never followed: it would take the key to another place.
  const init: RequestInit = { method, headers, redirect: 'manual', signal }
  if (input.body !== undefined) init.body = JSON.stringify(input.body)
  return {
    method,
    url: settings.baseUrl + fillPath(template, input.params) + toSearch(input.query),
    init,
    baseUrl: settings.baseUrl,
    timeoutMs,
    idempotencyKey,
    maxRetries:
      options.maxRetries === undefined ? settings.maxRetries : requireWhole('maxRetries', options.maxRetries, 0),
    signal,
    callerSignal,
    deadline: Date.now() + timeoutMs,
  }
}

async function sendWithRetries(settings: Settings, request: Ready, wait: typeof sleep): Promise<Response> {
  const retries = isRepeatable(request.method, request.idempotencyKey) ? request.maxRetries : 0
  let isSent = false
  for (let retry = 0; ; retry += 1) {
    const { response, error } = await fetchOnce(settings, request)
    isSent ||= !isUnsent(error)
    if (response !== undefined && !isTransient(response.status)) return response
    const now = Date.now()
    const delay = retry < retries ? delayBefore(retry, response?.headers.get('retry-after') ?? null, now) : undefined
    if (delay === undefined || now + delay >= request.deadline || request.signal.aborted) {
      if (response !== undefined) return response
      throw toNoAnswer(error, request, request.callerSignal, isSent)
    }
    // Frees the connection; what the answer says is not needed.
    await response?.body?.cancel()
    await wait(delay, request.signal).catch((reason: unknown) => {
      throw toNoAnswer(reason, request, request.callerSignal)
    })
  }
}

async function fetchOnce(settings: Settings, { url, init }: Ready): Promise<{ response?: Response; error?: unknown }> {
  try {
    return { response: await settings.fetch(url, init) }
  } catch (error) {
    return { error }
  }
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

// Whether a request may be sent again, and after how long.

/** The first wait, which doubles with each retry; a restart of the server takes about as long. */
const BACKOFF_MS = 500
const BACKOFF_MS_MAX = 8_000
/** A server that asks for a longer wait gets the error to the caller instead. */
const RETRY_AFTER_MS_MAX = 60_000

/** GET changes nothing, and a request with an idempotency key is carried out at most once. Nothing else is repeated. */
function isRepeatable(method: string, idempotencyKey: string | undefined): boolean {
  return method === 'GET' || idempotencyKey !== undefined
}

/** 409 is never repeated: the same request would conflict again. */
function isTransient(status: number): boolean {
  return status === 429 || status >= 500
}

/** Milliseconds to wait before retry number `retry` (from 0), or undefined when it is not worth waiting. */
function delayBefore(retry: number, retryAfter: string | null, now: number): number | undefined {
  const asked = parseRetryAfter(retryAfter, now)
  if (asked !== undefined) return asked <= RETRY_AFTER_MS_MAX ? asked : undefined
  const full = Math.min(BACKOFF_MS * 2 ** retry, BACKOFF_MS_MAX)
  // Half of it is random, so that clients that failed together do not come back together.
  return full / 2 + (Math.random() * full) / 2
}

/** Seconds or a date, as HTTP has it. */
function parseRetryAfter(text: string | null, now: number): number | undefined {
  if (text === null) return undefined
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000
  const date = Date.parse(text)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}
