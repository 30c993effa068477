// The job that extends the hash chain over new entries, behind the requests. Each run looks at a bounded number of accounts
// and continues where the last one stopped.
import type { Db } from '../db/pool.ts'
import { isUnavailable } from '../db/unavailable.ts'
import type { Clock } from '../lib/clock.ts'
import type { Grouping } from '../lib/grouping.ts'
import { restAfter } from '../lib/rest.ts'
import type { Job } from '../worker/loop.ts'
import { FIRST_ACCOUNT } from './audit.ts'
import { type AccountKey, listUnsealedAfter, sealAccounts, sealEntries, type Unsealed } from './queries.ts'

/** Looking at an account costs one or two index look-ups. */
const ACCOUNTS_PER_RUN = 1000
/** After a full page of accounts the job rests this many times as long as it looked, so that looking uses a quarter of a core at most. */
const RESTS_PER_LOOK = 3
/** Hashing so many takes the database about 30 ms. */
const ENTRIES_PER_SEAL = 5000
/**
 * About how many entries of several accounts are hashed in one transaction. Many accounts are due at the same time, and whoever waits for an
 * answer meanwhile should find the database free between two batches.
 */
const ENTRIES_PER_BATCH = 1000
/** A run ends after about so many entries, and the next one goes on from there: whoever stops the server waits for the run under way. */
const ENTRIES_PER_RUN = 20_000
/** Well below the age at which an account is sealed again. */
const INTERVAL_MS = 1000
/**
 * An account is sealed again when its last seal is this old or so many entries wait. Otherwise a busy account would get a
 * transaction and a seal for every few entries.
 */
const SEALED_AGAIN_AFTER_MS = 10_000
const ENTRIES_NOT_TO_WAIT = 1000

interface SealDeps {
  readonly db: Db
  readonly clock: Clock
  readonly grouping: Grouping
  /** Rests after a part of the work, as `restAfter` does. A simulation has no time of its own for it. */
  readonly rest?: typeof restAfter
}

export function sealJob(deps: SealDeps): Job {
  const { db, clock, rest = restAfter } = deps
  let after = FIRST_ACCOUNT
  return {
    name: 'seal',
    intervalMs: INTERVAL_MS,
    async run() {
      const lookedMs = performance.now()
      const listed = await listUnsealedAfter(db, after, {
        sealedBefore: new Date(clock.now().getTime() - SEALED_AGAIN_AFTER_MS),
        entries: ENTRIES_NOT_TO_WAIT,
        limit: ACCOUNTS_PER_RUN,
      })
      const isPageEnd = listed.at(-1)?.ends_page === true
      if (isPageEnd) await rest(lookedMs, RESTS_PER_LOOK)
      const accounts = accountsOfRun(listed)
      const failures: unknown[] = []
      for (const batch of batchesOf(accounts, deps.grouping)) {
        const startedMs = performance.now()
        failures.push(...(await seal(deps, batch)))
        if (deps.grouping === 'all') await rest(startedMs)
      }
      const isMore = accounts.length < listed.length || isPageEnd
      const last = isMore ? accounts.at(-1) : undefined
      after = last ?? FIRST_ACCOUNT
      if (failures.length > 0) throw failures[0]
      return last !== undefined
    },
  }
}

/** Returns the first accounts, as many as one run seals, and at least one. */
function accountsOfRun(listed: readonly Unsealed[]): readonly Unsealed[] {
  let entries = 0
  const lastIndex = listed.findIndex(({ unsealed }) => {
    entries += Math.min(Number(unsealed), ENTRIES_PER_SEAL)
    return entries >= ENTRIES_PER_RUN
  })
  return lastIndex === -1 ? listed : listed.slice(0, lastIndex + 1)
}

/**
 * Divides the accounts that are due into batches. A transaction for each account costs more than hashing its entries, when many accounts
 * have a few.
 */
function batchesOf(accounts: readonly Unsealed[], grouping: Grouping): AccountKey[][] {
  const batches: AccountKey[][] = []
  let entries = Number.POSITIVE_INFINITY
  for (const { company_id, environment, unsealed } of accounts) {
    if (unsealed === 0n) continue
    if (grouping !== 'all' || entries >= ENTRIES_PER_BATCH) {
      batches.push([])
      entries = 0
    }
    batches.at(-1)?.push({ company_id, environment })
    entries += Number(unsealed)
  }
  return batches
}

/**
 * Seals a batch in one statement. If that fails, each account has a statement of its own, so that one of them does not hold up the others.
 * On Citus a batch is one account, and its company routes the statement. Returns why accounts could not be sealed.
 */
async function seal({ db, clock, grouping }: SealDeps, accounts: readonly AccountKey[]): Promise<unknown[]> {
  if (grouping === 'all') {
    const failure = await attempt(() => sealAccounts(db, accounts, clock.now(), ENTRIES_PER_SEAL))
    if (failure === undefined) return []
    if (accounts.length === 1) return [failure]
  }
  const failures: unknown[] = []
  for (const account of accounts) {
    const failure = await attempt(() => sealEntries(db, account, clock.now(), ENTRIES_PER_SEAL))
    if (failure !== undefined) failures.push(failure)
  }
  return failures
}

/** Returns why it failed. Throws when the database does not answer: then nothing else would succeed. */
async function attempt(run: () => Promise<unknown>): Promise<unknown> {
  try {
    await run()
    return undefined
  } catch (error) {
    if (isUnavailable(error)) throw error
    return error
  }
}
