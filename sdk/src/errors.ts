// The errors that a call can throw, and how an answer becomes one. Messages are for people; programs decide by class or
// by `code`.
// An error never carries the key, the token or the body that was sent.

import type { ErrorCode } from './generated/error-code.ts'

export interface ErrorFields {
  /** The HTTP status; undefined when there was no answer. */
  readonly statusCode?: number | undefined
  /** A stable code, such as `insufficient_funds`. */
  readonly code: ErrorCode | (string & {})
  /** The id of the request in the server's log. */
  readonly requestId?: string | undefined
  /** The field, parameter or header that is wrong. */
  readonly param?: string | undefined
  /** What the code says more about, such as the amounts of `insufficient_funds`. */
  readonly details?: Readonly<Record<string, unknown>> | undefined
  /** The page that explains the code. */
  readonly docUrl?: string | undefined
  /** How long the server asks to wait before the next try; undefined if it does not say. */
  readonly retryAfterMs?: number | undefined
  /** The idempotency key that the request carried. Sending the same request again with it is safe. */
  readonly idempotencyKey?: string | undefined
  /** True if an earlier try of this call ended without an answer or with a 5xx: it may have been carried out, although the last one was refused. */
  readonly isAfterLostTry?: boolean | undefined
  /** True if it is not known whether the call was carried out: it changes something, and a try of it got no clear answer. */
  readonly isOutcomeUnknown?: boolean | undefined
  /** What happened, without the advice for programmers that `message` may end with. */
  readonly reason?: string | undefined
}

export class CardstockError extends Error implements ErrorFields {
  /** The name of the class. */
  override name = 'CardstockError'
  /** The HTTP status; undefined when there was no answer. */
  readonly statusCode: number | undefined
  /** A stable code, such as `insufficient_funds`. */
  readonly code!: ErrorFields['code']
  /** The id of the request in the server's log. */
  readonly requestId: string | undefined
  /** The field, parameter or header that is wrong. */
  readonly param: string | undefined
  /** What the code says more about, such as the amounts of `insufficient_funds`. */
  readonly details: ErrorFields['details']
  /** The page that explains the code. */
  readonly docUrl: string | undefined
  /** How long the server asks to wait before the next try; undefined if it does not say. */
  readonly retryAfterMs: number | undefined
  /** The idempotency key that the request carried. Sending the same request again with it is safe. */
  readonly idempotencyKey: string | undefined
  /** True if an earlier try of this call ended without an answer or with a 5xx: it may have been carried out, although the last one was refused. */
  readonly isAfterLostTry: boolean | undefined
  /** True if it is not known whether the call was carried out: it changes something, and a try of it got no clear answer. */
  readonly isOutcomeUnknown: boolean | undefined
  /** What happened, without the advice for programmers that `message` may end with. */
  readonly reason: string | undefined

  // ES2020 has no type for the options of an error.
  constructor(
    message: string,
    fields: ErrorFields,
    options?: {
      /** What was thrown first. */
      readonly cause?: unknown
    },
  ) {
    super(message, options)
    Object.assign(this, fields)
  }
}

/** Any 4xx: the server refused the request and changed nothing. If `isAfterLostTry`, an earlier try may have been carried out. */
export class RefusedError extends CardstockError {
  override name = 'RefusedError'
}

/** 400: the request breaks a rule; `code` says which one. */
export class BadRequestError extends RefusedError {
  override name = 'BadRequestError'
}

/** 401: the key is missing, wrong, revoked or expired. */
export class AuthenticationError extends RefusedError {
  override name = 'AuthenticationError'
}

/** 403: the key is valid but may not do this. */
export class PermissionError extends RefusedError {
  override name = 'PermissionError'
}

/** 404: there is no such object in this company and environment. */
export class NotFoundError extends RefusedError {
  override name = 'NotFoundError'
}

/** 409: the request conflicts with the state of the object. It is never sent again automatically. */
export class ConflictError extends RefusedError {
  override name = 'ConflictError'
}

/** 413: the request body is too large. */
export class PayloadTooLargeError extends RefusedError {
  override name = 'PayloadTooLargeError'
}

/** 429: too many requests, also after the automatic retries. */
export class RateLimitError extends RefusedError {
  override name = 'RateLimitError'
}

/** 5xx, or an answer that is not from a Cardstock server. It is not known whether anything was changed. */
export class ServerError extends CardstockError {
  override name = 'ServerError'
}

/** 503: the server cannot work at the moment. */
export class UnavailableError extends ServerError {
  override name = 'UnavailableError'
}

/** There was no answer: `code` is `unreachable` or `timeout`. It is not known whether anything was changed. */
export class UnreachableError extends CardstockError {
  override name = 'UnreachableError'
}

/** The caller's signal ended the call. It is not known whether anything was changed. */
export class AbortedError extends CardstockError {
  override name = 'AbortedError'
}

/** `waitFor` reached its time limit. The operation goes on. */
export class WaitTimeoutError extends CardstockError {
  override name = 'WaitTimeoutError'
}

const BY_STATUS: Readonly<Record<number, typeof CardstockError>> = {
  400: BadRequestError,
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  413: PayloadTooLargeError,
  429: RateLimitError,
  503: UnavailableError,
}

function errorForStatus(status: number): typeof CardstockError {
  return BY_STATUS[status] ?? (status >= 400 && status < 500 ? RefusedError : ServerError)
}

/** @internal */
export interface Request {
  readonly method: string
  readonly baseUrl: string
  readonly idempotencyKey: string | undefined
  readonly isAfterLostTry?: boolean
}

/**
 * Returns the parsed body of a 2xx answer, undefined for 204; throws the error of any other. An answer that is cut short
 * throws something that is not a CardstockError, as a connection that breaks does.
 * @internal
 */
export async function readJson(response: Response, request: Request): Promise<unknown> {
  const text = await response.text()
  const body = text === '' ? undefined : parseJson(text)
  if (response.ok && (response.status === 204 || body !== undefined)) return body
  // Without a Content-Length and chunks, as some proxies answer, only the text shows that its end is missing.
  if (response.ok && /^(?:[[{]|$)/.test(text)) throw new Error('the answer ends too early')
  throw toError(response, body, request)
}

/** JSON cannot express undefined, so undefined means that the text is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function toError(response: Response, body: unknown, request: Request): CardstockError {
  const { status, headers } = response
  const refusal = status >= 400 && isRefusal(body) ? body : undefined
  const message =
    refusal?.message ??
    `The answer of ${request.baseUrl} (status ${status}) is not from a Cardstock server. Check baseUrl.`
  const isLost = refusal === undefined || status >= 500
  const isAfterLostTry = !isLost && request.method !== 'GET' && request.isAfterLostTry === true
  const earlier = isAfterLostTry ? ' An earlier try of this call ended without a clear answer.' : ''
  const isOutcomeUnknown = isAfterLostTry || (isLost && request.method !== 'GET')
  const next = isOutcomeUnknown ? advice(request) : ''
  return new (errorForStatus(status))(`${message}${earlier}${next}`, {
    statusCode: status,
    code: refusal?.code ?? 'unexpected_answer',
    requestId: refusal?.requestId ?? headers.get('x-request-id') ?? undefined,
    param: refusal?.param,
    details: refusal?.details,
    docUrl: refusal?.docUrl,
    retryAfterMs: parseRetryAfter(headers.get('retry-after'), Date.now()),
    idempotencyKey: request.idempotencyKey,
    reason: message,
    ...(isAfterLostTry ? { isAfterLostTry } : {}),
    ...(isOutcomeUnknown ? { isOutcomeUnknown } : {}),
  })
}

/**
 * Returns milliseconds. The header has seconds or a date.
 * @internal
 */
export function parseRetryAfter(text: string | null, now: number): number | undefined {
  if (text === null) return undefined
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000
  const date = Date.parse(text)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

interface Refusal {
  code: string
  message: string
  requestId?: string
  param?: string
  details?: Record<string, unknown>
  docUrl?: string
}

function isRefusal(body: unknown): body is Refusal {
  if (typeof body !== 'object' || body === null || !('code' in body) || !('message' in body)) return false
  return typeof body.code === 'string' && typeof body.message === 'string'
}

/** @internal */
export function unexpectedType(type: string, wanted: string): ServerError {
  return new ServerError(`The answer is ${type} and not ${wanted}. Check baseUrl.`, { code: 'unexpected_answer' })
}

/** @internal */
export interface Loss {
  readonly error: unknown
  /** The caller's own signal. */
  readonly signal: AbortSignal | undefined
  /** How long the last try was allowed to take. */
  readonly limitMs: number
  readonly tries: number
  /** Whether any try may have reached the server. */
  readonly isSent: boolean
  /** Whether the last try got the beginning of an answer. */
  readonly isAnswered: boolean
}

/**
 * Returns the error for a request without a complete answer.
 * @internal
 */
export function toNoAnswer(request: Request, loss: Loss): UnreachableError | AbortedError {
  const { error, signal, isSent } = loss
  const { idempotencyKey } = request
  const isAborted = signal?.aborted === true
  const isOutcomeUnknown = request.method !== 'GET' && (isAborted || isSent)
  const reason = isAborted ? 'The call was aborted.' : describeLoss(request, loss)
  const fields = { idempotencyKey, reason, ...(isOutcomeUnknown ? { isOutcomeUnknown } : {}) }
  const next = isAborted || isSent ? advice(request) : ' Nothing was sent.'
  const code = isAborted ? 'aborted' : isTimeout(error) ? 'timeout' : 'unreachable'
  const Class = isAborted ? AbortedError : UnreachableError
  return new Class(`${reason}${next}`, { code, ...fields }, { cause: error })
}

function describeLoss({ baseUrl }: Request, { error, limitMs, tries, isAnswered }: Loss): string {
  const count = tries === 1 ? '' : `, in the last of ${tries} tries`
  if (isTimeout(error)) return `No ${isAnswered ? 'complete ' : ''}answer from ${baseUrl} within ${limitMs} ms${count}.`
  if (isAnswered) return `The answer from ${baseUrl} was cut short (${reasonOf(error)})${count}.`
  return `Could not reach ${baseUrl} (${reasonOf(error)}).`
}

const isTimeout = (error: unknown) => error instanceof Error && error.name === 'TimeoutError'

/** What to do when it is not known whether a change was made. */
function advice({ method, idempotencyKey }: Request): string {
  if (method === 'GET') return ''
  const unknown = ' It is not known whether the request was carried out.'
  if (idempotencyKey === undefined) return `${unknown} Read the object before you repeat the call.`
  return `${unknown} Send it again with idempotencyKey ${JSON.stringify(idempotencyKey)}: it is carried out at most once.`
}

/**
 * Whether there was no connection, so that the server cannot have received anything.
 * @internal
 */
export function isUnsent(error: unknown): boolean {
  return /^(ECONNREFUSED|ENOTFOUND)$/.test(reasonOf(error))
}

/** fetch says only "fetch failed"; the reason is in the cause, as a code such as ECONNREFUSED. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (!(cause instanceof Error)) return 'unknown reason'
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message
}
