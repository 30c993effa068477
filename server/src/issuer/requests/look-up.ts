// Looks up what became of requests that may have been sent. A look-up carries nothing out, so it may be made any number of times.
import type { Environment } from '../../lib/scope.ts'
import type { Log } from '../../lib/log.ts'
import { createFailureLog } from '../../worker/failure-log.ts'
import type { Job } from '../../worker/loop.ts'
import { isLastLookUp } from '../evidence.ts'
import { type Gate, type Gates, giveAllBack, type Places, runForEach } from '../gate.ts'
import type { AnyOutcome, Issuer } from '../port.ts'
import { type AskDeps, beginClaim } from './ask.ts'
import { conclude, type ConcludeDeps } from './conclude.ts'
import type { DueRow, RequestKind, RequestRow } from './kind.ts'

/** The most that one claim takes. */
const CLAIM_SIZE = 100

export async function lookUpOnce<
  Row extends RequestRow,
  Outcome extends AnyOutcome,
  Decision extends { status: string },
>(
  deps: ConcludeDeps,
  kind: RequestKind<Row, Outcome, Decision>,
  row: DueRow<Row>,
  { issuer, places }: { issuer: Issuer; places: Places },
): Promise<void> {
  const startedAt = deps.clock.now()
  const isLast = isLastLookUp({ done: row.look_up_count, delaysMs: issuer.lookUpDelaysMs })
  const outcome = await places.call(kind.subjectOf(row, 'look_up'), () => kind.lookUp(issuer, row, isLast))
  await conclude(deps, kind, row, { purpose: 'look_up', since: row.status_at, startedAt, outcome, issuer })
}

/** What a claim of look-ups takes: those that are due now, which nobody else looks up before the lease ends. */
export interface DueClaim {
  readonly environment: Environment
  readonly now: Date
  readonly leaseUntil: Date
  readonly limit: number
}

export interface LookUpOptions<Row extends RequestRow> {
  readonly name: string
  readonly intervalMs: number
  /** What the log says about one that failed. */
  readonly failure: string
  claim(due: DueClaim): Promise<DueRow<Row>[]>
}

/** Returns the job that looks up requests of one kind for every issuer. */
export function lookUpJob<Row extends RequestRow, Outcome extends AnyOutcome, Decision extends { status: string }>(
  deps: AskDeps & { gates: Gates; log: Log },
  kind: RequestKind<Row, Outcome, Decision>,
  { name, intervalMs, failure, claim }: LookUpOptions<Row>,
): Job {
  const logFailure = createFailureLog(deps.log, failure)
  const lookUpDue = async (environment: Environment, gate: Gate) => {
    const places = await gate.reserveSoon(CLAIM_SIZE, 'look_up')
    if (places.count === 0) return false
    const { now, leaseUntil } = beginClaim(deps)
    const rows = await claim({ environment, now, leaseUntil, limit: places.count }).catch(giveAllBack(places))
    places.giveBack(places.count - rows.length)
    const calls = rows.map((row) => lookUpOnce(deps, kind, row, { issuer: gate.issuer, places }))
    for (const result of await Promise.allSettled(calls)) if (result.status === 'rejected') logFailure(result.reason)
    return rows.length === places.count
  }
  return { name, intervalMs, run: () => runForEach(deps.gates, lookUpDue) }
}
