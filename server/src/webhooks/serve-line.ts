// Serving one line for as long as this worker holds it: take what is due, send it, write down what became of it.
import { formatId } from '../lib/ids.ts'
import { attempt, type AttemptDeps, type Made, openEndpoint } from './attempt.ts'
import type { Desk } from './desk.ts'
import { disableEndpoint, type LineKey, type TakenRow } from './queries.ts'
import { BREAKER_FAILURES, breakerPauseMs } from './schedule.ts'

/** CONTRACT 10's deadline of 15 s comes on top, and the sum is well inside the lease: later another may have taken over. */
const SEND_WITHIN_MS = 10_000
/** A busy line is given back after this, behind those that wait: for other lines, and for other workers. */
const HOLD_MAX_MS = 2_000
/** To one endpoint at a time (docs/webhooks.md). */
const IN_FLIGHT_MAX = 16
/** Taken at once: for a line just claimed, and for one that is going well (the 64 in take_deliveries). */
const FIRST_TAKE_SIZE = 16
const TAKE_SIZE = 64

export interface HeldLine {
  readonly key: LineKey
  /** In a row, when it was claimed. */
  readonly failures: number
  /** By the process's own clock, from before it was claimed. */
  readonly heldSinceMs: number
}

export async function serveLine(deps: AttemptDeps, desk: Desk, line: HeldLine): Promise<void> {
  const { db, clock, log } = deps
  const sum = { hasSucceeded: false, failures: 0 }
  for (let size = FIRST_TAKE_SIZE; ; size = TAKE_SIZE) {
    const rows = desk.isStopping() ? [] : await desk.take({ line: line.key, size })
    const made = await makeRound(deps, desk, line, rows)
    if (desk.hasGivenUp()) return
    const isGoingWell = made.some(({ record }) => record.status === 'delivered')
    sum.hasSucceeded ||= isGoingWell
    sum.failures = isGoingWell ? 0 : sum.failures + made.length
    const pauseMs = Math.max(
      breakerPauseMs(sum.hasSucceeded ? sum.failures : line.failures + sum.failures),
      ...made.map(({ judgement }) => judgement.pauseMs),
    )
    const goesOn =
      isGoingWell && made.length === size && pauseMs === 0 && performance.now() - line.heldSinceMs < HOLD_MAX_MS
    const until = goesOn ? null : new Date(clock.now().getTime() + pauseMs)
    const attempts = made.map(({ record }) => record)
    const hasFailedForLong = await desk.record({ line: line.key, attempts, until, ...sum })
    const isGone = made.some(({ judgement }) => judgement.isGone)
    if (isGone || hasFailedForLong) {
      await disableEndpoint(db, line.key, clock.now(), isGone ? 'gone' : 'failures')
      log.warn({ endpointId: formatId('we', line.key.endpoint_id), isGone }, 'a webhook endpoint was disabled')
    }
    if (!goesOn) return
  }
}

/** Some at a time. What was not begun when the receiver began to fail, or when it is late, stays where it was. */
async function makeRound(deps: AttemptDeps, desk: Desk, line: HeldLine, rows: readonly TakenRow[]): Promise<Made[]> {
  if (rows.length === 0) return []
  const endpoint = openEndpoint(deps, line.key, rows)
  const waiting = rows.values()
  const made: Made[] = []
  let failures = 0
  const mayBegin = () =>
    failures < BREAKER_FAILURES && !desk.isStopping() && performance.now() - line.heldSinceMs < SEND_WITHIN_MS
  const sendInTurn = async () => {
    while (mayBegin()) {
      const next = waiting.next()
      if (next.done === true) return
      const one = await attempt(deps, endpoint, next.value)
      made.push(one)
      failures = one.record.status === 'delivered' ? 0 : failures + 1
    }
  }
  await Promise.all(Array.from({ length: Math.min(IN_FLIGHT_MAX, rows.length) }, sendInTurn))
  return made
}
