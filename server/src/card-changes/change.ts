// POST /cards/{id}/freeze, unfreeze and close: records the attempt, asks the issuer once, and settles the answer. A change
// whose outcome is unknown is only looked up, never sent again; if that does not help, a person decides.
import type { Caller } from '../access/caller.ts'
import { creatorOf } from '../access/creator.ts'
import { type CardRow, findCard } from '../cards/queries.ts'
import type { Db } from '../db/pool.ts'
import { ApiError, notFound, requireFound } from '../errors.ts'
import { unavailable } from '../http/respond-error.ts'
import { type Gates, giveAllBack, type Permits } from '../issuer/gate.ts'
import type { Issuer } from '../issuer/port.ts'
import { askOnce, beginClaim } from '../issuer/requests/ask.ts'
import type { Clock } from '../lib/clock.ts'
import { newId } from '../lib/ids.ts'
import { must } from '../lib/invariant.ts'
import type { Scope } from '../lib/scope.ts'
import type { TakePlace } from './places.ts'
import { beginCardChange } from './queries.ts'
import { cardChangeKind } from './request-kind.ts'
import { CARD_ACTIONS, type CardAction } from './states.ts'

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

export async function changeCard(
  deps: ChangeDeps & { takePlace: TakePlace },
  caller: Pick<Caller, 'by' | 'scope'>,
  cardId: string,
  action: CardAction,
): Promise<Changed> {
  const free = await deps.takePlace(caller.scope, action)
  try {
    return await changeInPlace(deps, caller, cardId, action)
  } finally {
    free()
  }
}

async function changeInPlace(
  deps: ChangeDeps,
  caller: Pick<Caller, 'by' | 'scope'>,
  cardId: string,
  action: CardAction,
): Promise<Changed> {
  const { db } = deps
  const { scope } = caller
  const gate = deps.gates[scope.environment]
  // Stopping a card is tried even while the issuer does not answer: a stolen card may not wait for its recovery.
  const permits = action === 'unfreeze' ? await gate?.reserveSoon(1, 'card_status') : gate?.reserveUrgent()
  if (gate === undefined || permits === undefined || permits.count === 0) {
    requireFound(await findCard(db, scope, cardId))
    throw unavailable()
  }
  const createdBy = creatorOf(caller)
  return changeThrough(deps, scope, { cardId, action, createdBy, issuer: gate.issuer, permits })
}

interface Through {
  readonly cardId: string
  readonly action: CardAction
  readonly createdBy: string
  readonly issuer: Issuer
  readonly permits: Permits
}

async function changeThrough(
  deps: ChangeDeps,
  scope: Scope,
  { cardId, action, createdBy, issuer, permits }: Through,
): Promise<Changed> {
  const { db } = deps
  const { from, to } = CARD_ACTIONS[action]
  const claim = beginClaim(deps)
  const id = newId(claim.now)
  const change = { id, cardId, wanted: to, from, dueAt: claim.leaseUntil, createdBy }
  const begin = () => beginCardChange(db, scope, claim.now, change)
  const { verdict } = must(await begin().catch(giveAllBack(permits)))
  if (verdict !== 'begun') permits.giveBack(1)
  if (verdict === null) throw notFound()
  const card = must(await findCard(db, scope, cardId).catch(verdict === 'begun' ? giveAllBack(permits) : undefined))
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
  const row = {
    company_id: scope.companyId,
    environment: scope.environment,
    id,
    card_id: cardId,
    wanted: to,
    look_up_count: 0,
  }
  const outcome = await askOnce(deps, cardChangeKind(deps), row, { claim, issuer, permits })
  if (outcome?.kind === 'not_sent') throw unavailable()
  if (outcome?.kind === 'declined') {
    throw new ApiError('card_change_declined', `The issuer declined: ${outcome.message} The card is unchanged.`, {
      details: { code: outcome.code },
    })
  }
  return { card: must(await findCard(db, scope, cardId)), open: outcome?.kind !== 'confirmed' }
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
      return new ApiError('card_topup_open', 'A top-up of this card is in progress. Close the card when it has ended.')
  }
}
