// Settles operations and moves the money that follows from the outcome, with one call of a SQL function per batch.
import type { Db } from '../db/pool.ts'
import { isUnavailable } from '../db/unavailable.ts'
import { type Batcher, createBatcher } from '../lib/batcher.ts'
import type { Clock } from '../lib/clock.ts'
import { groupBy, type Grouping } from '../lib/grouping.ts'
import type { Settlement } from './items.ts'
import { settleOperations } from './queries.ts'

/** As in the intake: larger batches are no faster, and more than two at once wait for each other. */
const BATCH_SIZE_MAX = 256
const BATCHES_IN_FLIGHT_MAX = 2
/** More than the worker can have under way, which is UNDER_WAY_MAX of issuer/requests/worker.ts for each issuer. */
export const QUEUE_MAX = 8192

/** `moved` is false when the operation was not in a state that allows it; then nothing was written. */
export interface Settled {
  readonly moved: boolean
}

export type Settler = Batcher<Settlement, Settled>

/**
 * Returns a batcher of settlements. Unlike a batch of new operations, a batch whose answer was lost is not sent again: it may
 * have queued an operation that a worker has claimed and sent since. An operation that stays unsettled is looked up after
 * its lease.
 */
export function createSettler({ db, clock, grouping = 'all' }: { db: Db; clock: Clock; grouping?: Grouping }): Settler {
  return createBatcher({
    run: async (items) => {
      const unmoved = new Set((await settleOperations(db, clock.now(), items)).map((row) => row.item))
      return items.map((_, index) => ({ moved: !unmoved.has(index + 1) }))
    },
    sizeMax: BATCH_SIZE_MAX,
    inFlightMax: BATCHES_IN_FLIGHT_MAX,
    queueMax: QUEUE_MAX,
    isOneToBlame: (error) => !isUnavailable(error),
    ...groupBy(grouping, ({ scope }: Settlement) => scope.companyId),
  })
}
