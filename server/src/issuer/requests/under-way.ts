// Counts the requests of one issuer that were claimed and whose outcome is not stored yet, and logs what could not be stored.
import type { FailureLog } from '../../worker/failure-log.ts'
import type { Polling } from '../../worker/polling.ts'

interface UnderWayOptions {
  /** Everything that the worker has under way. */
  all: Set<Promise<unknown>>
  polling: Polling
  logFailure: FailureLog
  onSettled(): void
}

export function createUnderWay({ all, polling, logFailure, onSettled }: UnderWayOptions) {
  let count = 0
  return {
    get count() {
      return count
    },
    add(about: Record<string, unknown>, work: Promise<unknown>) {
      polling.hurry()
      count += 1
      const guarded = work
        .catch((error: unknown) => logFailure(error, about))
        .finally(() => {
          count -= 1
          all.delete(guarded)
          onSettled()
        })
      all.add(guarded)
    },
  }
}
