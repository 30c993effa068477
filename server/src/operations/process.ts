// Carrying out operations: claim, call the issuer, settle. The claim is committed before anything is sent, and
// whoever did not claim may not send. An operation that may have been sent is only ever looked up afterwards.
import type { Db } from '../db/pool.ts'
import { withDeadline } from '../issuer/deadline.ts'
import { type Asked, recordExchange } from '../issuer/exchanges.ts'
import { leaseUntil, sendWithinMs } from '../issuer/lease.ts'
import type { IssuerOutcome, OperationIssuer } from '../issuer/port.ts'
import type { Settlement } from '../ledger/items.ts'
import type { Settler } from '../ledger/settle.ts'
import { ZERO_ID } from '../lib/ids.ts'
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import { cents } from '../lib/money.ts'
import type { Environment, Scope } from '../lib/scope.ts'
import type { Job } from '../worker/loop.ts'
import { claimLookUps, claimOperations, type ClaimedOperation, type QueuePosition } from './queries.ts'
import { settlementOf } from './rules.ts'

/** The literal in claim_operations: a full claim means that there may be more. */
const CLAIM_SIZE = 200
/** Calls under way at most: slow ones hold places without keeping the others waiting for long. */
const IN_FLIGHT_MAX = 1000
/** How often claiming starts again at the head of the queue, for what was committed late or queued again. */
const RESTART_QUEUE_MS = 5_000
/** Polling is what can be relied on: work starts within this when nobody wakes the worker. */
const POLL_INTERVAL_MS = 50

const QUEUE_HEAD: QueuePosition = { dueAt: new Date(0), id: ZERO_ID }

export interface ProcessDeps {
  db: Db
  clock: Clock
  log: Log
  settler: Settler
  /** Undefined for an environment without an issuer: nothing is ever accepted there. */
  issuers: Readonly<Record<Environment, OperationIssuer | undefined>>
  /** A call that takes longer has an unknown outcome. Longer than the sandbox's slow operations. */
  issuerTimeoutMs: number
  /** Called when a place became free while all were taken. */
  onRoom(): void
}

export interface Processor {
  readonly claims: Job
  readonly lookUps: Job
  /** Resolves when no call is under way. */
  idle(): Promise<void>
}

export function createProcessor(deps: ProcessDeps): Processor {
  const { db, clock, log } = deps
  const underWay = new Set<Promise<void>>()
  let position = QUEUE_HEAD
  let restartAtMs = 0

  const begin = (work: Promise<void>, operation: ClaimedOperation) => {
    const guarded = work
      .catch((error: unknown) =>
        log.error({ error, operationId: operation.id }, 'an operation could not be settled yet'),
      )
      .finally(() => {
        underWay.delete(guarded)
        if (underWay.size === IN_FLIGHT_MAX - CLAIM_SIZE) deps.onRoom()
      })
    underWay.add(guarded)
  }
  const hasRoom = () => underWay.size + CLAIM_SIZE <= IN_FLIGHT_MAX

  const claim = async () => {
    if (!hasRoom()) return false
    const startedMs = performance.now()
    if (startedMs > restartAtMs) {
      position = QUEUE_HEAD
      restartAtMs = startedMs + RESTART_QUEUE_MS
    }
    const now = clock.now()
    const rows = await claimOperations(db, now, leaseUntil(now, deps.issuerTimeoutMs), position)
    for (const row of rows) begin(carryOut(deps, row, startedMs), row)
    position = rows.length < CLAIM_SIZE ? QUEUE_HEAD : lastOf(rows)
    return rows.length === CLAIM_SIZE
  }
  const recover = async () => {
    if (!hasRoom()) return false
    const now = clock.now()
    const rows = await claimLookUps(db, now, leaseUntil(now, deps.issuerTimeoutMs))
    for (const row of rows) begin(lookUp(deps, row), row)
    return rows.length === CLAIM_SIZE
  }
  return {
    claims: { name: 'operations', intervalMs: POLL_INTERVAL_MS, run: claim },
    lookUps: { name: 'look-ups', intervalMs: POLL_INTERVAL_MS, run: recover },
    async idle() {
      while (underWay.size > 0) await Promise.all(underWay)
    },
  }
}

/** The rows come in no order; created_at is what due_at was when they were queued first. */
function lastOf(rows: readonly ClaimedOperation[]): QueuePosition {
  const last = rows.reduce((a, b) =>
    a.created_at > b.created_at || (a.created_at >= b.created_at && a.id > b.id) ? a : b,
  )
  return { dueAt: last.created_at, id: last.id }
}

async function carryOut(deps: ProcessDeps, operation: ClaimedOperation, claimedAtMs: number): Promise<void> {
  const issuer = deps.issuers[operation.environment]
  // Left to the look-ups of whoever comes after the lease.
  if (issuer === undefined || performance.now() - claimedAtMs > sendWithinMs(deps.issuerTimeoutMs)) return
  const startedAt = deps.clock.now()
  const outcome = await withDeadline(send(issuer, operation), deps.issuerTimeoutMs)
  const settlement = decide(deps, operation, issuer, outcome)
  if (settlement.status !== 'completed') {
    const exchange = { purpose: 'request', startedAt, finishedAt: deps.clock.now(), outcome } as const
    await recordExchange(deps.db, scopeOf(operation), askedOf(operation), exchange)
  }
  await settle(deps, settlement)
}

async function lookUp(deps: ProcessDeps, operation: ClaimedOperation): Promise<void> {
  const issuer = deps.issuers[operation.environment]
  if (issuer === undefined) return
  const scope = scopeOf(operation)
  const startedAt = deps.clock.now()
  const call = issuer.lookUp(scope, operation.id, cents(operation.amount))
  const outcome = await withDeadline(call, deps.issuerTimeoutMs)
  const exchange = { purpose: 'look_up', startedAt, finishedAt: deps.clock.now(), outcome } as const
  await recordExchange(deps.db, scope, askedOf(operation), exchange)
  await settle(deps, decide(deps, operation, issuer, outcome))
}

function decide(
  deps: ProcessDeps,
  operation: ClaimedOperation,
  issuer: OperationIssuer,
  outcome: IssuerOutcome,
): Settlement {
  return settlementOf(operation, outcome, { now: deps.clock.now(), lookUpDelaysMs: issuer.lookUpDelaysMs })
}

async function settle({ settler, log }: ProcessDeps, settlement: Settlement): Promise<void> {
  const { moved } = await settler.push(settlement)
  if (!moved)
    log.warn({ operationId: settlement.id, status: settlement.status }, 'an operation was settled by someone else')
}

function send(issuer: OperationIssuer, operation: ClaimedOperation): Promise<IssuerOutcome> {
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

/** What was asked for, as a dossier shows it. */
export function askedOf(operation: ClaimedOperation): Asked {
  const { id, type, amount, product_id: productId, holder_id: holderId, card_id: cardId, name, recipient } = operation
  return { prefix: 'op', id, type, amount, productId, holderId, cardId, name, recipient }
}

function scopeOf(operation: ClaimedOperation): Scope {
  return { companyId: operation.company_id, environment: operation.environment }
}
