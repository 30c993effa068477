// What merchants do with the cards of the simulated Lithic, and what a person changes by hand in Lithic's dashboard. Each moves money as at Lithic
// and adds its event. Captures, force-posts and refunds are not stopped by limits, balances or closed cards, as in card networks.
import { requireCard } from './api-calls.ts'
import { renderPayment, renderTransfer } from './render.ts'
import {
  accountOf,
  addEvent,
  Failure,
  type Movement,
  type Payment,
  requireAccount,
  type SimulatedCard,
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
  readonly descriptor?: string | undefined
  readonly country?: string | undefined
}

/** Authorises a payment, or declines it. */
export function purchase(world: World, wanted: Purchase): Payment {
  const payment = begin(world, wanted)
  const { card } = payment
  const decline = findDecline(world, card, wanted.amount)
  move(world, payment, wanted, { type: 'AUTHORIZATION', result: decline ?? 'APPROVED' })
  payment.status = decline === undefined ? 'PENDING' : 'DECLINED'
  if (decline === undefined) hold(world, payment, wanted.amount)
  return changed(world, payment)
}

/** Presents a payment without an authorisation. Nobody can decline it. */
export function forcePost(world: World, wanted: Purchase): Payment {
  return clear(world, begin(world, wanted), wanted)
}

/** Gives money to a card without an authorisation. */
export function refund(world: World, wanted: Purchase): Payment {
  return giveBack(world, begin(world, wanted), wanted)
}

/** Presents a payment. `amount` may be another than was authorised. If it is not the last capture, the rest stays held. */
export function settle(world: World, token: string, wanted: { amount: bigint; isLast?: boolean | undefined }): Payment {
  return clear(world, requirePayment(world, token), wanted)
}

/** Refunds into the same payment. */
export function refundInto(world: World, token: string, amount: bigint): Payment {
  return giveBack(world, requirePayment(world, token), { amount })
}

export function voidPayment(world: World, token: string): Payment {
  const payment = requirePayment(world, token)
  move(world, payment, { amount: payment.hold }, { type: 'AUTHORIZATION_REVERSAL', polarity: 'CREDIT' })
  release(world, payment, payment.hold)
  payment.status = 'VOIDED'
  return changed(world, payment)
}

export function expire(world: World, token: string): Payment {
  const payment = requirePayment(world, token)
  move(world, payment, { amount: payment.hold }, { type: 'AUTHORIZATION_EXPIRY', polarity: 'CREDIT' })
  release(world, payment, payment.hold)
  payment.status = 'EXPIRED'
  return changed(world, payment)
}

/** Reverses a transfer by hand. */
export function reverseTransfer(world: World, token: string): void {
  const transfer = world.transfers.get(token)
  if (transfer?.status !== 'SETTLED') throw new Failure(404, 'There is no settled transfer with this token.')
  requireAccount(world, transfer.from).total += transfer.amount
  requireAccount(world, transfer.to).total -= transfer.amount
  transfer.status = 'REVERSED'
  transfer.updated = world.clock.now()
  addEvent(world, 'book_transfer_transaction.updated', renderTransfer(transfer))
}

function begin(world: World, wanted: Purchase): Payment {
  const now = world.clock.now()
  const { currency = 'USD', mcc = '5812', descriptor = 'COFFEE SHOP', country = 'USA' } = wanted
  const payment: Payment = {
    token: world.newToken(),
    card: requireCard(world, wanted.card),
    movements: [],
    status: 'PENDING',
    hold: 0n,
    settled: 0n,
    currency,
    mcc,
    descriptor,
    country,
    created: now,
    updated: now,
  }
  world.payments.set(payment.token, payment)
  return payment
}

function findDecline(world: World, card: SimulatedCard, amount: bigint): string | undefined {
  if (card.state === 'PAUSED') return 'CARD_PAUSED'
  if (card.state !== 'OPEN') return 'CARD_CLOSED'
  if (card.limit > 0n && card.spent + amount > card.limit) return 'USER_TRANSACTION_LIMIT'
  const { total, held } = accountOf(world, card)
  return total - held < amount ? 'INSUFFICIENT_FUNDS' : undefined
}

interface Moved {
  readonly type: string
  readonly result?: string
  readonly polarity?: Movement['polarity']
  readonly isFinancial?: boolean
}

function move(
  world: World,
  payment: Payment,
  { amount, merchantAmount = amount }: { amount: bigint; merchantAmount?: bigint | undefined },
  { type, result = 'APPROVED', polarity = 'DEBIT', isFinancial = false }: Moved,
): void {
  const token = world.newToken()
  const created = world.clock.now()
  payment.movements.push({ token, type, result, polarity, amount, merchantAmount, isFinancial, created })
}

type Presented = Pick<Purchase, 'amount' | 'merchantAmount'> & { readonly isLast?: boolean | undefined }

function clear(world: World, payment: Payment, presented: Presented): Payment {
  const { amount, isLast = true } = presented
  move(world, payment, presented, { type: 'CLEARING', isFinancial: true })
  release(world, payment, isLast || amount > payment.hold ? payment.hold : amount)
  accountOf(world, payment.card).total -= amount
  payment.card.spent += amount
  payment.settled += amount
  payment.status = 'SETTLED'
  return changed(world, payment)
}

function giveBack(world: World, payment: Payment, given: Presented): Payment {
  move(world, payment, given, { type: 'RETURN', polarity: 'CREDIT', isFinancial: true })
  accountOf(world, payment.card).total += given.amount
  payment.card.spent -= given.amount
  payment.settled -= given.amount
  payment.status = 'SETTLED'
  return changed(world, payment)
}

function hold(world: World, payment: Payment, amount: bigint): void {
  accountOf(world, payment.card).held += amount
  payment.card.spent += amount
  payment.hold += amount
}

function release(world: World, payment: Payment, amount: bigint): void {
  accountOf(world, payment.card).held -= amount
  payment.card.spent -= amount
  payment.hold -= amount
}

function changed(world: World, payment: Payment): Payment {
  payment.updated = world.clock.now()
  addEvent(world, 'card_transaction.updated', renderPayment(payment))
  return payment
}

export function requirePayment(world: World, token: string): Payment {
  const payment = world.payments.get(token)
  if (payment === undefined) throw new Failure(404, 'Could not find transaction.')
  return payment
}
