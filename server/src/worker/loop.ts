// Runs a job again and again: at once while there is more to do, when woken, and at an interval in any case.
// Waking is a courtesy; the interval is what can be relied on.
import type { Log } from '../lib/log.ts'

export interface Job {
  readonly name: string
  readonly intervalMs: number
  /** One bounded piece of work; true when there is more. */
  run(): Promise<boolean>
}

export interface Loop {
  wake(): void
  /** Resolves when the piece of work under way is done; none begins after it. */
  stop(): Promise<void>
}

/** After a failure, so that a broken database is not asked a thousand times a second. */
const FAILURE_PAUSE_MS = 500

export function startLoop(job: Job, log: Log): Loop {
  const state = { stopped: false, woken: false }
  let rouse: (() => void) | undefined

  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      rouse = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  const runUntilStopped = async () => {
    while (!state.stopped) {
      state.woken = false
      try {
        if (await job.run()) continue
      } catch (error) {
        log.error({ error, job: job.name }, 'a job failed and will be tried again')
        await pause(FAILURE_PAUSE_MS)
        continue
      }
      // Woken while it ran: there may be work that this run did not see.
      if (!state.woken && !state.stopped) await pause(job.intervalMs)
    }
  }
  const finished = runUntilStopped()
  return {
    wake() {
      state.woken = true
      rouse?.()
    },
    async stop() {
      state.stopped = true
      rouse?.()
      await finished
    },
  }
}
