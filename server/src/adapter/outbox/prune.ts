// Removes events that the server has taken long ago, a bounded number at a time.
import type { Db } from '../../db/pool.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Job } from '../../worker/loop.ts'
import { deleteDelivered } from './queries.ts'

const DAY_MS = 86_400_000
/** Longer than any provider shows its events again. The server remembers every event, so one that came again would change nothing. */
export const KEPT_DAYS = 90
/** Rows that one statement removes: a few milliseconds. */
export const ROWS_PER_RUN_MAX = 1_000
/** What is months old need not go at once. */
export const INTERVAL_MS = 3_600_000

export function pruneEventsJob({ db, clock }: { db: Db; clock: Clock }): Job {
  const run = async () => (await deleteDelivered(db, keptSince(clock), ROWS_PER_RUN_MAX)) === ROWS_PER_RUN_MAX
  return { name: 'prune delivered events', intervalMs: INTERVAL_MS, run }
}

export function keptSince(clock: Clock): Date {
  return new Date(clock.now().getTime() - KEPT_DAYS * DAY_MS)
}
