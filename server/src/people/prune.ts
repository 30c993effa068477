// Removes sessions and links that ended more than 30 days ago, and used challenges that have expired, a bounded number at a time.
import type { Db } from '../db/pool.ts'
import type { Clock } from '../lib/clock.ts'
import type { Job } from '../worker/loop.ts'
import { pruneLinks } from './links/queries.ts'
import { pruneChallenges } from './passkeys/queries.ts'
import { pruneSessions } from './sessions/queries.ts'

/** Long enough to look into what happened. The audit log keeps who signed in when for ever. */
const KEPT_MS = 30 * 86_400_000
/** Nobody waits for it. */
const INTERVAL_MS = 60_000
const BATCH = 1_000

export function prunePeopleJob({ db, clock }: { db: Db; clock: Clock }): Job {
  return {
    name: 'prune sessions and links',
    intervalMs: INTERVAL_MS,
    run: async () => {
      const now = clock.now()
      const before = new Date(now.getTime() - KEPT_MS)
      const sessions = await pruneSessions(db, before, BATCH)
      const links = await pruneLinks(db, before, BATCH)
      const challenges = await pruneChallenges(db, now, BATCH)
      return [sessions, links, challenges].includes(BATCH)
    },
  }
}
