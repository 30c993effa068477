// Counts the operations of one issuer that were claimed and whose outcome is not stored yet, and logs what could not be stored.
import type { Log } from '../lib/log.ts'
import { createFailureLog } from '../worker/failure-log.ts'
import type { Polling } from '../worker/polling.ts'

interface UnsettledOptions {
  /** Everything that the worker has under way. */
  underWay: Set<Promise<void>>
  polling: Polling
  log: Log
  onSettled(): void
}

export function createUnsettled({ underWay, polling, log, onSettled }: UnsettledOptions) {
  const logFailure = createFailureLog(log, 'An operation could not be settled and will be looked up later.')
  let count = 0
  return {
    get count() {
      return count
    },
    add(id: string, work: Promise<void>) {
      polling.hurry()
      count += 1
      const guarded = work
        .catch((error: unknown) => logFailure(error, { operationId: id }))
        .finally(() => {
          count -= 1
          underWay.delete(guarded)
          onSettled()
        })
      underWay.add(guarded)
    },
  }
}
