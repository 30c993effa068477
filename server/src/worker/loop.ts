// Runs a job again and again: at once while there is more to do, when woken, and at an interval in any case.
// Waking only saves time: the interval alone guarantees that the job runs.
import { isUnavailable } from '../db/unavailable.ts'
import { withDeadline } from '../lib/deadline.ts'
import type { Log } from '../lib/log.ts'

export interface Job {
  readonly name: string
  readonly intervalMs: number
  /**
   * A job that found no more to do begins again no sooner than this after it began, however often it is woken, and rests for as long as it
   * ran. So under load it takes at most half of the time of what it uses, and finds more to do at once.
   */
  readonly restMs?: number
  /** A stop leaves a run that takes longer than this. For a job that waits for another system, and whose claims run out by themselves. */
  readonly stopWithinMs?: number
  /** Does one bounded piece of work; returns true when there is more. */
  run(): Promise<boolean>
}

export interface Loop {
  wake(): void
  /** Resolves when the piece of work under way is done or left; none begins after it. */
  stop(): Promise<void>
}

/** Doubled with every failure in a row, so that a broken database is not asked a thousand times a second. */
const FAILURE_PAUSE_MS = 500
const FAILURE_PAUSE_MS_MAX = 8_000
/** A run that waited for a lock used little, so it needs no longer rest. */
const REST_AS_RUN_MS_MAX = 100
/** How often a loop asks whether it may go on. It asks this process, not the database. */
const CLOSED_PAUSE_MS = 250

/** While `mayRun` returns false, no piece of work begins. Whoever closes it logs why. */
export function startLoop(job: Job, log: Log, mayRun: () => boolean = () => true): Loop {
  const state = { stopped: false, woken: false, failures: 0 }
  const { pause, rouse, end } = createPause()
  const runOnce = async () => {
    try {
      const isMore = await job.run()
      state.failures = 0
      return isMore
    } catch (error) {
      state.failures += 1
      logFailure(error)
      return false
    }
  }
  const logFailure = (error: unknown) => {
    if (!isUnavailable(error)) return log.error({ error, job: job.name }, 'A job failed and will be tried again.')
    const about = { job: job.name, reason: (error as Error).message }
    const level = state.failures === 1 && mayRun() ? 'warn' : 'debug'
    return log[level](about, 'A job could not use the database and will be tried again.')
  }
  const rest = async (startedMs: number, endedMs: number) => {
    if (job.restMs === undefined) return
    const restedMs = endedMs + Math.min(endedMs - startedMs, REST_AS_RUN_MS_MAX)
    const leftMs = Math.max(startedMs + job.restMs, restedMs) - performance.now()
    if (leftMs > 0 && !state.stopped) await pause(leftMs, false)
  }
  const runUntilStopped = async () => {
    while (!state.stopped) {
      if (!mayRun()) {
        state.failures = 0
        await pause(CLOSED_PAUSE_MS)
        continue
      }
      state.woken = false
      const startedMs = performance.now()
      if (await runOnce()) continue
      const endedMs = performance.now()
      if (state.stopped) break
      if (state.failures > 0) await pause(Math.min(FAILURE_PAUSE_MS * 2 ** (state.failures - 1), FAILURE_PAUSE_MS_MAX))
      // Woken while it ran: there may be work that this run did not see.
      else if (!state.woken) await pause(job.intervalMs)
      await rest(startedMs, endedMs)
    }
  }
  const finished = runUntilStopped()
  return {
    wake() {
      state.woken = true
      // A job that fails is not tried more often because there is more to do.
      if (state.failures === 0) rouse()
    },
    async stop() {
      state.stopped = true
      end()
      await atMost(finished, job.stopWithinMs)
    },
  }
}

/** The work never fails, so only the time can be over. */
async function atMost(work: Promise<void>, ms: number | undefined): Promise<void> {
  await (ms === undefined ? work : withDeadline(work, ms).catch(() => undefined))
}

/** Returns a pause that `end` ends, and `rouse` too unless it cannot be woken. */
function createPause() {
  let canBeWoken = true
  let end = () => {}
  return {
    pause: (ms: number, isLight = true) =>
      new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms)
        canBeWoken = isLight
        end = () => {
          clearTimeout(timer)
          resolve()
        }
      }),
    rouse: () => (canBeWoken ? end() : undefined),
    end: () => end(),
  }
}
