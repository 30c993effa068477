// Logs the first failure of a task that is repeated several times a second, and then nothing until it has succeeded again.
// Otherwise an outage of the database would fill the log.
import type { Log } from '../lib/log.ts'
import { isUnavailable } from './unavailable.ts'

export interface FailureLog {
  /** Runs the task once, and returns whether it succeeded. A failure is logged, not thrown. */
  run(task: () => Promise<unknown>): Promise<boolean>
}

/** `message` says what failed and what follows from it. */
export function createFailureLog(log: Log, message: string): FailureLog {
  let logged: string | undefined
  const logFailure = (error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error)
    const isOutage = isUnavailable(error)
    // During an outage the reasons change: the connection breaks, then others are refused.
    const failure = isOutage ? 'outage' : reason
    if (failure === logged) return
    logged = failure
    // Only a defect needs its stack.
    log.warn(isOutage ? { reason } : { error }, message)
  }
  return {
    async run(task) {
      try {
        await task()
        logged = undefined
        return true
      } catch (error) {
        logFailure(error)
        return false
      }
    },
  }
}
