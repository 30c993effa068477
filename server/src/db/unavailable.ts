// Tells errors that mean "the database cannot do this now" from defects of ours. The HTTP layer answers them with 503,
// jobs wait, and the intake asks again.

/** Thrown without asking the database while it is known not to answer. */
export class DatabaseUnreachableError extends Error {
  override name = 'DatabaseUnreachableError'
  constructor() {
    super('the database does not answer')
  }
}

/** Errors of statements that never got a connection. Marked rather than wrapped, so that their codes stay readable. */
const notSent = new WeakSet<Error>()

/** Marks the error of a statement that was not sent. Only a pool knows that. */
export function markNotSent(error: Error): Error {
  notSent.add(error)
  return error
}

/**
 * Reports whether the statement certainly did not reach the database: it got no connection, or the database was known not
 * to answer. After any other failure the statement may have been carried out.
 */
export function wasNotSent(error: unknown): boolean {
  return error instanceof DatabaseUnreachableError || (error instanceof Error && notSent.has(error))
}

/**
 * SQLSTATE classes and codes that pass without a change of ours:
 * 08 connection failures, 53 no resources (disk full, out of memory, too many connections), 57 operator intervention
 * (shutdown, cannot connect now, a statement cancelled by its time limit), 58 system errors such as a failing disk,
 * 25006 a read-only database (a replica after a failover), 40 serialization failures and deadlocks, 55P03 a lock that was
 * not granted in time.
 */
const PASSING_STATES = /^(08|53|57|58|40)[0-9A-Z]{3}$|^25006$|^55P03$/

const NETWORK_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ENOENT',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'EAI_AGAIN',
  'ENOTFOUND',
  'EMFILE',
  'ENFILE',
])

/** Reports whether a statement waited for a lock for as long as lock_timeout allows. */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '55P03'
}

/** The driver gives these no code. */
const DRIVER_MESSAGES = new RegExp(
  [
    'Connection terminated',
    'timeout exceeded when trying to connect',
    'timeout expired',
    'Query read timeout',
    'Client has encountered a connection error',
    'Client was closed',
    'Cannot use a pool after calling end',
  ].join('|'),
)

/**
 * Reports whether the database could not be asked, did not answer in time, or cannot carry out statements now.
 * After a lost connection the statement may or may not have been carried out.
 */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof DatabaseUnreachableError) return true
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return PASSING_STATES.test(code) || NETWORK_CODES.has(code) || DRIVER_MESSAGES.test(error.message)
}
