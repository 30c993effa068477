// The hooks of a client, for logs and metrics. They see neither the key nor other headers nor bodies, and cannot change a call.
import type { CardstockError } from './errors.ts'

/** One try of a call. */
export interface RequestNote {
  /** The HTTP method. */
  readonly method: string
  /** The address with its query. */
  readonly url: string
  /** 1 for the first try of a call. */
  readonly attempt: number
  /** The idempotency key that the request carries. */
  readonly idempotencyKey: string | undefined
}

/** An answer, as soon as its status is known. */
export interface ResponseNote extends RequestNote {
  /** The HTTP status. */
  readonly statusCode: number
  /** The id of the request in the server's log. */
  readonly requestId: string | undefined
  /** True if nothing was done again, because the idempotency key was used before. */
  readonly isReplay: boolean
  /** Time since the try began. */
  readonly durationMs: number
  /** How long the client waits before it sends the request again; undefined if this is the last try. */
  readonly retryInMs: number | undefined
}

/** A try that failed. */
export interface ErrorNote extends RequestNote {
  /** What the call throws if this is its last try. */
  readonly error: CardstockError
  /** Time since the try began. */
  readonly durationMs: number
  /** How long the client waits before it sends the request again; undefined if this is the last try. */
  readonly retryInMs: number | undefined
}

/** Called for each try. What a hook returns or throws is ignored. */
export interface Hooks {
  /** Before a request is sent. */
  readonly request?: ((note: RequestNote) => unknown) | undefined
  /** When an answer has arrived, whatever its status. */
  readonly response?: ((note: ResponseNote) => unknown) | undefined
  /** When a request gets no answer, or one that is refused or cannot be read. Not for an answer after which the request is sent again. */
  readonly error?: ((note: ErrorNote) => unknown) | undefined
}

/**
 * Calls a hook. A log that fails must not fail a payment.
 * @internal
 */
export function notify<Note>(hook: ((note: Note) => unknown) | undefined, note: Note): void {
  void (async () => hook?.(note))().catch(() => undefined)
}
