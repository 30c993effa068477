// Decides what comes next for a request, from the steps that have ended. It calls nothing: the steps do, when the kernel takes them.
// What a step has found is read from the history, never from the settings, so that a change of settings changes no request under way.
import { findId } from '../../../lib/ids.ts'
import { parseCents } from '../../../lib/money.ts'
import type { CardRequest, Facts, History, Next, Reading, Refused } from '../../provider.ts'
import { makeCard, setState } from './cards.ts'
import { planClose } from './close.ts'
import { addressOf, findDetailsProblem, findShippingProblem } from './holder-fields.ts'
import { ACCEPTED, enrolHolder, readHolder, searchHolder } from './holders.ts'
import { done, factsIn, refusalIn, refuse, step, textFact } from '../../provider-kit/outcomes.ts'
import { refuseProduct } from '../../provider-kit/products.ts'
import { type Kit, needsFundingAccount } from './kit.ts'
import { planTopUp } from './top-up.ts'
import { transfer } from './transfers.ts'

const PRODUCT_SETTINGS = 'LITHIC_VIRTUAL_PRODUCTS or LITHIC_PHYSICAL_PRODUCTS'

type IssueRequest = CardRequest<Extract<CardRequest['body'], { kind: 'issue' }>>

export function planNext(kit: Kit, request: CardRequest, history: History): Next {
  const { body, card } = request
  if (body.kind === 'issue') return planIssue(kit, { ...request, body }, history)
  if (card === undefined) return refuse('card_unknown', 'The adapter does not know the card, so Lithic was not asked.')
  if (body.kind === 'topup') return planTopUp(kit, { token: request.token, card, body }, history)
  if (body.status === 'closed') return planClose(kit, { token: request.token, card }, history)
  const state = body.status === 'active' ? 'OPEN' : 'PAUSED'
  return (
    refusalIn(history, 'status') ??
    (factsIn(history, 'status') === undefined
      ? step(setState(kit, 'status', card.providerId, state))
      : { kind: 'done', receipt: card.providerId })
  )
}

function planIssue(kit: Kit, request: IssueRequest, history: History): Next {
  const pinned = factsIn(history, 'settings')
  // What can be refused at once is refused before anything exists, and never later.
  if (pinned === undefined) return findOrderProblem(kit, request) ?? step(pinSettings(kit, request.body.productId))
  const refusal = refusalIn(history, 'card')
  if (refusal !== undefined) return refusal
  const made = factsIn(history, 'card')
  if (made === undefined) {
    const holder = planHolder(kit, request, history)
    return holder.kind === 'account' ? planCard(kit, request, holder.account, pinned) : holder
  }
  const card = textFact(made, 'card') ?? ''
  const last4 = textFact(made, 'last4') ?? ''
  const from = textFact(pinned, 'funding')
  if (pinned['mode'] === 'limit' || from === undefined) return { kind: 'done', receipt: card, last4 }
  return planFunding(kit, request, history, { card, last4, from })
}

function findOrderProblem({ settings }: Kit, { body, holderDetails }: IssueRequest): Refused | undefined {
  if (body.cardId === undefined || body.holder === undefined) {
    return refuse(
      'protocol_too_old',
      'The server does not say who the holder is or which card it means. Update the server.',
    )
  }
  if (parseCents(body.amount) <= 0n) return refuse('amount_zero', 'A card needs an amount above zero.')
  if (settings.mode === 'balance' && settings.fundingAccount === undefined) return needsFundingAccount()
  if (settings.physicalProducts.has(body.productId)) return findShippingProblem(holderDetails)
  return settings.virtualProducts.has(body.productId) ? undefined : refuseProduct(body.productId, PRODUCT_SETTINGS)
}

/** Stores the settings with which a card is made, so that a restart with others changes nothing of it. It asks nobody. */
function pinSettings({ settings }: Kit, productId: string): Reading {
  const { mode, fundingAccount, cardProgram, physicalProducts } = settings
  return {
    type: 'reading',
    name: 'settings',
    read: async () =>
      done({
        mode,
        funding: mode === 'balance' ? (fundingAccount ?? null) : null,
        program: cardProgram ?? null,
        design: physicalProducts.get(productId) ?? null,
      }),
  }
}

type PlannedHolder = Exclude<Next, { kind: 'done' }> | { readonly kind: 'account'; readonly account: string }

function planHolder(kit: Kit, request: IssueRequest, history: History): PlannedHolder {
  // A holder who was enrolled by this request comes first: the kernel may know it by now, and the answer must stay the same.
  const enrolled = factsIn(history, 'holder') ?? factsIn(history, 'holder_status') ?? foundIn(history)
  const known = enrolled ?? request.holder?.facts
  const account = textFact(known, 'account')
  const status = textFact(known, 'status')
  if (account !== undefined && status === ACCEPTED) return { kind: 'account', account }
  const refusal =
    refusalIn(history, 'holder_search') ?? refusalIn(history, 'holder') ?? refusalIn(history, 'holder_status')
  if (refusal !== undefined) return refusal
  if (enrolled !== undefined) {
    return refuse(
      'holder_not_accepted',
      `Lithic has not accepted the holder (${status ?? 'no status'}). Finish it in Lithic's dashboard.`,
    )
  }
  if (request.holder !== undefined) return step(readHolder(kit, request.holder))
  return planEnrolment(kit, request, history)
}

function foundIn(history: History) {
  const found = factsIn(history, 'holder_search')
  return textFact(found, 'account') === undefined ? undefined : found
}

function planEnrolment(
  kit: Kit,
  { body, holderDetails }: IssueRequest,
  history: History,
): Exclude<Next, { kind: 'done' }> {
  const externalId = findId('hld', body.holderId)
  if (externalId === undefined) return refuse('holder_unknown', 'The id of the holder is not in the expected format.')
  if (factsIn(history, 'holder_search') === undefined) return step(searchHolder(kit, { id: body.holderId, externalId }))
  const problem = findDetailsProblem(holderDetails)
  if (problem !== undefined) return problem
  const email = body.holder?.email ?? ''
  return step(enrolHolder(kit, { id: body.holderId, externalId, email, details: holderDetails ?? {} }))
}

function planCard(kit: Kit, { token, body, holderDetails = {} }: IssueRequest, account: string, pinned: Facts): Next {
  const design = textFact(pinned, 'design')
  const { first_name, last_name } = holderDetails
  const address = { first_name, last_name, ...addressOf(holderDetails) }
  return step(
    makeCard(kit, {
      token,
      id: body.cardId ?? '',
      account,
      mode: pinned['mode'] === 'limit' ? 'limit' : 'balance',
      program: textFact(pinned, 'program'),
      amount: parseCents(body.amount),
      physical: design === undefined ? undefined : { design, address },
    }),
  )
}

/** Puts the money on a new card. A card that gets none is closed, because nobody will ever use it. */
function planFunding(
  kit: Kit,
  { token, body }: IssueRequest,
  history: History,
  { card, last4, from }: { card: string; last4: string; from: string },
): Next {
  if (factsIn(history, 'transfer') !== undefined) return { kind: 'done', receipt: card, last4 }
  const refusal = refusalIn(history, 'transfer')
  if (refusal !== undefined) {
    if (history['discard'] === undefined) return step(setState(kit, 'discard', card, 'CLOSED'))
    const isLeft = refusalIn(history, 'discard') !== undefined
    return isLeft
      ? { ...refusal, message: `${refusal.message} The card ${card} has no money and could not be closed.` }
      : refusal
  }
  return step(transfer(kit, { requestToken: token, name: 'transfer', from, to: card, amount: parseCents(body.amount) }))
}
