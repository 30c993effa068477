// Decides what comes next for a request, from the steps that have ended. It calls nothing: the steps do, when the kernel takes them.
import { parseCents } from '../../../lib/money.ts'
import type { CardRequest, Facts, History, Next, ProviderObject, Reading, Refused } from '../../provider.ts'
import { makeCard, raiseLimit, readCard, setStatus } from './cards.ts'
import { findDetailsProblem } from './holder-fields.ts'
import { enrolHolder, readHolder, searchHolder } from './holders.ts'
import { done, factsIn, refusalIn, refuse, step, textFact } from '../../provider-kit/outcomes.ts'
import { refuseProduct } from '../../provider-kit/products.ts'
import type { Kit } from './kit.ts'
import { readRemaining } from './spent.ts'

type IssueRequest = CardRequest<Extract<CardRequest['body'], { kind: 'issue' }>>

export function planNext(kit: Kit, request: CardRequest, history: History): Next {
  const { token, body, card } = request
  if (body.kind === 'issue') return planIssue(kit, { ...request, body }, history)
  if (card === undefined) return refuse('card_unknown', 'The adapter does not know the card, so Stripe was not asked.')
  if (body.kind === 'topup') return planTopUp(kit, { token, card, amount: parseCents(body.amount) }, history)
  if (body.status === 'closed') return planClose(kit, { token, card }, history)
  const status = body.status === 'active' ? 'active' : 'inactive'
  return (
    refusalIn(history, 'status') ??
    (factsIn(history, 'status') === undefined
      ? step(setStatus(kit, { requestToken: token, name: 'status', cardId: card.providerId, status }))
      : { kind: 'done', receipt: card.providerId })
  )
}

function planIssue(kit: Kit, request: IssueRequest, history: History): Next {
  const begun = factsIn(history, 'begin')
  // What can be refused at once is refused before anything exists, and never later.
  if (begun === undefined) return findOrderProblem(kit, request) ?? step(begin(kit))
  const refusal = refusalIn(history, 'card')
  if (refusal !== undefined) return refusal
  const made = factsIn(history, 'card')
  if (made !== undefined) {
    return { kind: 'done', receipt: textFact(made, 'card') ?? '', last4: textFact(made, 'last4') ?? '' }
  }
  const holder = planHolder(kit, request, history)
  if (holder.kind !== 'cardholder') return holder
  const { token, body } = request
  return step(
    makeCard(kit, {
      token,
      id: body.cardId ?? '',
      cardholder: holder.cardholder,
      amount: parseCents(body.amount),
      since: Number(begun['at']),
    }),
  )
}

function findOrderProblem({ settings }: Kit, { body }: IssueRequest): Refused | undefined {
  if (body.cardId === undefined || body.holder === undefined) {
    return refuse(
      'protocol_too_old',
      'The server does not say who the holder is or which card it means. Update the server.',
    )
  }
  if (parseCents(body.amount) <= 0n) return refuse('amount_zero', 'A card needs an amount above zero.')
  return settings.virtualProducts.has(body.productId) ? undefined : refuseProduct(body.productId, 'STRIPE_PRODUCTS')
}

/** Stores when the order began, so that a look-up always searches the same time. It asks nobody. */
function begin({ settings }: Kit): Reading {
  return {
    type: 'reading',
    name: 'begin',
    read: async () => done({ at: Math.floor(settings.clock.now().getTime() / 1000) }),
  }
}

type PlannedHolder = { readonly kind: 'cardholder'; readonly cardholder: string } | Exclude<Next, { kind: 'done' }>

function planHolder(kit: Kit, request: IssueRequest, history: History): PlannedHolder {
  // A holder who was enrolled by this request comes first: the kernel may know it by now, and the answer must stay the same.
  const known = factsIn(history, 'holder') ?? factsIn(history, 'holder_status') ?? foundIn(history)
  if (known !== undefined) {
    const problem = findHolderProblem(known)
    return problem ?? { kind: 'cardholder', cardholder: textFact(known, 'cardholder') ?? '' }
  }
  const refusal =
    refusalIn(history, 'holder_search') ?? refusalIn(history, 'holder') ?? refusalIn(history, 'holder_status')
  if (refusal !== undefined) return refusal
  const { token: requestToken, body, holderDetails = {} } = request
  const { holderId: id } = body
  const email = body.holder?.email ?? ''
  if (factsIn(history, 'holder_search') === undefined) {
    // Stripe may have disabled a cardholder since the last card, so it is always read.
    if (request.holder !== undefined) return step(readHolder(kit, request.holder))
    return step(searchHolder(kit, { id, email }))
  }
  const problem = findDetailsProblem(holderDetails)
  return problem ?? step(enrolHolder(kit, { requestToken, id, email, details: holderDetails }))
}

function foundIn(history: History): Facts | undefined {
  const found = factsIn(history, 'holder_search')
  return textFact(found, 'cardholder') === undefined ? undefined : found
}

/** While Stripe has disabled a cardholder, all its cards decline. */
function findHolderProblem(known: Facts): Refused | undefined {
  const status = textFact(known, 'status')
  const reason = textFact(known, 'disabled_reason')
  if (status === 'active' && reason === undefined) return undefined
  const missing = textFact(known, 'past_due') || 'nothing that it names'
  return refuse(
    'holder_disabled',
    `Stripe does not let this cardholder have cards (${reason ?? `its status is ${status}`}; it needs ${missing}). Finish it in Stripe's dashboard, then order again.`,
  )
}

interface TopUp {
  readonly token: string
  readonly card: ProviderObject
  readonly amount: bigint
}

/** The limit that was read is the base of the new one, so the same history always asks for the same limit. */
function planTopUp(kit: Kit, { token, card, amount }: TopUp, history: History): Next {
  if (amount <= 0n) return refuse('amount_zero', 'A top-up needs an amount above zero.')
  const refusal = refusalIn(history, 'limit') ?? refusalIn(history, 'raise')
  if (refusal !== undefined) return refusal
  if (factsIn(history, 'raise') !== undefined) return { kind: 'done', receipt: card.providerId }
  const read = factsIn(history, 'limit')
  if (read === undefined) return step(readCard(kit, 'limit', card))
  const problem = findLimitProblem(card, read)
  if (problem !== undefined) return problem
  if (read['status'] === 'canceled') return refuse('card_closed', 'The card is canceled at Stripe.')
  const from = parseCents(textFact(read, 'limit') ?? '')
  return step(raiseLimit(kit, { requestToken: token, card, from, to: from + amount }))
}

/** Closes a card: deactivate it, so that nothing is authorised meanwhile, read what is left, cancel it. */
function planClose(kit: Kit, { token, card }: Omit<TopUp, 'amount'>, history: History): Next {
  const before = factsIn(history, 'card')
  if (before === undefined) return refusalIn(history, 'card') ?? step(readCard(kit, 'card', card))
  // With a limit that somebody else set, nobody can say what is left of ours.
  const problem = findLimitProblem(card, before)
  if (problem !== undefined) return problem
  const change = (name: string, status: 'inactive' | 'canceled') =>
    refusalIn(history, name) ?? step(setStatus(kit, { requestToken: token, name, cardId: card.providerId, status }))
  const isCanceled = before['status'] === 'canceled'
  if (!isCanceled && factsIn(history, 'pause') === undefined) return change('pause', 'inactive')
  const read = factsIn(history, 'balance')
  if (read === undefined) return refusalIn(history, 'balance') ?? step(readRemaining(kit, card))
  if (!isCanceled && factsIn(history, 'close') === undefined) return change('close', 'canceled')
  return { kind: 'done', receipt: card.providerId, balance: textFact(read, 'available') ?? '' }
}

/** Returns why the limit that Stripe has is not the one that we set last, or undefined. */
function findLimitProblem(card: ProviderObject, read: Facts): Refused | undefined {
  const ours = textFact(card.facts, 'limit')
  if (ours === undefined) {
    return refuse('limit_unknown', 'The adapter does not know the limit of the card, so it cannot change it.')
  }
  if (textFact(read, 'limit') === ours) return undefined
  return refuse(
    'limit_changed',
    `The limit of the card was changed at Stripe: it is ${textFact(read, 'limits')} in cents and should be ${parseCents(ours)} all_time. Set it back, then try again.`,
  )
}
