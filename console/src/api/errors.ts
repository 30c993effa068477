// Errors of the API as people read them: the message says what happened and what to do, the id finds it in the logs.
import { AuthenticationError, CardstockError, NotFoundError, UnreachableError } from '@cardstock/sdk'

export interface ShownError {
  readonly message: string
  readonly code: string | undefined
  readonly requestId: string | undefined
  readonly isNotFound: boolean
}

const NO_ANSWER = 'The server did not answer.'
const NOT_OURS =
  'The answer did not come from this server. Something in the network, such as a proxy, may have sent it.'
const DEFECT = 'Something went wrong on this page. Reload it. If it happens again, tell the operator.'
/** How a sentence begins that says what to do next. */
const ADVICE = 'Try again'

/** An error of the browser or of the page, with a message that people can read. `param` names the field of the form that it is about. */
export class SaidError extends Error {
  readonly param: string | undefined

  constructor(message: string, param?: string) {
    super(message)
    this.param = param
  }
}

export function describeError(error: unknown): ShownError {
  const unknown = describeUnknown(error)
  const reason = describeReason(error)
  const message = unknown === undefined ? reason : `${reason} ${unknown}`
  if (!(error instanceof CardstockError)) return { message, code: undefined, requestId: undefined, isNotFound: false }
  return { message, code: error.code, requestId: error.requestId, isNotFound: error instanceof NotFoundError }
}

/** Returns what happened, and what to do about it. */
export function describeReason(error: unknown): string {
  if (error instanceof SaidError) return error.message
  if (!(error instanceof CardstockError)) return DEFECT
  const isOpen = error.isOutcomeUnknown === true
  if (error instanceof UnreachableError)
    return isOpen ? NO_ANSWER : `${NO_ANSWER} Check your connection, then try again.`
  const reason = error.code === 'unexpected_answer' ? NOT_OURS : (error.reason ?? error.message)
  const rest = withoutAdviceForPrograms(reason)
  return isOpen || rest === reason ? rest : `${rest} Try again shortly.`
}

/** Leaves out the end of a message that tells programmers to try again with the same key. */
function withoutAdviceForPrograms(reason: string): string {
  const at = reason.indexOf(ADVICE)
  const isForPrograms = at !== -1 && reason.slice(at).split('.')[0]?.includes('Idempotency-Key')
  return isForPrograms === true ? reason.slice(0, at).trimEnd() : reason
}

/** Returns what is said of a change that may have been carried out, although it failed; undefined if it was not. The forms keep their idempotency keys. */
export function describeUnknown(error: unknown): string | undefined {
  if (!(error instanceof CardstockError) || error.isOutcomeUnknown !== true) return undefined
  const earlier = error.isAfterLostTry === true ? 'An earlier try ended without a clear answer. ' : ''
  const next =
    error.idempotencyKey === undefined
      ? 'Check whether it was before you try again.'
      : 'Send it again without changes to find out: it is carried out at most once.'
  return `${earlier}It is not known whether the request was carried out. ${next}`
}

/** Returns the error of a call that does no harm if it is made twice, such as signing in: nothing needs to be said of its outcome. */
export function asHarmless(error: unknown): unknown {
  return error instanceof CardstockError ? Object.assign(error, { isOutcomeUnknown: undefined }) : error
}

export function codeOf(error: unknown): string | undefined {
  return error instanceof CardstockError ? error.code : undefined
}

/** Returns a detail of the error that is a string, such as `total` of `quote_changed`. */
export function detailOf(error: unknown, name: string): string | undefined {
  const value = error instanceof CardstockError ? error.details?.[name] : undefined
  return typeof value === 'string' ? value : undefined
}

/** Returns a detail of the error that is a list of strings, such as `methods` of `second_factor_required`. */
export function listOf(error: unknown, name: string): readonly string[] {
  const value = error instanceof CardstockError ? error.details?.[name] : undefined
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
}

/** Returns what was refused by field, such as the details of a holder that the issuer does not accept. */
export function refusalsOf(error: unknown): ReadonlyMap<string, string> {
  const value = error instanceof CardstockError ? error.details?.['refusals'] : undefined
  const refusals = new Map<string, string>()
  for (const each of Array.isArray(value) ? (value as unknown[]) : []) {
    const { field, message } = (each ?? {}) as { field?: unknown; message?: unknown }
    if (typeof field === 'string' && typeof message === 'string') refusals.set(field, message)
  }
  return refusals
}

/** Reports whether the server refused because nobody is signed in, or the session has ended. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof AuthenticationError && SIGNED_OUT.has(error.code ?? '')
}

/** If a request has neither a cookie nor a key, the server answers with the code of a missing key or token. */
const SIGNED_OUT: ReadonlySet<string> = new Set([
  'invalid_session',
  'missing_api_key',
  'malformed_api_key',
  'invalid_api_key',
  'invalid_operator_token',
])

/** Reports whether the server did not carry out a change because the person must show the second factor again. */
export function needsSecondFactor(error: unknown): boolean {
  return codeOf(error) === 'step_up_required'
}

/** Reports whether a change may have been carried out, although it failed. */
export function isOutcomeUnknown(error: unknown): boolean {
  return error instanceof CardstockError && error.isOutcomeUnknown === true
}

/** Reports whether the same request may succeed later. */
export function isPassing(error: unknown): boolean {
  return error instanceof UnreachableError || (error instanceof CardstockError && (error.statusCode ?? 0) >= 500)
}
