// Sends one call: with a limit for each try and for the whole, with retries where they are safe, and bound to the endpoints
// that the server documents.
import {
  CardstockError,
  isUnsent,
  type Loss,
  parseRetryAfter,
  readJson,
  type Request,
  toNoAnswer,
  unexpectedType,
} from './errors.ts'
import type { Endpoints } from './generated/endpoints.ts'
import { createList, type List } from './list.ts'
import {
  type CallOptions,
  type IdempotentCallOptions,
  requireWhole,
  type Settings,
  sleep,
  WHOLE_MAX,
} from './options.ts'

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
  /** The body of the answer as it arrives. `timeoutMs` holds until its end; a body that breaks off is not asked for again. */
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
  readonly callerSignal: AbortSignal | undefined
  readonly timeoutMs: number
  readonly deadline: number
}

/** `wait` is replaced in tests, so that a retry does not take its time. */
export function createTransport(settings: Settings, wait: typeof sleep = sleep): Transport {
  const call = async (route: string, input: AnyInput, options: IdempotentCallOptions = {}): Promise<unknown> => {
    const request = prepare(settings, route, input, options, 'application/json')
    return send(settings, request, wait, (response) => readJson(response, request))
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
      return send(settings, request, wait, async (response, explain) => {
        const type = response.headers.get('content-type') ?? 'no content type'
        // A proxy's page must not end up in a file that looks like a statement.
        if (response.status === 200 && type.startsWith(accept) && response.body !== null)
          return explainErrors(response.body, explain)
        await readJson(response, request)
        throw unexpectedType(type, accept)
      })
    },
  }
  return transport as Transport
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
  const headers: Record<string, string> = { ...settings.headers, accept }
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

function readLimits(settings: Settings, options: CallOptions, isRepeated: boolean) {
  const choose = (name: 'timeoutMs' | 'totalTimeoutMs' | 'maxRetries', minimum: number) =>
    options[name] === undefined ? settings[name] : requireWhole(name, options[name], minimum)
  const timeoutMs = choose('timeoutMs', 1) ?? settings.timeoutMs
  const maxRetries = isRepeated ? (choose('maxRetries', 0) ?? settings.maxRetries) : 0
  const totalMs = choose('totalTimeoutMs', 1) ?? Math.min((timeoutMs + WAIT_MS) * (maxRetries + 1), WHOLE_MAX)
  return { timeoutMs, maxRetries, deadline: Date.now() + totalMs }
}

/** Returns the error to throw for one that the runtime threw. */
type Explain = (error: unknown) => CardstockError

/** Sends a request until `read` gets a whole answer out of a response, as often as is safe and the limits allow. */
async function send<Result>(
  settings: Settings,
  request: Ready,
  wait: typeof sleep,
  read: (response: Response, explain: Explain) => Promise<Result>,
): Promise<Result> {
  const { callerSignal } = request
  let isSent = false
  for (let retry = 0; ; retry += 1) {
    const limitMs = Math.max(1, Math.min(request.timeoutMs, request.deadline - Date.now()))
    const limit = AbortSignal.timeout(limitMs)
    const signal = callerSignal === undefined ? limit : AbortSignal.any([limit, callerSignal])
    let response: Response | undefined
    const explain: Explain = (error) => {
      const loss: Loss = {
        error,
        signal: callerSignal,
        limitMs,
        tries: retry + 1,
        isSent,
        isAnswered: response !== undefined,
      }
      return toNoAnswer(request, loss)
    }
    let delay: number | undefined
    try {
      response = await settings.fetch(request.url, { ...request.init, signal })
      isSent = true
      if (isTransient(response.status)) delay = delayBefore(retry, request, response.headers.get('retry-after'))
      if (delay === undefined) return await read(response, explain)
      // Frees the connection; what the answer says is not needed.
      response.body?.cancel().catch(() => undefined)
    } catch (error) {
      if (error instanceof CardstockError) throw error
      isSent ||= !isUnsent(error)
      delay = callerSignal?.aborted === true ? undefined : delayBefore(retry, request, null)
      if (delay === undefined) throw explain(error)
    }
    await wait(delay, callerSignal).catch((reason: unknown) => {
      throw explain(reason)
    })
  }
}

/** The same bytes; when they break off, the error is one of this package. */
function explainErrors(body: ReadableStream<Uint8Array>, explain: Explain): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read()
        if (done) controller.close()
        else controller.enqueue(value)
      } catch (error) {
        controller.error(explain(error))
      }
    },
    cancel: (reason) => reader.cancel(reason),
  })
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
/** What a whole call is given for the wait before each try, besides the time for the try: the longest wait, and a little. */
const WAIT_MS = 10_000
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

/** Milliseconds to wait before retry number `retry` (from 0), or undefined when it is not allowed or not worth waiting. */
function delayBefore(retry: number, request: Ready, retryAfter: string | null): number | undefined {
  const now = Date.now()
  const delay = parseRetryAfter(retryAfter, now) ?? backoff(retry)
  const isWorthIt = retry < request.maxRetries && delay <= RETRY_AFTER_MS_MAX && now + delay < request.deadline
  return isWorthIt ? delay : undefined
}

function backoff(retry: number): number {
  const full = Math.min(BACKOFF_MS * 2 ** retry, BACKOFF_MS_MAX)
  // Half of it is random, so that clients that failed together do not come back together.
  return full / 2 + (Math.random() * full) / 2
}
