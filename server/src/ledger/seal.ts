// The job that extends the hash chain over new entries, behind the requests. Each run looks at a bounded number of accounts
// and continues where the last one stopped.
import type { Db } from '../db/pool.ts'
import type { Clock } from '../lib/clock.ts'
import type { Job } from '../worker/loop.ts'
import { FIRST_ACCOUNT } from './audit.ts'
import { listUnsealedAfter, sealEntries } from './queries.ts'

/** Looking at an account costs one or two index look-ups. */
const ACCOUNTS_PER_RUN = 1000
/** Hashing so many takes the database about 30 ms. */
const ENTRIES_PER_SEAL = 5000
/** Well below the age at which an account is sealed again. */
const INTERVAL_MS = 1000
/**
 * An account is sealed again when its last seal is this old or so many entries wait. Otherwise a busy account would get a
 * transaction and a seal for every few entries.
 */
const SEALED_AGAIN_AFTER_MS = 10_000
const ENTRIES_NOT_TO_WAIT = 1000

export function sealJob({ db, clock }: { db: Db; clock: Clock }): Job {
  let after = FIRST_ACCOUNT
  return {
    name: 'seal',
    intervalMs: INTERVAL_MS,
    async run() {
      const accounts = await listUnsealedAfter(db, after, {
        sealedBefore: new Date(clock.now().getTime() - SEALED_AGAIN_AFTER_MS),
        entries: ENTRIES_NOT_TO_WAIT,
        limit: ACCOUNTS_PER_RUN,
      })
      for (const account of accounts) {
        if (account.unsealed) await sealEntries(db, account, clock.now(), ENTRIES_PER_SEAL)
      }
      const last = accounts.length === ACCOUNTS_PER_RUN ? accounts.at(-1) : undefined
      after = last ?? FIRST_ACCOUNT
      return last !== undefined
    },
  }
}
