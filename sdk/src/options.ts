// The options of a client and of a call, and the checks of what a client is made with.

import type { Hooks } from './hooks.ts'

/** The version of this package, which is also in the user agent. */
export const VERSION = '1.0.0'

export interface ClientOptions {
  /** The address of the server, such as https://cards.example.com. Default: CARDSTOCK_URL, then http://127.0.0.1:8080. */
  readonly baseUrl?: string | undefined
  /** How long one try may take, from the connection to the last byte of the answer. Default: 30 000. */
  readonly timeoutMs?: number | undefined
  /**
   * How long a whole call may take, with all its tries and the waits between them. Default: `timeoutMs` and 10 000 more for
   * each try that `maxRetries` allows, which makes 120 000.
   */
  readonly totalTimeoutMs?: number | undefined
  /** How often a failed call is sent again when that is safe. Default: 2. */
  readonly maxRetries?: number | undefined
  /** Used instead of the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined
  /** Called for each request, answer and error, for logs and metrics. They see no key, no other header and no body. */
  readonly hooks?: Hooks | undefined
}

export interface CallOptions {
  /** Ends the call when it is aborted. */
  readonly signal?: AbortSignal | undefined
  /** How long one try may take, from the connection to the last byte of the answer. Default: the client's. */
  readonly timeoutMs?: number | undefined
  /** How long the whole call may take, with all its tries and the waits between them. Default: the client's. */
  readonly totalTimeoutMs?: number | undefined
  /** How often a failed call is sent again when that is safe. Default: the client's. */
  readonly maxRetries?: number | undefined
  /** Further headers, such as `traceparent`. The client refuses those that it sets itself. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Used instead of the client's key. With `CardstockAdmin`, it is an operator token. */
  readonly apiKey?: string | undefined
}

export interface IdempotentCallOptions extends CallOptions {
  /** 1 to 128 visible ASCII characters. Default: a new random key for each call. */
  readonly idempotencyKey?: string | undefined
}

/** The methods of HTTP that the API uses. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** What `request` takes beside the method and the path. A POST without an idempotency key is never sent again. */
export interface RawRequest extends CallOptions {
  /** The parameters after the question mark; those that are undefined are left out. */
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>> | undefined
  /** The body, which is sent as JSON. */
  readonly body?: unknown
  /** 1 to 128 visible ASCII characters. Default: no key. */
  readonly idempotencyKey?: string | undefined
}

/** The server ends its own requests after 30 s, so a later answer cannot come. */
const TIMEOUT_MS_DEFAULT = 30_000
const MAX_RETRIES_DEFAULT = 2
const BASE_URL_DEFAULT = 'http://127.0.0.1:8080'
/** The characters that a header may hold. Any other would be quoted in the runtime's own error message. */
const SECRET = /^[\x21-\x7e]+$/

/** @internal */
export interface Settings {
  readonly baseUrl: string
  /** Sent with every request: a key, or what takes its place. */
  readonly headers: Readonly<Record<string, string>>
  /** What another key is checked against. A page of the console has none. */
  readonly secret?: Secret
  readonly timeoutMs: number
  /** Undefined: enough for each try. */
  readonly totalTimeoutMs: number | undefined
  readonly maxRetries: number
  readonly fetch: typeof globalThis.fetch
  readonly hooks: Hooks
}

/** @internal */
export interface Secret {
  readonly name: string
  /** The variable of the environment that is read when no value is given. */
  readonly variable: string
  readonly value: string | undefined
}

/** @internal */
export function readSettings(options: ClientOptions, secret: Secret): Settings {
  requireServer()
  const headers = { authorization: `Bearer ${requireSecret(secret)}`, 'user-agent': `cardstock-sdk/${VERSION}` }
  return { ...makeSettings(options, headers), secret }
}

/** @internal */
export function makeSettings(options: ClientOptions, headers: Readonly<Record<string, string>>): Settings {
  return {
    baseUrl: requireBaseUrl(options.baseUrl ?? readEnvironment('CARDSTOCK_URL') ?? BASE_URL_DEFAULT),
    headers,
    timeoutMs: requireWhole('timeoutMs', options.timeoutMs ?? TIMEOUT_MS_DEFAULT, 1),
    totalTimeoutMs:
      options.totalTimeoutMs === undefined ? undefined : requireWhole('totalTimeoutMs', options.totalTimeoutMs, 1),
    maxRetries: requireWhole('maxRetries', options.maxRetries ?? MAX_RETRIES_DEFAULT, 0),
    // Called without a receiver: browsers and workers refuse a detached fetch that has one.
    fetch: options.fetch ?? ((...request) => globalThis.fetch(...request)),
    hooks: options.hooks ?? {},
  }
}

/** Returns a variable of the process; undefined in a runtime without one, and when it is empty. */
function readEnvironment(name: string): string | undefined {
  const value = (globalThis as { process?: { env?: Record<string, string | undefined> } }).process?.env?.[name]
  return value === '' ? undefined : value
}

/** Anyone can read what a page sends, so a secret key in a browser is a published key. */
function requireServer(): void {
  const { window, document, navigator } = globalThis as {
    window?: unknown
    document?: unknown
    navigator?: { userAgent?: string }
  }
  const isPage = typeof window === 'object' && typeof document === 'object'
  // A worker has neither. All browsers call themselves Mozilla there, and no runtime of servers does.
  if (!isPage && navigator?.userAgent?.startsWith('Mozilla/') !== true) return
  throw new TypeError(
    'A Cardstock key must not be used in a browser: every visitor could read it and spend your money. ' +
      'Call Cardstock from your server, and let the page call your server.',
  )
}

/** @internal */
export function requireSecret({ name, variable, value = readEnvironment(variable) }: Secret): string {
  if (value === undefined || value === '') throw new TypeError(`${name} is missing. Pass it, or set ${variable}.`)
  if (!SECRET.test(value)) throw new TypeError(`${name} has characters that no key has. Copy it again.`)
  const isOperator = value.startsWith('cstk_operator_')
  if (isOperator && name === 'apiKey')
    throw new TypeError('apiKey is an operator token. Use CardstockAdmin, or pass a key of a company.')
  if (!isOperator && name === 'operatorToken' && /^cstk_(sandbox|live)_/.test(value))
    throw new TypeError("operatorToken is a company's API key. Use Cardstock, or pass the operator token.")
  return value
}

function requireBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new TypeError('baseUrl must begin with http:// or https://.')
  if (url.username !== '' || url.password !== '')
    throw new TypeError('baseUrl must not hold a user name or a password.')
  return (url.origin + url.pathname).replace(/\/+$/, '')
}

/**
 * Timers take at most 2^31 - 1 milliseconds; a larger value would end at once.
 * @internal
 */
export const WHOLE_MAX = 2_147_483_647

/** @internal */
export function requireWhole(name: string, value: number, minimum: number): number {
  if (Number.isInteger(value) && value >= minimum && value <= WHOLE_MAX) return value
  throw new TypeError(`${name} must be a whole number from ${minimum} to ${WHOLE_MAX}.`)
}

/**
 * Resolves after the time, or rejects with the signal's reason.
 * @internal
 */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason as Error)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    if (signal?.aborted === true) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })
}
