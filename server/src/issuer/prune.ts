// Removes what was exchanged with the issuer about operations and card changes that ended long ago, company by company and a
// bounded number at a time. It must not remove what a review is decided on: whatever is open stays, however old.
import type { Db } from '../db/pool.ts'
import type { Clock } from '../lib/clock.ts'
import { ZERO_ID } from '../lib/ids.ts'
import type { Scope } from '../lib/scope.ts'
import type { Job } from '../worker/loop.ts'
import { findNextAccount, pruneExchanges } from './queries.ts'

const DAY_MS = 86_400_000
/** It begins again with the first company every hour, because it then looks again at what had to stay. */
const INTERVAL_MS = 3_600_000
const BEFORE_ALL: Scope = { companyId: ZERO_ID, environment: 'sandbox' }

/** Exchanges are removed this many days after their operation or card change ended. */
export function pruneExchangesJob({ db, clock }: { db: Db; clock: Clock }, keptDays: number): Job {
  let scope: Scope | undefined
  let after = ZERO_ID
  return {
    name: 'prune exchanges',
    intervalMs: INTERVAL_MS,
    async run() {
      scope ??= await findNextAccount(db, BEFORE_ALL)
      if (scope === undefined) return false
      const before = new Date(clock.now().getTime() - keptDays * DAY_MS)
      const last = (await pruneExchanges(db, scope, { after, before }))?.last ?? null
      after = last ?? ZERO_ID
      if (last === null) scope = await findNextAccount(db, scope)
      return scope !== undefined
    },
  }
}
