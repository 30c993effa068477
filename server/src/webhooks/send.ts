// Sends one signed POST with one deadline over the whole exchange. It never throws, follows no redirect, and reads no
// more of the answer than it needs.
import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'
import { EVENT_VERSION } from '../events/catalogue.ts'
import { NameNotResolvedError, ResolverFailureError } from './resolver.ts'
import type { SignatureHeaders } from './sign.ts'

/** A receiver must have answered completely by then. */
export const DEADLINE_MS = 15_000
/** The rest of a longer answer is not read. */
const RESPONSE_BYTES_MAX = 64 * 1024
/** The log of attempts keeps this much of an answer. */
const RESPONSE_BYTES_KEPT = 1024
const FIXED_HEADERS = {
  'content-type': 'application/json',
  'user-agent': `Cardstock-Webhooks/${EVENT_VERSION}`,
}

export interface Sent {
  /** Undefined when no complete answer arrived. */
  readonly statusCode: number | undefined
  readonly error: string | undefined
  readonly retryAfter: string | undefined
  readonly response: string | undefined
  readonly latencyMs: number
  /** Our own DNS servers did not answer: nothing was sent, and the receiver is not to blame. */
  readonly hasResolverFailed: boolean
}

/** Where requests go, from the URL of an endpoint. */
export interface Target {
  readonly origin: string
  readonly path: string
}

export interface Message {
  readonly target: Target
  readonly headers: SignatureHeaders
  readonly body: Buffer
}

export function targetOf(url: string): Target {
  const { origin, pathname, search } = new URL(url)
  return { origin, path: pathname + search }
}

export function send(agent: Dispatcher, { target, headers, body }: Message, deadlineMs: number): Promise<Sent> {
  return new Promise((resolve) => {
    const exchange = new Exchange(deadlineMs, resolve)
    const { origin, path } = target
    try {
      agent.dispatch({ origin, path, method: 'POST', headers: { ...FIXED_HEADERS, ...headers }, body }, exchange)
    } catch (error) {
      exchange.onResponseError(undefined, error)
    }
  })
}

/**
 * Takes the parts of an answer as they arrive. `request` of undici would be shorter, but its stream for the body and the
 * AbortSignal for the deadline cost as much as the rest of the request.
 */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #startedMs = performance.now()
  readonly #deadlineMs: number
  readonly #timer: NodeJS.Timeout
  readonly #resolve: (sent: Sent) => void
  #controller: Dispatcher.DispatchController | undefined
  #isLate = false
  #isSettled = false
  #statusCode = 0
  #retryAfter: string | undefined
  readonly #kept: Buffer[] = []
  #keptBytes = 0
  #readBytes = 0

  constructor(deadlineMs: number, resolve: (sent: Sent) => void) {
    this.#deadlineMs = deadlineMs
    this.#resolve = resolve
    this.#timer = setTimeout(() => this.#endLate(), deadlineMs)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    // The connection took too long. Nothing is sent over it.
    if (this.#isLate) this.#abort()
  }

  onResponseStart(_controller: unknown, statusCode: number, headers: IncomingHttpHeaders): void {
    this.#statusCode = statusCode
    const retryAfter = headers['retry-after']
    this.#retryAfter = typeof retryAfter === 'string' ? retryAfter : undefined
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#readBytes += chunk.length
    if (this.#keptBytes < RESPONSE_BYTES_KEPT) {
      const part = chunk.subarray(0, RESPONSE_BYTES_KEPT - this.#keptBytes)
      this.#kept.push(part)
      this.#keptBytes += part.length
    }
    if (this.#readBytes < RESPONSE_BYTES_MAX) return
    this.onResponseEnd()
    // This closes the connection.
    controller.abort(new Error('the rest of the answer is not read'))
  }

  onResponseEnd(): void {
    const isRedirect = this.#statusCode >= 300 && this.#statusCode < 400
    this.#settle({
      statusCode: this.#statusCode,
      error: isRedirect ? 'redirects are not followed' : undefined,
      retryAfter: this.#retryAfter,
      // A text column of PostgreSQL cannot store NUL.
      response: Buffer.concat(this.#kept).toString('utf8').replaceAll('\0', '\uFFFD'),
      hasResolverFailed: false,
    })
  }

  onResponseError(_controller: unknown, error: unknown): void {
    this.#settle({
      statusCode: undefined,
      error: this.#isLate ? `no complete answer within ${this.#deadlineMs / 1000} s` : reasonOf(error),
      retryAfter: undefined,
      response: undefined,
      hasResolverFailed: error instanceof ResolverFailureError,
    })
  }

  /** A request without a connection can only be aborted as soon as it has one. The attempt ends now all the same. */
  #endLate(): void {
    this.#isLate = true
    this.#abort()
    this.onResponseError(undefined, undefined)
  }

  #abort(): void {
    this.#controller?.abort(new Error('the deadline has passed'))
  }

  #settle(sent: Omit<Sent, 'latencyMs'>): void {
    if (this.#isSettled) return
    this.#isSettled = true
    clearTimeout(this.#timer)
    this.#resolve({ ...sent, latencyMs: Math.round(performance.now() - this.#startedMs) })
  }
}

/** Returns the error's code if it has one. The runtime's own messages contain addresses, which must not be revealed. */
function reasonOf(error: unknown): string {
  if (error instanceof NameNotResolvedError) return error.message
  const causes = error instanceof AggregateError ? error.errors : []
  const first = [error, ...causes].find((cause): cause is Error & { code: string } => {
    return cause instanceof Error && 'code' in cause && typeof cause.code === 'string'
  })
  if (first?.name === 'ForbiddenAddressError') return first.message
  return first === undefined ? 'the exchange failed' : `the exchange failed (${first.code})`
}
