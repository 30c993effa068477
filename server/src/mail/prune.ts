// Removes mails 30 days after they were queued, and what people were told after 90, a bounded number at a time.
import type { Db } from '../db/pool.ts'
import type { Clock } from '../lib/clock.ts'
import type { Job } from '../worker/loop.ts'
import { pruneMails, pruneNotices } from './queries.ts'

const DAY_MS = 86_400_000
/** Long enough to look into what happened. Every attempt has ended by then. */
const MAILS_KEPT_MS = 30 * DAY_MS
/** Longer than anything is looked at that could be told, so that it is not told again. */
const NOTICES_KEPT_MS = 90 * DAY_MS
/** Nobody waits for it. */
const INTERVAL_MS = 60_000
const BATCH = 1_000

/** Also runs without a mail server, because one may have been removed from the settings. */
export function pruneMailsJob({ db, clock }: { db: Db; clock: Clock }): Job {
  return {
    name: 'prune mails',
    intervalMs: INTERVAL_MS,
    run: async () => {
      const before = (ms: number) => new Date(clock.now().getTime() - ms)
      const mails = await pruneMails(db, before(MAILS_KEPT_MS), BATCH)
      const notices = await pruneNotices(db, before(NOTICES_KEPT_MS), BATCH)
      return mails === BATCH || notices === BATCH
    },
  }
}
