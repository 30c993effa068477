// Carries out requests that wait in a queue: claims them, has them sent, and looks up those of every kind that may have been sent. Both
// issuers have a queue of their own, so that one that does not answer holds up nothing of the other.
import type { Clock } from '../../lib/clock.ts'
import type { Grouping } from '../../lib/grouping.ts'
import type { Log } from '../../lib/log.ts'
import { type Environment, ENVIRONMENTS } from '../../lib/scope.ts'
import { createFailureLog } from '../../worker/failure-log.ts'
import type { Job } from '../../worker/loop.ts'
import { createPolling, type Polling, pollingJob } from '../../worker/polling.ts'
import { type Gate, type Gates, giveAllBack, type Permits } from '../gate.ts'
import type { CallKind } from '../lines.ts'
import type { AnyOutcome } from '../port.ts'
import { type AskDeps, askOnce, beginClaim } from './ask.ts'
import { type CompleteNext, createCompleting } from './complete.ts'
import type { RequestKind, RequestRow } from './kind.ts'
import { type LookUps, lookUpsOf, prepareLookUps } from './look-up.ts'
import { claimLookUps, type DueClaim } from './queries.ts'
import { createUnderWay } from './under-way.ts'

/** The literal in list_due, list_due_after and claim_look_ups. */
const CLAIM_SIZE_MAX = 200
/**
 * A claim, the calls and the settlement cost the same for one operation as for twenty, so under load each takes what has come within this
 * time, or within twice the time of a claim on a busy database. The first operation after a pause does not wait, and neither does a backlog.
 */
const CLAIM_REST_MS = 20
/**
 * How many requests of one issuer are claimed and not yet settled, whatever the issuer's speed. Room for all calls of the largest
 * issuer, and for as many outcomes that wait for the database; for both issuers together far less than the settler's queue holds. A
 * permit is given back when the issuer answers, so without this a backlog would pile up as outcomes behind a slow database.
 */
export const UNDER_WAY_MAX = 1_024

/** Requests that wait in a queue until the worker sends them. */
export interface QueuedKind<
  Row extends RequestRow,
  Outcome extends AnyOutcome,
  Decision extends { status: string },
> extends RequestKind<Row, Outcome, Decision> {
  callKindOf(row: Row): CallKind
  /** Returns a function that claims what is queued, of those kinds only for which there are permits. Each issuer has its own. */
  createClaims(): (due: DueClaim, permits: Permits) => Promise<{ rows: readonly Row[]; isMore: boolean }>
  /** Returns a function that completes what is queued at an issuer whose book is our own database; undefined if the database cannot. */
  createCompletions(): CompleteNext | undefined
}

const FAILURE = 'A request to the issuer could not be settled and will be looked up later.'

export interface RequestWorkerDeps extends AskDeps {
  readonly clock: Clock
  readonly log: Log
  readonly gates: Gates
  /** How the database groups what belongs together. */
  readonly grouping?: Grouping | undefined
  /** Called when a call ends after the limit of calls was reached. */
  onRoom(): void
  /** Whether every request has a trace of its own. */
  readonly isTraced?: boolean
  /** How often the jobs look for work; shared with the other jobs of the worker. */
  readonly polling?: Polling | undefined
}

export interface RequestWorker {
  readonly claims: Job
  readonly lookUps: Job
  /** Resolves when no call is in flight. */
  idle(): Promise<void>
}

/** `others`: kinds that are sent by the requests that record them, and only looked up here. */
export function createRequestWorker<
  Row extends RequestRow,
  Outcome extends AnyOutcome,
  Decision extends { status: string },
>(deps: RequestWorkerDeps, kind: QueuedKind<Row, Outcome, Decision>, others: readonly LookUps[]): RequestWorker {
  const underWay = new Set<Promise<unknown>>()
  const { polling = createPolling() } = deps
  const queues = ENVIRONMENTS.flatMap((environment) => {
    const gate = deps.gates[environment]
    return gate === undefined ? [] : [createQueue(deps, kind, { environment, gate, underWay, polling, others })]
  })
  const runAll = (run: (queue: Queue) => Promise<boolean>) => async () => {
    const results = await Promise.all(queues.map(run))
    return results.includes(true)
  }
  return {
    claims: pollingJob(
      'operations',
      polling,
      runAll((queue) => queue.claim()),
      CLAIM_REST_MS,
    ),
    lookUps: pollingJob(
      'look-ups',
      polling,
      runAll((queue) => queue.lookUp()),
    ),
    async idle() {
      while (underWay.size > 0) await Promise.all(underWay)
    },
  }
}

interface Queue {
  claim(): Promise<boolean>
  lookUp(): Promise<boolean>
}

interface QueueOptions {
  environment: Environment
  gate: Gate
  underWay: Set<Promise<unknown>>
  polling: Polling
  others: readonly LookUps[]
}

/** The queue of one issuer. */
function createQueue<Row extends RequestRow, Outcome extends AnyOutcome, Decision extends { status: string }>(
  deps: RequestWorkerDeps,
  kind: QueuedKind<Row, Outcome, Decision>,
  { environment, gate, underWay: all, polling, others }: QueueOptions,
): Queue {
  const { issuer } = gate
  /** Requests that have been sent and not answered. */
  const inFlight = new Set<string>()
  const claimNext = kind.createClaims()
  let areLookUpsWaiting = false
  let isStarved = false
  // While requests are stopped, room for look-ups is no reason to look for queued ones: they would be looked for without a pause.
  const mayClaim = () => !kind.callKinds.every((callKind) => gate.status().stopped.includes(callKind))
  const announceRoom = () => {
    if (!isStarved || !mayClaim()) return
    isStarved = false
    deps.onRoom()
  }
  gate.whenRoom(announceRoom)

  const lookUpKinds = [lookUpsOf(kind), ...others]
  const logFailure = createFailureLog(deps.log, FAILURE)
  const underWay = createUnderWay({ all, polling, logFailure, onSettled: announceRoom })
  const reserve = (kinds: readonly CallKind[]) =>
    gate.reserve(Math.min(CLAIM_SIZE_MAX, UNDER_WAY_MAX - underWay.count), kinds)
  const lookUp = async () => {
    const permits = reserve(['look_up'])
    // The limit of calls is reached. The next calls are for look-ups.
    areLookUpsWaiting = permits.count === 0
    if (areLookUpsWaiting) return false
    const due = { environment, ...beginClaim(deps), limit: permits.count }
    const claimed = await claimLookUps(deps.db, due, callKindsOf(lookUpKinds)).catch(giveAllBack(permits))
    // A call of ours that is still in flight answers by itself.
    const open = claimed.filter((request) => !inFlight.has(request.id))
    const calls = await prepareLookUps(lookUpKinds, environment, open).catch(giveAllBack(permits))
    permits.giveBack(permits.count - calls.length)
    for (const { about, run } of calls) underWay.add(about, run(deps, { issuer, permits }))
    areLookUpsWaiting = mayBeMore(deps.grouping, claimed.length, permits)
    return areLookUpsWaiting
  }
  const claimAndSend = async () => {
    // During and after an outage, look up first what may have been sent: that cannot cause a new unknown outcome.
    if (gate.status().stopped.length > 0) areLookUpsWaiting = true
    if (areLookUpsWaiting && (await lookUp())) return false
    const permits = reserve(kind.callKinds)
    isStarved = permits.count === 0
    if (isStarved) return false
    const begun = beginClaim(deps)
    const due = { environment, ...begun, limit: permits.count }
    const { rows, isMore } = await claimNext(due, permits).catch(giveAllBack(permits))
    permits.keep(rows.map((row) => kind.callKindOf(row)))
    const ask = { claim: begun, issuer, permits, inFlight }
    for (const row of rows) underWay.add(kind.aboutOf(row.id), askOnce(deps, kind, row, ask))
    return isMore
  }
  const complete = createCompleting(deps, kind, { environment, gate, polling })
  // Without a wait before the claim if nothing is completed here: look-ups that begin at the same time would take all permits.
  const claim = complete === undefined ? claimAndSend : () => complete(claimAndSend)
  return { claim, lookUp }
}

const callKindsOf = (kinds: readonly LookUps[]) => kinds.flatMap((each) => each.callKinds)

/** On Citus a claim takes the work of one node, and others may have some too. */
export function mayBeMore(grouping: Grouping | undefined, claimed: number, { count }: Permits): boolean {
  return grouping === 'citus' ? claimed > 0 : claimed === count
}
