// Serves one delivery queue while this worker has its lease: takes what is due, sends it, and records the outcomes.
import { formatId } from '../lib/ids.ts'
import { attempt, type AttemptDeps, type Made, openEndpoint } from './attempt.ts'
import type { DeliverySlots } from './delivery-slots.ts'
import type { DeliveryWorker } from './delivery-worker.ts'
import { disableEndpoint, type QueueKey, type TakenRow } from './queries.ts'
import { BREAKER_FAILURES, breakerPauseMs } from './schedule.ts'

/**
 * No attempt begins later than this after the claim. An attempt takes at most 15 s, so it ends well before the lease,
 * after which another worker may send the same deliveries.
 */
const SEND_WITHIN_MS = 10_000
/** After this long a busy queue goes back behind the waiting ones, so that other queues and workers get their turn. */
const SERVE_MAX_MS = 2_000
/** Requests in flight to one endpoint (docs/webhooks.md). */
const ENDPOINT_IN_FLIGHT_MAX = 16
/** Deliveries per statement: for a queue just claimed, and for one that is going well. take_deliveries allows 64 too. */
const FIRST_TAKE_SIZE = 16
const TAKE_SIZE = 64
/** How long a queue rests when the process has no slot left. */
const NO_SLOT_PAUSE_MS = 250
/** How long a queue rests when the DNS servers did not answer. Their outages last seconds or minutes, and every retry asks them. */
const RESOLVER_PAUSE_MS = 15_000

export interface ClaimedQueue {
  readonly key: QueueKey
  /** How many attempts in a row had failed when it was claimed. */
  readonly failures: number
  /** The process's own clock, read before the claim. */
  readonly claimedAtMs: number
}

export interface ServeDeps extends AttemptDeps {
  slots: DeliverySlots
}

interface RoundOutcome {
  readonly made: Made[]
  /** How long the queue rests for reasons of our own, whatever its receiver asked for. */
  readonly pauseMs: number
}

export async function serveQueue(deps: ServeDeps, worker: DeliveryWorker, queue: ClaimedQueue): Promise<void> {
  const { db, clock, log } = deps
  const sum = { hasSucceeded: false, failures: 0 }
  for (let size = FIRST_TAKE_SIZE; ; size = TAKE_SIZE) {
    const rows = worker.isStopping() ? [] : await worker.take({ queue: queue.key, size })
    const { made, pauseMs: roundPauseMs } = await makeRound(deps, worker, queue, rows)
    if (worker.hasGivenUp()) return
    const isGoingWell = made.some(({ record }) => record.status === 'delivered')
    sum.hasSucceeded ||= isGoingWell
    sum.failures = isGoingWell ? 0 : sum.failures + made.length
    const pauseMs = Math.max(
      roundPauseMs,
      breakerPauseMs(sum.hasSucceeded ? sum.failures : queue.failures + sum.failures),
      ...made.map(({ judgement }) => judgement.pauseMs),
    )
    const goesOn =
      isGoingWell && made.length === size && pauseMs === 0 && performance.now() - queue.claimedAtMs < SERVE_MAX_MS
    const until = goesOn ? null : new Date(clock.now().getTime() + pauseMs)
    const attempts = made.map(({ record }) => record)
    const hasFailedForLong = await worker.record({ queue: queue.key, attempts, until, ...sum })
    const isGone = made.some(({ judgement }) => judgement.isGone)
    if (isGone || hasFailedForLong) {
      await disableEndpoint(db, queue.key, clock.now(), isGone ? 'gone' : 'failures')
      log.warn({ endpointId: formatId('we', queue.key.endpoint_id), isGone }, 'A webhook endpoint was disabled.')
    }
    if (!goesOn) return
  }
}

/**
 * Sends several deliveries at a time. It begins no more of them when the receiver is failing, the worker is late, or our
 * own DNS servers do not answer. Deliveries that were not begun stay in the queue unchanged.
 */
async function makeRound(
  deps: ServeDeps,
  worker: DeliveryWorker,
  queue: ClaimedQueue,
  rows: readonly TakenRow[],
): Promise<RoundOutcome> {
  if (rows.length === 0) return { made: [], pauseMs: 0 }
  const endpoint = await openEndpoint(deps, queue.key, rows)
  const waiting = rows.values()
  const made: Made[] = []
  let failures = 0
  let pauseMs = 0
  const mayBegin = () =>
    failures < BREAKER_FAILURES &&
    pauseMs === 0 &&
    !worker.isStopping() &&
    performance.now() - queue.claimedAtMs < SEND_WITHIN_MS
  const sendInTurn = async () => {
    while (mayBegin()) {
      const next = waiting.next()
      if (next.done === true) return
      if (!deps.slots.tryTake(queue.key)) {
        if (made.length === 0) pauseMs = Math.max(pauseMs, NO_SLOT_PAUSE_MS)
        return
      }
      let outcome: Made | 'not_sent'
      try {
        outcome = await attempt(deps, endpoint, next.value)
      } finally {
        deps.slots.release(queue.key)
      }
      if (outcome === 'not_sent') {
        pauseMs = RESOLVER_PAUSE_MS
        return
      }
      made.push(outcome)
      failures = outcome.record.status === 'delivered' ? 0 : failures + 1
    }
  }
  await Promise.all(Array.from({ length: Math.min(ENDPOINT_IN_FLIGHT_MAX, rows.length) }, sendInTurn))
  return { made, pauseMs }
}
