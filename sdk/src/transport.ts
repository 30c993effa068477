// Sends one call: with a limit for each try and for the whole, with retries where they are safe, and bound to the endpoints
// that the server documents.
import { type Call, createCall, describeResponse, type WithResponse } from './call.ts'
import { CardstockError, isUnsent, type Loss, parseRetryAfter, readJson, toNoAnswer, unexpectedType } from './errors.ts'
import type { Endpoints } from './generated/endpoints.ts'
import { notify } from './hooks.ts'
import { createList, type List } from './list.ts'
import { type CallOptions, type IdempotentCallOptions, type RawRequest, type Settings, sleep } from './options.ts'
import { type AnyInput, prepare, type Ready, toRoute } from './prepare.ts'

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
  call<R extends Route>(route: R, input: Input<R>, options?: IdempotentCallOptions): Call<Endpoints[R]['result']>
  /** As `call`, with an idempotency key: the given one, or a new one. */
  callOnce<R extends Route>(route: R, input: Input<R>, options?: IdempotentCallOptions): Call<Endpoints[R]['result']>
  list<R extends Route>(route: R, input: Input<R>, options?: CallOptions): List<ItemOf<R>>
  /** The body of the answer as it arrives. `timeoutMs` holds until its end; a body that breaks off is not asked for again. */
  stream<R extends Route>(
    route: R,
    input: Input<R>,
    accept: string,
    options?: CallOptions,
  ): Call<ReadableStream<Uint8Array>>
  /** A request that a program writes itself. */
  request(method: string, path: string, request?: RawRequest): Call<unknown>
}

/** `wait` is replaced in tests, so that a retry does not take its time. */
export function createTransport(settings: Settings, wait: typeof sleep = sleep): Transport {
  const run = <Data>(prepareRequest: () => Ready, read: Read<Data>): Call<Data> =>
    // A wrong argument rejects, as everything else that goes wrong.
    createCall((async () => send(settings, prepareRequest(), wait, read))())
  const call = (route: string, input: AnyInput, options: IdempotentCallOptions = {}) =>
    run(() => prepare(settings, route, input, options, 'application/json'), readJson)
  const transport = {
    baseUrl: settings.baseUrl,
    call,
    callOnce: (route: string, input: AnyInput, options: IdempotentCallOptions = {}) =>
      call(route, input, { ...options, idempotencyKey: options.idempotencyKey ?? crypto.randomUUID() }),
    list: (route: string, input: AnyInput, options: CallOptions = {}) =>
      createList((query) => call(route, { ...input, query }, options), input.query ?? {}),
    stream: (route: string, input: AnyInput, accept: string, options: CallOptions = {}) =>
      run(
        () => prepare(settings, route, input, options, accept),
        async (response, request, explain) => {
          const type = response.headers.get('content-type') ?? 'no content type'
          // A proxy's page must not end up in a file that looks like a statement.
          if (response.status === 200 && type.startsWith(accept) && response.body !== null)
            return explainErrors(response.body, explain)
          await readJson(response, request)
          throw unexpectedType(type, accept)
        },
      ),
    request: (method: string, path: string, { query, body, ...options }: RawRequest = {}) =>
      run(
        () => prepare(settings, toRoute(settings, method, path), { query, body }, options, 'application/json'),
        readJson,
      ),
  }
  return transport as Transport
}

/** Returns the error to throw for one that the runtime threw. */
type Explain = (error: unknown) => CardstockError

type Read<Data> = (response: Response, request: Ready, explain: Explain) => Promise<Data>

/** Sends a request until `read` gets a whole answer out of a response, as often as is safe and the limits allow. */
async function send<Data>(
  settings: Settings,
  request: Ready,
  wait: typeof sleep,
  read: Read<Data>,
): Promise<WithResponse<Data>> {
  const { callerSignal, method, url, idempotencyKey } = request
  const { hooks } = settings
  let isSent = false
  let isAfterLostTry = false
  for (let retry = 0; ; retry += 1) {
    const limitMs = Math.max(1, Math.min(request.timeoutMs, request.deadline - Date.now()))
    const limit = AbortSignal.timeout(limitMs)
    const signal = callerSignal === undefined ? limit : AbortSignal.any([limit, callerSignal])
    let response: Response | undefined
    const explain: Explain = (error) => {
      if (error instanceof CardstockError) return error
      const isAnswered = response !== undefined
      const loss: Loss = { error, signal: callerSignal, limitMs, tries: retry + 1, isSent, isAnswered }
      return toNoAnswer(request, loss)
    }
    const note = { method, url, attempt: retry + 1, idempotencyKey }
    const startedAt = Date.now()
    const measure = (retryInMs: number | undefined) => ({ ...note, retryInMs, durationMs: Date.now() - startedAt })
    let delay: number | undefined
    notify(hooks.request, note)
    try {
      response = await settings.fetch(url, { ...request.init, signal })
      isSent = true
      if (isTransient(response.status)) delay = delayBefore(retry, request, response.headers.get('retry-after'))
      const { headers, ...info } = describeResponse(response)
      notify(hooks.response, { ...measure(delay), ...info })
      if (delay === undefined) {
        const data = await read(response, { ...request, isAfterLostTry }, explain)
        return { data, headers, ...info }
      }
      isAfterLostTry ||= isOpenAfter(response)
      // Frees the connection; what the answer says is not needed.
      response.body?.cancel().catch(() => undefined)
    } catch (error) {
      if (!isUnsent(error)) {
        isSent = true
        isAfterLostTry ||= isOpenAfter(response)
      }
      const isFinal = error instanceof CardstockError || callerSignal?.aborted === true
      delay = isFinal ? undefined : delayBefore(retry, request, null)
      const explained = explain(error)
      notify(hooks.error, { ...measure(delay), error: explained })
      if (delay === undefined) throw explained
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

// Whether a request may be sent again, and after how long.

/** The first wait, which doubles with each retry; a restart of the server takes about as long. */
const BACKOFF_MS = 500
const BACKOFF_MS_MAX = 8_000
/** A server that asks for a longer wait gets the error to the caller instead. */
const RETRY_AFTER_MS_MAX = 60_000

/** 409 is never repeated: the same request would conflict again. */
function isTransient(status: number): boolean {
  return status === 429 || status >= 500
}

/** Whether the server may have carried out a try that ended like this: anything but a 4xx, which says that nothing was changed. */
function isOpenAfter(response: Response | undefined): boolean {
  return response === undefined || response.status < 400 || response.status >= 500
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
