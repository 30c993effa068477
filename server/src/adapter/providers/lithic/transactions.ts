// Turns a card transaction of Lithic into what the server records. Lithic has one object per payment, whose amounts change with each capture
// and refund; the server records a payment once it is settled and never changes it again. So the first movement of money is the payment
// itself, and each further one is recorded on its own, named by Lithic's event. Pure.
import { type Static, Type } from 'typebox'
import { formatCents } from '../../../lib/money.ts'
import type { ProviderEvent } from '../../provider.ts'
import { decimalsOf, hundredthsOf } from '../../provider-kit/currencies.ts'
import { isMerchantCategory, parser, wordsOf } from '../../provider-kit/parse.ts'
import { Integer, parseTimeMs } from './answers.ts'
import { findCountry } from './countries.ts'

const Money = Type.Object({ amount: Integer, currency: Type.String({ pattern: '^[A-Z]{3}$' }) })
const Movement = Type.Object({
  token: Type.String({ minLength: 1, maxLength: 60 }),
  type: Type.String(),
  result: Type.String(),
  detailed_results: Type.Optional(Type.Array(Type.String())),
  created: Type.String(),
  effective_polarity: Type.Enum(['CREDIT', 'DEBIT']),
  amounts: Type.Object({
    cardholder: Money,
    merchant: Money,
    settlement: Type.Union([Money, Type.Null()]),
  }),
})
const Transaction = Type.Object({
  token: Type.String({ minLength: 1, maxLength: 60 }),
  card_token: Type.String(),
  status: Type.Enum(['DECLINED', 'EXPIRED', 'PENDING', 'SETTLED', 'VOIDED']),
  created: Type.String(),
  amounts: Type.Object({ hold: Money }),
  events: Type.Array(Movement, { minItems: 1 }),
  merchant: Type.Object({ descriptor: Type.String(), country: Type.String(), mcc: Type.String() }),
})

export type Transaction = Static<typeof Transaction>
type Movement = Static<typeof Movement>
type Recorded = Extract<ProviderEvent, { kind: 'transaction' }>['transaction']
type Status = Recorded['status']

/** A transaction has no card number in it. Its events come out in the order of their times. */
export const parseTransaction = parser(Transaction, (transaction): Transaction | undefined => {
  const times = [transaction.created, ...transaction.events.map(({ created }) => created)]
  if (times.some((text) => Number.isNaN(parseTimeMs(text)))) return undefined
  const events = transaction.events.toSorted((a, b) => parseTimeMs(a.created) - parseTimeMs(b.created))
  return { ...transaction, events }
})

/** The names of merchants that our protocol takes. */
const MERCHANT_LENGTH_MAX = 255
/** Merchant categories of cash: at a machine and at a counter. */
const CASH = new Set(['6010', '6011'])
const REFUNDS = new Set([
  'RETURN',
  'CREDIT_AUTHORIZATION',
  'CREDIT_AUTHORIZATION_ADVICE',
  'FINANCIAL_CREDIT_AUTHORIZATION',
])
const CORRECTIONS = new Set(['CORRECTION_CREDIT', 'CORRECTION_DEBIT', 'RETURN_REVERSAL'])
const ENDS = {
  PENDING: 'pending',
  VOIDED: 'reversed',
  EXPIRED: 'expired',
  DECLINED: 'declined',
  SETTLED: 'settled',
} as const

/** Returns the payment as it stands, and each further movement of money in it. */
export function eventsOf(transaction: Transaction): ProviderEvent[] {
  const moved = transaction.events.filter(({ result, amounts }) => result === 'APPROVED' && amounts.settlement !== null)
  const [first, ...others] = moved
  const own = first === undefined ? undefined : findEarlierEnd(transaction, first)
  if (first === undefined || own !== undefined) {
    const status = own ?? ENDS[transaction.status]
    return [
      toAuthorised(transaction, status),
      ...moved.map((movement) => toMoved(transaction, movement, movement.token)),
    ]
  }
  return [
    toMoved(transaction, first, transaction.token),
    ...others.map((movement) => toMoved(transaction, movement, movement.token)),
  ]
}

/**
 * Returns how the authorisation ended if money moved only after that, which the server would not take as a further state of the payment:
 * every attempt was declined, or the merchant reversed the whole amount. A payment that expired may still settle.
 */
function findEarlierEnd({ events }: Transaction, first: Movement): Status | undefined {
  const before = events.slice(0, events.indexOf(first))
  if (before.length === 0) return undefined
  if (before.every(({ result }) => result !== 'APPROVED')) return 'declined'
  const approved = before.filter(({ result }) => result === 'APPROVED')
  const sum = (isReversal: boolean) =>
    approved
      .filter(({ type }) => (type === 'AUTHORIZATION_REVERSAL') === isReversal && type !== 'AUTHORIZATION_EXPIRY')
      .reduce((total, { amounts }) => total + absolute(amounts.cardholder.amount), 0n)
  return sum(true) > 0n && sum(true) >= sum(false) ? 'reversed' : undefined
}

/** A payment of which no money has moved. While it is pending, what counts is what Lithic holds. */
function toAuthorised(transaction: Transaction, status: Status): ProviderEvent {
  const { events, amounts, token, created } = transaction
  const asked = events[0] as Movement
  const held = absolute(amounts.hold.amount)
  const isHeld = status === 'pending' && held !== 0n && amounts.hold.currency === 'USD'
  const value = isHeld ? held : dollarsOf(asked.amounts.cardholder)
  const isForeign = asked.amounts.merchant.currency !== 'USD'
  return toEvent(transaction, {
    transactionId: token,
    type: typeOf(transaction, asked, value === 0n),
    status,
    signed: signed(asked, value),
    foreign: isForeign ? asked : undefined,
    at: status === 'pending' ? created : (events.at(-1) as Movement).created,
    ...(status === 'declined' ? { reason: reasonOf(events.find(({ result }) => result !== 'APPROVED') ?? asked) } : {}),
  })
}

function toMoved(transaction: Transaction, movement: Movement, transactionId: string): ProviderEvent {
  const { cardholder, merchant, settlement } = movement.amounts
  const value = dollarsOf(settlement?.currency === 'USD' ? settlement : cardholder)
  return toEvent(transaction, {
    transactionId,
    type: typeOf(transaction, movement, false),
    status: 'settled',
    signed: signed(movement, value),
    foreign: merchant.currency === 'USD' ? undefined : movement,
    at: movement.created,
  })
}

interface Parts {
  readonly transactionId: string
  readonly type: Recorded['type']
  readonly status: Status
  /** What it is on the card, in cents; debits are negative. */
  readonly signed: bigint
  /** The movement whose merchant has another currency. */
  readonly foreign: Movement | undefined
  readonly at: string
  /** Why it was declined. */
  readonly reason?: string
}

function toEvent({ card_token, created, merchant }: Transaction, parts: Parts): ProviderEvent {
  const { transactionId, type, status, signed: onCard, foreign, at, reason } = parts
  const cardAmount = formatCents(onCard)
  const country = findCountry(merchant.country)
  const name = merchant.descriptor.trim().slice(0, MERCHANT_LENGTH_MAX)
  return {
    kind: 'transaction',
    id: `${transactionId}:${status}:${cardAmount}`,
    providerCardId: card_token,
    createdAt: new Date(parseTimeMs(at)).toISOString(),
    transaction: {
      transactionId,
      type,
      status,
      amount: foreign === undefined ? cardAmount : formatCents(signed(foreign, foreignOf(foreign.amounts.merchant))),
      currency: foreign === undefined ? 'USD' : foreign.amounts.merchant.currency,
      ...(foreign === undefined ? {} : { cardAmount }),
      ...(name === '' ? {} : { merchant: name }),
      ...(country === undefined ? {} : { country }),
      ...(isMerchantCategory(merchant.mcc) ? { merchantCategory: merchant.mcc } : {}),
      ...(reason === undefined ? {} : { description: reason }),
      occurredAt: new Date(parseTimeMs(created)).toISOString(),
    },
  }
}

function reasonOf({ result, detailed_results: details = [] }: Movement): string {
  return wordsOf(details.find((detail) => detail !== 'APPROVED') ?? result)
}

function typeOf({ merchant }: Transaction, { type }: Movement, isEmpty: boolean): Recorded['type'] {
  if (REFUNDS.has(type)) return 'refund'
  if (CORRECTIONS.has(type)) return 'adjustment'
  if (type === 'BALANCE_INQUIRY' || isEmpty) return 'verification'
  return CASH.has(merchant.mcc) ? 'withdrawal' : 'purchase'
}

/** Lithic writes debits with a plus or a minus, depending on the field. What counts is what it calls the effect on the account. */
function signed({ effective_polarity: polarity }: Movement, value: bigint): bigint {
  return polarity === 'DEBIT' ? -value : value
}

function absolute(value: number): bigint {
  return BigInt(value < 0 ? -value : value)
}

function dollarsOf({ amount, currency }: Static<typeof Money>): bigint {
  if (currency !== 'USD')
    throw new RangeError(`Lithic reports a payment on a card in ${currency}; only USD is supported`)
  return absolute(amount)
}

function foreignOf({ amount, currency }: Static<typeof Money>): bigint {
  return hundredthsOf(absolute(amount), decimalsOf(currency))
}
