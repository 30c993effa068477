// The identity and the shared statements of one delivery worker: statements that take deliveries or record attempts for
// several delivery queues at once.
import { randomUUID } from 'node:crypto'
import type { Db } from '../db/pool.ts'
import { createBatcher } from '../lib/batcher.ts'
import type { Clock } from '../lib/clock.ts'
import { groupBy, type Grouping } from '../lib/grouping.ts'
import { type QueueKey, recordAttempts, type Round, takeDeliveries, type TakenRow } from './queries.ts'
import { FAILING_MAX_MS } from './schedule.ts'

/** Queues per statement. Few enough that whoever adds to one of them does not wait long for its lock. */
const STATEMENT_QUEUES_MAX = 20
/** Longer than a worker goes on sending (serve-queue.ts) plus recording; after this the worker is presumed dead. */
const LEASE_MS = 30_000

export interface DeliveryWorker {
  readonly id: string
  leaseUntil(): Date
  isStopping(): boolean
  /** The process is ending. Attempts still in flight are not recorded, and another worker makes them again. */
  hasGivenUp(): boolean
  stop(): void
  giveUp(): void
  take(request: { queue: QueueKey; size: number }): Promise<TakenRow[]>
  /** Returns true when the endpoint has had nothing but failures for too long. */
  record(round: Round): Promise<boolean>
}

/** `queuesMax` is the number of working and of failing queues that the worker serves at a time. */
export function createDeliveryWorker(
  { db, clock, grouping = 'all' }: { db: Db; clock: Clock; grouping?: Grouping },
  queuesMax: number,
): DeliveryWorker {
  const id = randomUUID()
  const state = { isStopping: false, hasGivenUp: false }
  const limits = { sizeMax: STATEMENT_QUEUES_MAX, inFlightMax: 2, queueMax: 2 * queuesMax }
  const companyOf = ({ queue }: { queue: QueueKey }) => queue.company_id
  return {
    id,
    leaseUntil: () => new Date(clock.now().getTime() + LEASE_MS),
    isStopping: () => state.isStopping,
    hasGivenUp: () => state.hasGivenUp,
    stop: () => void (state.isStopping = true),
    giveUp: () => void (state.hasGivenUp = true),
    take: createBatcher<{ queue: QueueKey; size: number }, TakenRow[]>({
      ...limits,
      ...groupBy(grouping, companyOf),
      run: async (requests) => groupByItem(await takeDeliveries(db, clock.now(), id, requests), requests.length),
    }).push,
    record: createBatcher<Round, boolean>({
      ...limits,
      ...groupBy(grouping, companyOf),
      run: async (rounds) => {
        const now = clock.now()
        const limit = new Date(now.getTime() - FAILING_MAX_MS)
        const failing = await recordAttempts(db, now, id, limit, rounds)
        const ids = new Set(failing.map((queue) => queue.endpoint_id))
        return rounds.map(({ queue }) => ids.has(queue.endpoint_id))
      },
    }).push,
  }
}

function groupByItem(rows: readonly TakenRow[], count: number): TakenRow[][] {
  const groups = Array.from({ length: count }, (): TakenRow[] => [])
  for (const row of rows) groups[row.item - 1]?.push(row)
  return groups
}
