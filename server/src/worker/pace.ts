// Lets the jobs of a worker on a distributed database rest until there is work. A statement without a company asks every node, so
// one job asks once a second for all the others, and wakes those that have something to do.
import type { Db } from '../db/pool.ts'
import type { Clock } from '../lib/clock.ts'
import { listDueKinds } from './queries.ts'
import type { Job } from './loop.ts'

/** How late work is found that another process left. */
const ASK_INTERVAL_MS = 1_000
/** Jobs still run by themselves at this interval: asking only saves statements. All of them together send less than one a second. */
const REST_MS = 30_000

/** Returns the job with an interval for a database whose nodes are many. */
export function slowDown(job: Job): Job {
  return { ...job, intervalMs: Math.max(job.intervalMs, REST_MS) }
}

export function askForWork({ db, clock }: { db: Db; clock: Clock }, wake: (name: string) => void): Job {
  return {
    name: 'due work',
    intervalMs: ASK_INTERVAL_MS,
    async run() {
      for (const kind of await listDueKinds(db, clock.now())) wake(kind)
      return false
    },
  }
}
