// Logs that pieces of work fail, without a flood: hundreds are under way, and a database that is away fails all of them at once.
import { isUnavailable } from '../db/unavailable.ts'
import type { Log } from '../lib/log.ts'

/** Often enough to see that it goes on, and what fails. */
const LINE_EVERY_MS = 1_000

/** Logs a failure, or only at the level `debug` if another one was logged within the last second. */
export type FailureLog = (error: unknown, about?: Record<string, unknown>) => void

export function createFailureLog(log: Log, message: string, nowMs: () => number = () => performance.now()): FailureLog {
  let quietUntilMs = Number.NEGATIVE_INFINITY
  return (error, about = {}) => {
    const level = nowMs() < quietUntilMs ? 'debug' : 'error'
    if (level === 'error') quietUntilMs = nowMs() + LINE_EVERY_MS
    // A stack trace says nothing about a database that is away.
    const why = isUnavailable(error) ? { reason: (error as Error).message } : { error }
    log[level]({ ...about, ...why }, message)
  }
}
