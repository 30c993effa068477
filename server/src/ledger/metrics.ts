// The gauge of the seals: how long the oldest entry has waited for one.
import type { Registry } from 'prom-client'
import type { Db } from '../db/pool.ts'
import type { Clock } from '../lib/clock.ts'
import { must } from '../lib/invariant.ts'
import { addMeasuredGauge } from '../telemetry/measured-gauge.ts'
import { remember } from '../telemetry/remember.ts'
import { FIRST_ACCOUNT } from './audit.ts'
import { measureSealLag } from './queries.ts'

/** Looking at an account costs one or two index look-ups, so this takes the database some tens of milliseconds. */
const ACCOUNTS_PER_LOOK = 5_000

export function addSealMetrics(registry: Registry, { db, clock }: { db: Db; clock: Clock }): void {
  addMeasuredGauge(
    registry,
    { name: 'seal_lag_seconds', help: 'How long the oldest entry without a seal has been there' },
    remember(clock, createSealLook(db)),
    (oldest, set) => set({}, oldest === null ? 0 : Math.max(0, (clock.now().getTime() - oldest.getTime()) / 1000)),
  )
}

/**
 * Returns a function that returns the time of the oldest entry without a seal. If there are more accounts than one call may
 * look at, the next call continues, and the answer is the oldest time of the last complete round and of this one.
 */
export function createSealLook(db: Db, accountsMax = ACCOUNTS_PER_LOOK): () => Promise<Date | null> {
  let after = FIRST_ACCOUNT
  let ofLastRound: Date | null = null
  let ofThisRound: Date | null = null
  return async () => {
    const { accounts, last, oldest } = must(await measureSealLag(db, after, accountsMax))
    ofThisRound = older(ofThisRound, oldest)
    if (accounts === accountsMax && last !== null) {
      after = last
      return older(ofLastRound, ofThisRound)
    }
    ofLastRound = ofThisRound
    ofThisRound = null
    after = FIRST_ACCOUNT
    return ofLastRound
  }
}

function older(a: Date | null, b: Date | null): Date | null {
  if (a === null || b === null) return a ?? b
  return a < b ? a : b
}
