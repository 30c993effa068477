// The intake of new operations. Candidates that arrive while a batch is in flight form the next batch, and a batch is one
// call of a SQL function. When the answer to a batch is lost, the batch is sent again with the same ids: what was committed
// replays, and the rest is decided. The intake never decides anything itself.
import type { Db } from '../db/pool.ts'
import { isUnavailable } from '../db/unavailable.ts'
import { type Batcher, createBatcher } from '../lib/batcher.ts'
import type { Clock } from '../lib/clock.ts'
import { groupBy, type Grouping } from '../lib/grouping.ts'
import { newId } from '../lib/ids.ts'
import type { Log } from '../lib/log.ts'
import type { Tracing } from '../telemetry/tracing.ts'
import type { AcceptItem, Candidate } from './items.ts'
import { acceptOperation, acceptOperations, type AcceptRow, findOriginals } from './queries.ts'
import { createRepeatGuard } from './repeats.ts'
import { traceBatches } from './trace-batches.ts'
import { toRepeat, toVerdict, type Verdict } from './verdict.ts'

/** Larger batches are no faster and make the last item wait longer (measured). */
const BATCH_SIZE_MAX = 256
/** The database works on one batch while this process answers the other. A third would only wait for the same locks (measured). */
const BATCHES_IN_FLIGHT_MAX = 2
/**
 * A batch of one operation costs the database as much time as two dozen operations of a large one. So a batch waits for the one before it
 * unless this many operations wait, and a batch after one of several operations waits until a few milliseconds have passed since that one
 * began. An operation that arrives alone does not wait.
 */
const GATHER = { enough: 32, restMs: 4, restFrom: 4 }
/** What the fastest server seen accepts in a second. It is better to refuse a request than to let it wait longer. */
const QUEUE_MAX = 8192
/** A restart of the database is over within this; then the caller is told to try again with the same key. */
const LOST_ANSWER_DELAYS_MS = [50, 200, 1000]
/** No attempt begins later than this after the first one, so that a caller waits for two missed deadlines at most. */
const LOST_ANSWER_MS_MAX = 8_000

export interface Intake {
  accept(candidate: Candidate): Promise<Verdict>
  /** Resolves when everything accepted so far has been answered. */
  idle(): Promise<void>
}

interface Deps {
  db: Db
  clock: Clock
  log: Log
  grouping: Grouping
  onAccepted(): void
  /** Absent: no traces. */
  tracing?: Tracing | undefined
}

export function createIntake({ db, clock, log, grouping, onAccepted, tracing }: Deps): Intake {
  const limits = {
    sizeMax: BATCH_SIZE_MAX,
    queueMax: QUEUE_MAX,
    isOneToBlame: (error: unknown) => !isUnavailable(error),
    ...groupBy(grouping, (candidate: Candidate) => candidate.scope.companyId),
  }
  const runBatch = async (candidates: readonly Candidate[]) => {
    const now = clock.now()
    const items = candidates.map((candidate) => ({ id: newId(now), candidate }))
    const rows = await callUntilAnswered(() => call(db, now, items), log)
    onAccepted()
    const verdicts = decide(items, now, rows)
    for (const { item } of rows) {
      if (isRepeat(verdicts[item - 1])) guard.note(candidates[item - 1]?.scope.companyId ?? '')
    }
    return verdicts
  }
  const batcher: Batcher<Candidate, Verdict> = createBatcher({
    run: traceBatches(runBatch, tracing),
    inFlightMax: BATCHES_IN_FLIGHT_MAX,
    ...(grouping === 'all' ? { gather: GATHER } : {}),
    ...limits,
  })
  const lookUps: Batcher<Candidate, Verdict | undefined> = createBatcher({
    run: async (candidates) => {
      const rows = await callUntilAnswered(() => findOriginals(db, candidates), log)
      const found = new Map(rows.map((row) => [row.item, toRepeat(row)]))
      return candidates.map((_, index) => found.get(index + 1))
    },
    inFlightMax: 1,
    ...limits,
  })
  const guard = createRepeatGuard({
    clock,
    lookUp: (candidate) => lookUps.push(candidate),
    decide: (candidate) => batcher.push(candidate),
  })
  return {
    accept: (candidate) => guard.accept(candidate),
    idle: async () => {
      await guard.idle()
      await batcher.idle()
    },
  }
}

function isRepeat(verdict: Verdict | undefined): boolean {
  return verdict?.kind === 'replay' || verdict?.kind === 'conflict'
}

function call(db: Db, now: Date, items: readonly AcceptItem[]): Promise<AcceptRow[]> {
  const [first] = items
  if (first !== undefined && items.length === 1) return acceptOperation(db, now, first)
  return acceptOperations(db, now, items)
}

async function callUntilAnswered<Result>(attempt: () => Promise<Result>, log: Log): Promise<Result> {
  const startedMs = performance.now()
  for (const delayMs of LOST_ANSWER_DELAYS_MS) {
    try {
      return await attempt()
    } catch (error) {
      if (!isUnavailable(error) || performance.now() - startedMs > LOST_ANSWER_MS_MAX) throw error
      log.warn({ reason: (error as Error).message }, 'A batch was not answered and is sent again with the same ids.')
      await new Promise((resolve) => setTimeout(resolve, delayMs))
    }
  }
  return attempt()
}

function decide(items: readonly AcceptItem[], now: Date, rows: readonly AcceptRow[]): Verdict[] {
  const verdicts = items.map(({ id, candidate }): Verdict => {
    const { type, amount, fee } = candidate
    return { kind: 'accepted', operation: { id, type, amount, fee, createdAt: now } }
  })
  for (const row of rows) {
    const index = row.item - 1
    verdicts[index] = toVerdict(row, items[index]?.id)
  }
  return verdicts
}
