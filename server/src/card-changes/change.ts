// POST /cards/{id}/freeze, unfreeze and close: records the attempt, asks the issuer once, and settles the answer. A change
// whose outcome is unknown is only looked up, never sent again; if that does not help, a person decides.
import { type CardRow, findCard } from '../cards/queries.ts'
import type { WantedStatus } from '../cards/states.ts'
import type { Db } from '../db/pool.ts'
import { ApiError, notFound, requireFound } from '../errors.ts'
import { unavailable } from '../http/respond-error.ts'
import { isLastLookUp } from '../issuer/evidence.ts'
import { type Asked, type Exchange, findCertainAnswer, recordExchange } from '../issuer/exchanges.ts'
import { leaseUntil } from '../issuer/lease.ts'
import { type Gate, type Gates, giveAllBack, type Places, runForEach } from '../issuer/gate.ts'
import type { Issuer, IssuerOutcome, LookUpOutcome } from '../issuer/port.ts'
import type { Clock } from '../lib/clock.ts'
import { newId } from '../lib/ids.ts'
import { must } from '../lib/invariant.ts'
import type { Log } from '../lib/log.ts'
import type { Environment, Scope } from '../lib/scope.ts'
import { createFailureLog, type FailureLog } from '../worker/failure-log.ts'
import type { Job } from '../worker/loop.ts'
import { beginCardChange, type CardChangeRow, claimCardChanges, settleCardChange } from './queries.ts'
import { settlementOf } from './rules.ts'
import { CARD_ACTIONS, type CardAction } from './states.ts'

/** The longest that a caller waits for the issuer. After that the worker looks the outcome up. */
const WAIT_MAX_MS = 12_000
const POLL_INTERVAL_MS = 500
/** The most that one claim takes. */
const CLAIM_SIZE = 100

export interface ChangeDeps {
  db: Db
  clock: Clock
  gates: Gates
  issuerTimeoutMs: number
}

/** `open` means that the outcome is not known yet: the card is unchanged, and `pendingStatus` is the status asked for. */
export interface Changed {
  readonly card: CardRow
  readonly open: boolean
}

export async function changeCard(deps: ChangeDeps, scope: Scope, cardId: string, action: CardAction): Promise<Changed> {
  const { db } = deps
  const gate = deps.gates[scope.environment]
  // Stopping a card is tried even while the issuer does not answer: a stolen card may not wait for its recovery.
  const places = action === 'unfreeze' ? await gate?.reserveSoon(1, 'card_status') : gate?.reserveUrgent()
  if (gate === undefined || places === undefined || places.count === 0) {
    requireFound(await findCard(db, scope, cardId))
    throw unavailable()
  }
  return changeThrough(deps, scope, { cardId, action, issuer: gate.issuer, places })
}

async function changeThrough(
  deps: ChangeDeps,
  scope: Scope,
  { cardId, action, issuer, places }: { cardId: string; action: CardAction; issuer: Issuer; places: Places },
): Promise<Changed> {
  const { db, clock } = deps
  const { from, to } = CARD_ACTIONS[action]
  const now = clock.now()
  const id = newId(now)
  const change = { id, cardId, wanted: to, from, dueAt: leaseUntil(now, deps.issuerTimeoutMs) }
  const begin = () => beginCardChange(db, scope, now, change)
  const { verdict } = must(await begin().catch(giveAllBack(places)))
  if (verdict !== 'begun') places.giveBack(1)
  if (verdict === null) throw notFound()
  const card = must(await findCard(db, scope, cardId).catch(verdict === 'begun' ? giveAllBack(places) : undefined))
  switch (verdict) {
    case 'already':
      return { card, open: false }
    case 'same':
      return { card, open: true }
    case 'begun':
      break
    case 'other':
    case 'refused':
    case 'topup_open':
      throw refusalOf(verdict, card, action)
  }
  const outcome = await places.call(
    { action: 'card_status', attempt: 1 },
    () => issuer.setCardStatus({ scope, token: id, cardId, status: to }),
    Math.min(deps.issuerTimeoutMs, WAIT_MAX_MS),
  )
  const asked = askedOf({ id, card_id: cardId, wanted: to })
  await settle(deps, scope, asked, {
    issuer,
    lookUpsDone: 0,
    since: now,
    exchange: { purpose: 'request', startedAt: now, outcome },
  })
  if (outcome.kind === 'not_sent') throw unavailable()
  if (outcome.kind === 'declined') {
    throw new ApiError('card_change_declined', `The issuer declined: ${outcome.message} The card is unchanged.`, {
      details: { code: outcome.code },
    })
  }
  return { card: must(await findCard(db, scope, cardId)), open: outcome.kind === 'unknown' }
}

function refusalOf(verdict: 'other' | 'refused' | 'topup_open', card: CardRow, action: CardAction): ApiError {
  const { status, pending_status: pendingStatus } = card
  switch (verdict) {
    case 'other':
      return new ApiError(
        'card_change_open',
        `The card is being changed to ${pendingStatus ?? status}. Wait until that change is finished, then try again.`,
        { details: { status, pendingStatus } },
      )
    case 'refused':
      return new ApiError(
        'card_status_not_allowed',
        `This card is ${status}. To ${action} a card, it must be ${CARD_ACTIONS[action].from.join(' or ')}.`,
        { details: { status } },
      )
    case 'topup_open':
      return new ApiError('card_topup_open', 'A top-up of this card is not finished. Close the card when it is.')
  }
}

export function cardChangeJob(deps: ChangeDeps & { log: Log }): Job {
  const logFailure = createFailureLog(deps.log, 'A card change could not be settled and will be tried again.')
  return {
    name: 'card changes',
    intervalMs: POLL_INTERVAL_MS,
    run: () => runForEach(deps.gates, (environment, gate) => lookUpDue({ ...deps, logFailure }, environment, gate)),
  }
}

async function lookUpDue(
  deps: ChangeDeps & { logFailure: FailureLog },
  environment: Environment,
  gate: Gate,
): Promise<boolean> {
  const { db, clock, logFailure, issuerTimeoutMs } = deps
  const places = await gate.reserveSoon(CLAIM_SIZE, 'look_up')
  if (places.count === 0) return false
  const now = clock.now()
  const claim = { environment, now, leaseUntil: leaseUntil(now, issuerTimeoutMs), limit: places.count }
  const rows = await claimCardChanges(db, claim).catch(giveAllBack(places))
  places.giveBack(places.count - rows.length)
  const results = await Promise.allSettled(rows.map((row) => lookUp(deps, gate.issuer, places, row)))
  for (const result of results) if (result.status === 'rejected') logFailure(result.reason)
  return rows.length === places.count
}

async function lookUp(deps: ChangeDeps, issuer: Issuer, places: Places, row: CardChangeRow): Promise<void> {
  const scope = { companyId: row.company_id, environment: row.environment }
  const startedAt = deps.clock.now()
  const isLast = isLastLookUp({ done: row.look_up_count, delaysMs: issuer.lookUpDelaysMs })
  const subject = { action: 'look_up_card_status', attempt: row.look_up_count + 1 }
  const outcome = await places.call(subject, () => issuer.lookUp({ scope, token: row.id, kind: 'card_status', isLast }))
  await settle(deps, scope, askedOf(row), {
    issuer,
    lookUpsDone: row.look_up_count,
    since: row.created_at,
    exchange: { purpose: 'look_up', startedAt, outcome },
  })
}

async function settle(
  { db, clock }: ChangeDeps,
  scope: Scope,
  asked: Asked,
  answer: {
    issuer: Issuer
    lookUpsDone: number
    since: Date
    exchange: Omit<Exchange, 'finishedAt' | 'outcome'> & { readonly outcome: IssuerOutcome | LookUpOutcome }
  },
): Promise<void> {
  const { issuer, lookUpsDone, since, exchange } = answer
  const { purpose } = exchange
  const now = clock.now()
  await recordExchange(db, scope, asked, { ...exchange, finishedAt: now })
  const attempts = { now, since, purpose, lookUps: { done: lookUpsDone, delaysMs: issuer.lookUpDelaysMs } }
  const settlement = settlementOf(exchange.outcome, attempts)
  const kept = settlement.status === 'manual_review' ? await findCertainAnswer(db, scope, asked.id) : undefined
  await settleCardChange(db, scope, asked.id, now, kept === undefined ? settlement : settlementOf(kept, attempts))
}

/** Returns the request as a dossier shows it. */
export function askedOf(change: { id: string; card_id: string; wanted: WantedStatus }): Asked {
  return { prefix: 'chg', id: change.id, cardId: change.card_id, status: change.wanted }
}
