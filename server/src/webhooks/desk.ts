// What all lines of a worker share: statements that take or record for several of them at once.
import { createBatcher } from '../lib/batcher.ts'
import type { Clock } from '../lib/clock.ts'
import type { Db } from '../db/pool.ts'
import { type LineKey, recordAttempts, type Round, type TakenRow, takeDeliveries } from './queries.ts'
import { FAILING_MAX_MS } from './schedule.ts'

/** Lines that one statement is for. Few enough that whoever adds to one of them does not wait for long. */
const STATEMENT_LINES_MAX = 20
/** Longer than sending may go on for (serve-line.ts) and all around it; after this the holder is taken for dead. */
const LEASE_MS = 30_000

export interface Desk {
  isStopping(): boolean
  /** The process ends: whether an attempt arrived will not be known, and it is made again by another. */
  hasGivenUp(): boolean
  leaseUntil(): Date
  take(asked: { line: LineKey; size: number }): Promise<TakenRow[]>
  /** True when the endpoint has only failed for too long. */
  record(round: Round): Promise<boolean>
}

interface Options {
  holder: string
  state: { stopping: boolean; givenUp: boolean }
  /** Of each kind, working and failing. */
  linesMax: number
}

export function createDesk({ db, clock }: { db: Db; clock: Clock }, { holder, state, linesMax }: Options): Desk {
  const limits = { sizeMax: STATEMENT_LINES_MAX, inFlightMax: 2, queueMax: 2 * linesMax }
  return {
    isStopping: () => state.stopping,
    hasGivenUp: () => state.givenUp,
    leaseUntil: () => new Date(clock.now().getTime() + LEASE_MS),
    take: createBatcher<{ line: LineKey; size: number }, TakenRow[]>({
      ...limits,
      run: async (asked) => groupByItem(await takeDeliveries(db, clock.now(), holder, asked), asked.length),
    }).push,
    record: createBatcher<Round, boolean>({
      ...limits,
      run: async (rounds) => {
        const now = clock.now()
        const limit = new Date(now.getTime() - FAILING_MAX_MS)
        const failing = await recordAttempts(db, now, holder, limit, rounds)
        const ids = new Set(failing.map((line) => line.endpoint_id))
        return rounds.map(({ line }) => ids.has(line.endpoint_id))
      },
    }).push,
  }
}

function groupByItem(rows: readonly TakenRow[], count: number): TakenRow[][] {
  const groups = Array.from({ length: count }, (): TakenRow[] => [])
  for (const row of rows) groups[row.item - 1]?.push(row)
  return groups
}
