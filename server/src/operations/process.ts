// Carries out operations: claims them, calls the issuer, and settles the outcome. The claim is committed before anything is
// sent, and only the worker that claimed an operation may send it. An operation that may have been sent is only looked up.
import type { Db } from '../db/pool.ts'
import { isLastLookUp } from '../issuer/evidence.ts'
import { type Asked, type Exchange, findCertainAnswer, recordExchange } from '../issuer/exchanges.ts'
import { type Gate, type Gates, giveAllBack, type Places } from '../issuer/gate.ts'
import { type CallKind, OPERATION_KINDS } from '../issuer/lines.ts'
import { leaseUntil, sendWithinMs } from '../issuer/lease.ts'
import type { Issuer, IssuerOutcome } from '../issuer/port.ts'
import type { Settlement } from '../ledger/items.ts'
import type { Settler } from '../ledger/settle.ts'
import type { Clock } from '../lib/clock.ts'
import type { Grouping } from '../lib/grouping.ts'
import { ZERO_ID } from '../lib/ids.ts'
import type { Log } from '../lib/log.ts'
import { cents } from '../lib/money.ts'
import { type Environment, ENVIRONMENTS, type Scope } from '../lib/scope.ts'
import type { Job } from '../worker/loop.ts'
import { createPolling, type Polling, pollingJob } from '../worker/polling.ts'
import {
  type Claim,
  claimLookUps,
  claimOperations,
  claimOperationsOf,
  type ClaimedOperation,
  type DueLookUp,
} from './queries.ts'
import { settlementOf } from './rules.ts'
import { createTurns } from './turns.ts'
import { createUnsettled } from './unsettled.ts'

/** The literal in list_due, list_due_after and claim_look_ups. */
const CLAIM_SIZE_MAX = 200
/**
 * How many operations of one issuer are claimed and not yet settled, whatever the issuer's speed. Room for all calls of the largest
 * issuer, and for as many outcomes that wait for the database; for both issuers together far less than the settler's queue holds. A
 * place is given back when the issuer answers, so without this a backlog would pile up as outcomes behind a slow database.
 */
export const UNDER_WAY_MAX = 1_024

export interface ProcessDeps {
  db: Db
  clock: Clock
  log: Log
  settler: Settler
  gates: Gates
  /** A call that takes longer has an unknown outcome. Longer than the sandbox's slow operations. */
  issuerTimeoutMs: number
  /** How the database groups what belongs together. */
  grouping?: Grouping
  /** Called when a call ends after the limit of calls was reached. */
  onRoom(): void
  /** How often the jobs look for work; shared with the other jobs of the worker. */
  polling?: Polling
}

export interface Processor {
  readonly claims: Job
  readonly lookUps: Job
  /** Resolves when no call is in flight. */
  idle(): Promise<void>
}

export function createProcessor(deps: ProcessDeps): Processor {
  const underWay = new Set<Promise<void>>()
  const { polling = createPolling() } = deps
  const queues = ENVIRONMENTS.flatMap((environment) => {
    const gate = deps.gates[environment]
    return gate === undefined ? [] : [createQueue(deps, { environment, gate, underWay, polling })]
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
  underWay: Set<Promise<void>>
  polling: Polling
}

/** The queue of one issuer. */
function createQueue(deps: ProcessDeps, { environment, gate, underWay, polling }: QueueOptions): Queue {
  const { db, clock } = deps
  /** Operations whose request has been sent and not answered. */
  const inFlight = new Set<string>()
  const claimNext = createClaims(deps)
  let areLookUpsWaiting = false
  let isStarved = false
  // While requests are stopped, room for look-ups is no reason to look for operations: they would be looked for without a pause.
  const mayClaim = () => !OPERATION_KINDS.every((kind) => gate.status().stopped.includes(kind))
  const tellRoom = () => {
    if (!isStarved || !mayClaim()) return
    isStarved = false
    deps.onRoom()
  }
  gate.whenRoom(tellRoom)

  const unsettled = createUnsettled({ underWay, polling, log: deps.log, onSettled: tellRoom })
  const reserve = (kinds: readonly CallKind[]) =>
    gate.reserve(Math.min(CLAIM_SIZE_MAX, UNDER_WAY_MAX - unsettled.count), kinds)
  const claimOf = ({ count }: Places) => {
    const now = clock.now()
    return { environment, now, leaseUntil: leaseUntil(now, deps.issuerTimeoutMs), limit: count }
  }
  const lookUp = async () => {
    const places = reserve(['look_up'])
    // The limit of calls is reached. The next calls are for look-ups.
    areLookUpsWaiting = places.count === 0
    if (areLookUpsWaiting) return false
    const rows = await claimLookUps(db, claimOf(places)).catch(giveAllBack(places))
    // A call of ours that is still in flight answers by itself.
    const open = rows.filter((row) => !inFlight.has(row.id))
    places.giveBack(places.count - open.length)
    for (const row of open) unsettled.add(row.id, lookUpOperation(deps, gate.issuer, places, row))
    areLookUpsWaiting = mayBeMore(deps.grouping, rows.length, places)
    return areLookUpsWaiting
  }
  const claim = async () => {
    // During and after an outage, look up first what may have been sent: that cannot cause a new unknown outcome.
    if (gate.status().stopped.length > 0) areLookUpsWaiting = true
    if (areLookUpsWaiting && (await lookUp())) return false
    const places = reserve(OPERATION_KINDS)
    isStarved = places.count === 0
    if (isStarved) return false
    const startedMs = performance.now()
    const terms = claimOf(places)
    const call = { startedMs, leaseUntil: terms.leaseUntil }
    const { rows, isMore } = await claimNext(terms, places).catch(giveAllBack(places))
    places.keep(rows.map(({ type }) => type))
    for (const row of rows) unsettled.add(row.id, carryOut(deps, gate.issuer, row, { ...call, places, inFlight }))
    return isMore
  }
  return { claim, lookUp }
}

/** Returns a function that claims queued operations, of those types only for which there are places. */
function createClaims({ db, grouping }: ProcessDeps) {
  const turns = createTurns()
  let after = ZERO_ID
  return async (terms: Claim, places: Places) => {
    const { count, limits } = places
    const turn = turns.next(terms.limit)
    if ([...limits.values()].every((limit) => limit === count)) {
      const rows = await claimOperations(db, terms, turn)
      turns.record(turn, rows, terms.now)
      return { rows, isMore: mayBeMore(grouping, rows.length, places) }
    }
    const { rows, reached } = await claimOperationsOf(db, terms, { share: turn.share, after, limits })
    after = reached
    return { rows, isMore: rows.length > 0 }
  }
}

/** On Citus a claim takes the work of one node, and others may have some too. */
function mayBeMore(grouping: Grouping | undefined, claimed: number, { count }: Places): boolean {
  return grouping === 'citus' ? claimed > 0 : claimed === count
}

interface Claimed {
  /** The process's own clock, read before the claim. */
  readonly startedMs: number
  readonly leaseUntil: Date
  readonly places: Places
  readonly inFlight: Set<string>
}

async function carryOut(
  deps: ProcessDeps,
  issuer: Issuer,
  operation: ClaimedOperation,
  { startedMs, leaseUntil: leaseEnd, places, inFlight }: Claimed,
): Promise<void> {
  // This process was suspended after the claim. Others may look the operation up now, so it must not be sent any more.
  if (performance.now() - startedMs > sendWithinMs(deps.issuerTimeoutMs)) {
    places.giveBack(1)
    return
  }
  const startedAt = deps.clock.now()
  inFlight.add(operation.id)
  const subject = { action: operation.type, operationId: operation.id, attempt: operation.unsent_count + 1 }
  const outcome = await places.call(subject, () => send(issuer, operation))
  // Remove it before it is settled, because after that it may be due for a look-up.
  inFlight.delete(operation.id)
  const finishedAt = deps.clock.now()
  const settlement = settlementOf(operation, outcome, {
    now: finishedAt,
    since: startedAt,
    purpose: 'request',
    lookUpDelaysMs: issuer.lookUpDelaysMs,
  })
  // After the lease others look the operation up, and may have put it in review: then this answer is what ends the review.
  const isLate = finishedAt >= leaseEnd
  if (settlement.status !== 'completed' || isLate) {
    await record(deps, operation, { purpose: 'request', startedAt, finishedAt, outcome })
  }
  await settle(deps, settlement)
}

async function lookUpOperation(deps: ProcessDeps, issuer: Issuer, places: Places, operation: DueLookUp): Promise<void> {
  const { lookUpDelaysMs } = issuer
  const scope = scopeOf(operation)
  const startedAt = deps.clock.now()
  const isLast = isLastLookUp({ done: operation.look_up_count, delaysMs: lookUpDelaysMs })
  const amount = cents(operation.amount)
  const subject = { action: 'look_up', operationId: operation.id, attempt: operation.look_up_count + 1 }
  const outcome = await places.call(subject, () =>
    issuer.lookUp({ scope, token: operation.id, kind: operation.type, amount, isLast }),
  )
  const finishedAt = deps.clock.now()
  await record(deps, operation, { purpose: 'look_up', startedAt, finishedAt, outcome })
  const context = { now: finishedAt, since: operation.status_at, purpose: 'look_up', lookUpDelaysMs } as const
  const settlement = settlementOf(operation, outcome, context)
  const kept = settlement.status === 'manual_review' ? await findCertainAnswer(deps.db, scope, operation.id) : undefined
  await settle(deps, kept === undefined ? settlement : settlementOf(operation, kept, context))
}

function record({ db }: ProcessDeps, operation: ClaimedOperation, exchange: Exchange): Promise<void> {
  return recordExchange(db, scopeOf(operation), askedOf(operation), exchange)
}

async function settle({ settler, log }: ProcessDeps, settlement: Settlement): Promise<void> {
  const { moved } = await settler.push(settlement)
  if (!moved)
    log.warn(
      { operationId: settlement.id, status: settlement.status },
      'An operation was already settled by another process.',
    )
}

function send(issuer: Issuer, operation: ClaimedOperation): Promise<IssuerOutcome> {
  const { id: token, product_id: productId, holder_id: holderId, card_id: cardId, name, recipient } = operation
  const scope = scopeOf(operation)
  const amount = cents(operation.amount)
  switch (operation.type) {
    case 'issue':
      return issuer.issueCard({ scope, token, amount, productId, holderId: holderId ?? '', name: name ?? '' })
    case 'topup':
      return issuer.topUpCard({ scope, token, amount, productId, cardId: cardId ?? '' })
    case 'service':
      return issuer.orderService({ scope, token, amount, productId, recipient: recipient ?? '' })
  }
}

/** Returns the request as a review shows it. */
export function askedOf(operation: ClaimedOperation): Asked {
  const { id, type, amount, product_id: productId, holder_id: holderId, card_id: cardId, name, recipient } = operation
  return { prefix: 'op', id, type, amount, productId, holderId, cardId, name, recipient }
}

function scopeOf(operation: ClaimedOperation): Scope {
  return { companyId: operation.company_id, environment: operation.environment }
}
