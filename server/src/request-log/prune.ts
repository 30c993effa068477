// Removes records of the request log that are older than seven days, or more than may be kept, a bounded number at a time.
import type { Db } from '../db/pool.ts'
import type { Clock } from '../lib/clock.ts'
import type { Job } from '../worker/loop.ts'
import { must } from '../lib/invariant.ts'
import { countRequestLogs, pruneRequestLogs, removeOldestRequestLogs } from './queries.ts'

/** A week, in which a mistake of last Friday can still be found. */
export const KEPT_MS = 7 * 86_400_000
/** Records may stay this much longer. */
const INTERVAL_MS = 60_000
const BATCH = 1_000

/** Without `recordsMax`, a process that records all it may (750 a second) would fill 290 GB in seven days. */
export function pruneRequestLogJob({ db, clock }: { db: Db; clock: Clock }, recordsMax: number): Job {
  const removeExcess = async () => {
    const { count } = must(await countRequestLogs(db))
    const excess = Math.min(BATCH, Number(count) - recordsMax)
    return excess > 0 && (await removeOldestRequestLogs(db, excess)) === BATCH
  }
  return {
    name: 'prune request log',
    intervalMs: INTERVAL_MS,
    run: async () => (await pruneRequestLogs(db, oldestKept(clock.now()), BATCH)) === BATCH || (await removeExcess()),
  }
}

/** Returns the oldest time that is shown. Older records are hidden, even if they have not been removed yet. */
export function oldestKept(now: Date): Date {
  return new Date(now.getTime() - KEPT_MS)
}
