// How often the jobs of a worker look for work that nobody told them of: often while there is some, and seldom after a while without
// any, so that an idle server leaves the machine and the database alone.
import type { Job } from './loop.ts'

/** While there is work, jobs find that of another process within this time. */
const BUSY_INTERVAL_MS = 50
/** After a quiet time they find the first work of another process within this time. */
const IDLE_INTERVAL_MS = 250
/** Without work for this long, a time counts as quiet. */
const BUSY_FOR_MS = 2_000

export interface Polling {
  /** The pause before a job looks again. */
  readonly intervalMs: number
  readonly isIdle: boolean
  /** There is work, and more may follow. */
  hurry(): void
}

/** All jobs share it: what one of them finds is often followed by work for another. */
export function createPolling(nowMs: () => number = () => performance.now()): Polling {
  let busyUntilMs = Number.NEGATIVE_INFINITY
  return {
    get intervalMs() {
      return this.isIdle ? IDLE_INTERVAL_MS : BUSY_INTERVAL_MS
    },
    get isIdle() {
      return nowMs() >= busyUntilMs
    },
    hurry() {
      busyUntilMs = nowMs() + BUSY_FOR_MS
    },
  }
}

export function pollingJob(name: string, polling: Polling, run: Job['run'], restMs?: number): Job {
  return {
    name,
    ...(restMs === undefined ? {} : { restMs }),
    get intervalMs() {
      return polling.intervalMs
    },
    run,
  }
}
