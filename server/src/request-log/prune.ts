// Removes records of the request log that are older than seven days, a bounded number at a time.
import type { Db } from '../db/pool.ts'
import type { Clock } from '../lib/clock.ts'
import type { Job } from '../worker/loop.ts'
import { pruneRequestLogs } from './queries.ts'

export const KEPT_MS = 7 * 86_400_000
const INTERVAL_MS = 60_000
const BATCH = 1_000

export function pruneRequestLogJob({ db, clock }: { db: Db; clock: Clock }): Job {
  return {
    name: 'prune request log',
    intervalMs: INTERVAL_MS,
    run: async () => (await pruneRequestLogs(db, oldestKept(clock.now()), BATCH)) === BATCH,
  }
}

/** Returns the oldest time that is shown. Older records are hidden, even if they have not been removed yet. */
export function oldestKept(now: Date): Date {
  return new Date(now.getTime() - KEPT_MS)
}
