// What merchants do with the cards of the simulated Stripe. Captures and refunds are not stopped by limits, balances or canceled cards, as in card
// networks.
import { requireAuthorization, requireCard } from './api-calls.ts'
import { renderAuthorization, renderTransaction } from './render.ts'
import {
  addEvent,
  Failure,
  type SimulatedAuthorization,
  type SimulatedCard,
  type SimulatedTransaction,
  type World,
} from './world.ts'

export interface Purchase {
  readonly card: string
  /** In cents. 0 only verifies the card. */
  readonly amount: bigint
  /** What the merchant asks for, in the smallest unit of its currency. */
  readonly merchantAmount?: bigint | undefined
  readonly currency?: string | undefined
  readonly mcc?: string | undefined
  readonly name?: string | undefined
  readonly country?: string | undefined
}

/** Authorises a payment, or declines it. */
export function authorise(world: World, wanted: Purchase): SimulatedAuthorization {
  const card = requireCard(world, wanted.card)
  const { amount, merchantAmount = amount } = wanted
  const approved = isAllowed(world, card, amount)
  const authorization: SimulatedAuthorization = {
    id: world.newId('iauth'),
    card,
    created: world.now(),
    merchant: merchantOf(wanted),
    approved,
    asked: { amount, merchantAmount },
    holds: approved && amount > 0n ? [{ amount: -amount, created: world.now() }] : [],
    transactions: [],
    status: approved ? 'pending' : 'closed',
    amount,
    merchantAmount,
  }
  if (approved) world.balance -= amount
  world.authorizations.set(authorization.id, authorization)
  addEvent(world, 'issuing_authorization.created', renderAuthorization(authorization))
  return authorization
}

/** Captures an authorization. `amount` may be another than was authorised, and there may be several captures. */
export function capture(world: World, id: string, amount: bigint): SimulatedTransaction {
  const authorization = requireAuthorization(world, id)
  release(world, authorization)
  authorization.status = 'closed'
  const { card, merchant } = authorization
  const transaction = move(world, { card, merchant, authorization, type: 'capture', amount: -amount })
  addEvent(world, 'issuing_authorization.updated', renderAuthorization(authorization))
  return transaction
}

/** Captures without an authorization. Nobody can decline it. */
export function forceCapture(world: World, wanted: Purchase): SimulatedTransaction {
  const { amount, merchantAmount = amount } = wanted
  const card = requireCard(world, wanted.card)
  return move(world, {
    card,
    merchant: merchantOf(wanted),
    type: 'capture',
    amount: -amount,
    merchantAmount: -merchantAmount,
  })
}

/** Gives money to a card, linked to an authorization or not. A negative amount reverses a refund. */
export function refund(world: World, wanted: Purchase & { authorization?: string }): SimulatedTransaction {
  const { authorization: id, amount } = wanted
  const authorization = id === undefined ? undefined : requireAuthorization(world, id)
  return move(world, {
    card: requireCard(world, wanted.card),
    merchant: merchantOf(wanted),
    authorization,
    type: 'refund',
    amount,
  })
}

/** Ends an authorization without a capture. As at Stripe, it holds nothing afterwards. */
export function end(world: World, id: string, status: 'reversed' | 'expired'): SimulatedAuthorization {
  const authorization = requireAuthorization(world, id)
  if (authorization.status !== 'pending') throw new Failure(400, 'The authorization is not pending.')
  release(world, authorization)
  authorization.status = status
  authorization.amount = 0n
  authorization.merchantAmount = 0n
  addEvent(world, 'issuing_authorization.updated', renderAuthorization(authorization))
  return authorization
}

/** Only an all_time limit is added up here; it is the only one that the adapter sets. */
function isAllowed(world: World, card: SimulatedCard, amount: bigint): boolean {
  if (card.status !== 'active' || card.cardholder.disabledReason !== null || world.balance < amount) return false
  const limit = card.limits.find(({ interval }) => interval === 'all_time')
  return limit === undefined || spentOn(world, card) + amount <= limit.amount
}

export function spentOn(world: World, card: SimulatedCard): bigint {
  const held = [...world.authorizations.values()]
    .filter((one) => one.card === card && one.status === 'pending')
    .reduce((sum, { amount }) => sum + amount, 0n)
  const moved = [...world.transactions.values()].filter((one) => one.card === card)
  return held - moved.reduce((sum, { amount }) => sum + amount, 0n)
}

function release(world: World, { holds }: SimulatedAuthorization): void {
  const held = -holds.reduce((sum, { amount }) => sum + amount, 0n)
  if (held === 0n) return
  holds.push({ amount: held, created: world.now() })
  world.balance += held
}

type Moved = Pick<SimulatedTransaction, 'card' | 'merchant' | 'type' | 'amount'> & {
  readonly authorization?: SimulatedAuthorization | undefined
  readonly merchantAmount?: bigint
}

function move(world: World, moved: Moved): SimulatedTransaction {
  const { authorization, amount, merchantAmount = amount } = moved
  const transaction: SimulatedTransaction = {
    ...moved,
    id: world.newId('ipi'),
    authorization,
    merchantAmount,
    created: world.now(),
  }
  world.transactions.set(transaction.id, transaction)
  world.balance += amount
  authorization?.transactions.push(transaction)
  addEvent(world, 'issuing_transaction.created', renderTransaction(transaction))
  return transaction
}

function merchantOf({ currency = 'usd', mcc = '5812', name = 'COFFEE SHOP', country = 'US' }: Purchase) {
  return { currency, mcc, name, country }
}
