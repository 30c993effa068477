// Operations as requests to an issuer: how one is sent, looked up, settled and described. The worker claims them from a queue, in
// which companies take turns.
import type { Db } from '../db/pool.ts'
import { listHoldersOf } from '../holders/queries.ts'
import type { Asked } from '../issuer/exchanges.ts'
import type { Permits } from '../issuer/gate.ts'
import { OPERATION_KINDS } from '../issuer/lines.ts'
import type { Cardholder, Issuer, IssuerOutcome, LookUpOutcome } from '../issuer/port.ts'
import { scopeOf } from '../issuer/requests/ask.ts'
import type { CompleteNext } from '../issuer/requests/complete.ts'
import type { DueClaim } from '../issuer/requests/queries.ts'
import { mayBeMore, type QueuedKind } from '../issuer/requests/worker.ts'
import type { Settlement } from '../ledger/items.ts'
import type { Settler } from '../ledger/settle.ts'
import type { Grouping } from '../lib/grouping.ts'
import { ZERO_ID } from '../lib/ids.ts'
import type { Log } from '../lib/log.ts'
import { cents } from '../lib/money.ts'
import { cardIdOf } from '../cards/card-id.ts'
import {
  claimOperations,
  claimOperationsOf,
  type ClaimedOperation,
  completeOperations,
  listClaimedOperations,
} from './queries.ts'
import { settlementOf } from './rules.ts'
import { createTurns, summarise } from './turns.ts'

export interface OperationKindDeps {
  db: Db
  log: Log
  settler: Settler
  /** How the database groups what belongs together. */
  grouping?: Grouping | undefined
}

export type OperationKind = QueuedKind<ClaimedOperation, IssuerOutcome | LookUpOutcome, Settlement>

export function operationKind(deps: OperationKindDeps): OperationKind {
  return {
    callKinds: OPERATION_KINDS,
    callKindOf: ({ type }) => type,
    subjectOf: ({ type, id: operationId, unsent_count, look_up_count }, purpose) =>
      purpose === 'request'
        ? { action: type, operationId, attempt: unsent_count + 1 }
        : { action: 'look_up', operationId, attempt: look_up_count + 1 },
    send,
    listClaimed: (environment, claimed) => listClaimedOperations(deps.db, environment, claimed),
    lookUp: (issuer, row, isLast) =>
      issuer.lookUp({ scope: scopeOf(row), token: row.id, kind: row.type, amount: cents(row.amount), isLast }),
    decide: settlementOf,
    // Nearly every operation completes at once, and its row says all about that. After the lease others may have put it in review,
    // and then the answer is what ends the review.
    isKept: ({ status }, { purpose, isLate }) => purpose === 'look_up' || status !== 'completed' || isLate,
    fromKept: (answer) => answer,
    settle: (_row, settlement) => settle(deps, settlement),
    describe: askedOf,
    createClaims: () => createClaims(deps),
    createCompletions: () => (deps.grouping === 'citus' ? undefined : createCompletions(deps.db)),
    aboutOf: (operationId) => ({ operationId }),
  }
}

/** Companies take turns. The second way to claim is slower, and skips types that the issuer does not answer. */
function createClaims({ db, grouping }: OperationKindDeps) {
  const turns = createTurns()
  let after = ZERO_ID
  return async (due: DueClaim, permits: Permits) => {
    const { count, limits } = permits
    const turn = turns.next(due.limit)
    if ([...limits.values()].every((limit) => limit === count)) {
      const rows = await claimOperations(db, due, turn)
      turns.record(turn, summarise(rows), due.now)
      return { rows: await addHolders(db, due, rows), isMore: mayBeMore(grouping, rows.length, permits) }
    }
    const { rows, reached } = await claimOperationsOf(db, due, { share: turn.share, after, limits })
    after = reached
    return { rows: await addHolders(db, due, rows), isMore: rows.length > 0 }
  }
}

/** Companies take turns here, too. What is left out stays in the queue for the claims. */
function createCompletions(db: Db): CompleteNext {
  const turns = createTurns()
  return async (due, atOnce) => {
    const turn = turns.next(due.limit)
    const rows = await completeOperations(db, due, turn, atOnce)
    const taken = new Map(rows.map(({ company_id: companyId, due: count, last }) => [companyId, { count, last }]))
    turns.record(turn, taken, due.now)
    const dueCount = rows.reduce((sum, row) => sum + row.due, 0)
    const leftOut = rows.reduce((sum, row) => sum + row.left_out, 0)
    return { completed: dueCount - leftOut, leftOut, isMore: leftOut < dueCount && dueCount === due.limit }
  }
}

/**
 * Adds who gets a card, which a live issuer is told. They are read here and not when an issue is sent, because the time that is left to
 * send is checked after this. What could not be read is not sent, and is tried again.
 */
async function addHolders(db: Db, { environment }: DueClaim, rows: readonly ClaimedOperation[]) {
  const issues = environment === 'live' ? rows.filter(({ type }) => type === 'issue') : []
  if (issues.length === 0) return rows
  const companyIds = issues.map(({ company_id }) => company_id)
  const ids = issues.map(({ holder_id }) => holder_id ?? ZERO_ID)
  const holders = await listHoldersOf(db, environment, { companyIds, ids }).catch(() => [])
  const found = new Map(holders.map(({ company_id, id, ...holder }) => [`${company_id} ${id}`, holder]))
  return rows.map((row) => {
    const holder = found.get(`${row.company_id} ${row.holder_id}`)
    return holder === undefined ? row : { ...row, holder }
  })
}

async function send(issuer: Issuer, operation: ClaimedOperation & { holder?: Cardholder }): Promise<IssuerOutcome> {
  const { id: token, product_id: productId, holder_id: holderId, card_id: cardId, name, recipient } = operation
  const scope = scopeOf(operation)
  const amount = cents(operation.amount)
  switch (operation.type) {
    case 'issue': {
      const { holder } = operation
      const cardholder = { holderId: holderId ?? '', ...(holder === undefined ? {} : { holder }) }
      return issuer.issueCard({
        scope,
        token,
        amount,
        productId,
        cardId: cardIdOf(token),
        name: name ?? '',
        ...cardholder,
      })
    }
    case 'topup':
      return issuer.topUpCard({ scope, token, amount, productId, cardId: cardId ?? '' })
    case 'service':
      return issuer.orderService({ scope, token, amount, productId, recipient: recipient ?? '' })
  }
}

async function settle({ settler, log }: OperationKindDeps, settlement: Settlement): Promise<void> {
  const { moved } = await settler.push(settlement)
  if (!moved)
    log.warn(
      { operationId: settlement.id, status: settlement.status },
      'An operation was already settled by another process.',
    )
}

export function askedOf(operation: ClaimedOperation): Asked {
  const { id, type, amount, product_id: productId, holder_id: holderId, name, recipient } = operation
  const cardId = type === 'issue' ? cardIdOf(id) : operation.card_id
  return { prefix: 'op', id, type, amount, productId, holderId, cardId, name, recipient }
}
