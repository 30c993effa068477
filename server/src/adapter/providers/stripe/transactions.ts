// Turns Stripe's authorizations and transactions into what the server records. Stripe has two objects: an authorization, which holds money, and a
// transaction for each capture and refund. The server records a payment once it is settled and never changes it again. So the first capture
// of an authorization settles the payment that the authorization began, and every other transaction is a payment of its own. Pure.
import { Type } from 'typebox'
import { formatCents } from '../../../lib/money.ts'
import type { ProviderEvent } from '../../provider.ts'
import { decimalsOf, hundredthsOf } from '../../provider-kit/currencies.ts'
import { isMerchantCategory, parser, wordsOf } from '../../provider-kit/parse.ts'
import { Id, idOf, Integer, Reference, Seconds, Text } from './answers.ts'

type Recorded = Extract<ProviderEvent, { kind: 'transaction' }>['transaction']

/** What authorizations and transactions have in common. Amounts are in the smallest unit of their currency. */
interface Common {
  readonly id: string
  readonly card: string
  /** Of an authorization: what it holds. Of a transaction: what moved; captures are negative. */
  readonly amount: bigint
  readonly merchantAmount: bigint
  readonly merchantCurrency: string
  readonly merchant: { readonly name: string; readonly country: string; readonly mcc: string }
  readonly created: number
}

export interface Transaction extends Common {
  readonly authorization: string | undefined
  readonly type: string
}

export interface Authorization extends Common {
  readonly approved: boolean
  readonly status: 'pending' | 'closed' | 'reversed' | 'expired'
  /** The most that the merchant asked for. An authorization that is over may hold nothing any more. */
  readonly asked: { readonly amount: bigint; readonly merchantAmount: bigint } | undefined
  /** Stripe's code for why it was declined. */
  readonly reason: string | undefined
  /** The oldest first. */
  readonly transactions: readonly Transaction[]
  /** When everything that it held was released, in seconds; undefined while it holds something. */
  readonly releasedAt: number | undefined
}

const Optional = Type.Optional(Type.Union([Text, Type.Null()]))
const common = {
  id: Id,
  card: Reference,
  amount: Integer,
  // Another currency than that of our cards makes the answer unreadable.
  currency: Type.Literal('usd'),
  merchant_amount: Integer,
  merchant_currency: Type.String({ pattern: '^[a-z]{3}$' }),
  merchant_data: Type.Object({ name: Optional, country: Optional, category_code: Optional }),
  created: Seconds,
}
const TransactionSchema = Type.Object({
  ...common,
  authorization: Type.Optional(Type.Union([Reference, Type.Null()])),
  type: Text,
})
const AuthorizationSchema = Type.Object({
  ...common,
  approved: Type.Boolean(),
  status: Type.Enum(['pending', 'closed', 'reversed', 'expired']),
  transactions: Type.Array(Type.Unknown()),
  request_history: Type.Array(
    Type.Object({
      amount: Integer,
      merchant_amount: Integer,
      approved: Type.Optional(Type.Boolean()),
      reason: Type.Optional(Type.String()),
    }),
  ),
  balance_transactions: Type.Array(Type.Object({ amount: Integer, created: Seconds })),
})

export const parseTransaction = parser(TransactionSchema, (answer): Transaction => ({
  ...commonOf(answer),
  type: answer.type,
  authorization: answer.authorization ? idOf(answer.authorization) : undefined,
}))

export const parseAuthorization = parser(AuthorizationSchema, (answer): Authorization | undefined => {
  const transactions = answer.transactions.map(parseTransaction)
  if (!transactions.every((transaction) => transaction !== undefined)) return undefined
  const asked = answer.request_history.toSorted((a, b) => a.amount - b.amount).at(-1)
  const moved = answer.balance_transactions.toSorted((a, b) => a.created - b.created)
  const isReleased = moved.length > 0 && moved.reduce((sum, { amount }) => sum + BigInt(amount), 0n) === 0n
  return {
    ...commonOf(answer),
    approved: answer.approved,
    status: answer.status,
    reason: answer.request_history.findLast(({ approved }) => approved === false)?.reason,
    asked: asked && { amount: BigInt(asked.amount), merchantAmount: BigInt(asked.merchant_amount) },
    transactions: transactions.toSorted((a, b) => a.created - b.created || (a.id < b.id ? -1 : 1)),
    releasedAt: isReleased ? moved.at(-1)?.created : undefined,
  }
})

interface CommonAnswer {
  readonly id: string
  readonly card: string | { readonly id: string }
  readonly amount: number
  readonly merchant_amount: number
  readonly merchant_currency: string
  readonly merchant_data: { name?: string | null; country?: string | null; category_code?: string | null }
  readonly created: number
}

function commonOf(answer: CommonAnswer): Common {
  const { name, country, category_code: mcc } = answer.merchant_data
  return {
    id: answer.id,
    card: idOf(answer.card),
    amount: BigInt(answer.amount),
    merchantAmount: BigInt(answer.merchant_amount),
    merchantCurrency: answer.merchant_currency.toUpperCase(),
    merchant: { name: name ?? '', country: country ?? '', mcc: mcc ?? '' },
    created: answer.created,
  }
}

/** The names of merchants that our protocol takes. */
const MERCHANT_LENGTH_MAX = 255
/**
 * The currencies whose smallest unit at Stripe is not that of ISO 4217. Stripe's reference says that the amounts of merchants in Issuing are in the units of
 * docs.stripe.com/currencies: ISK and UGX keep two decimals there, which are always 00, and MGA has none. HUF and TWD differ in payouts only.
 */
const DECIMALS_AT_STRIPE: ReadonlyMap<string, number> = new Map([
  ['ISK', 2],
  ['UGX', 2],
  ['MGA', 0],
])
/** Merchant categories of cash: at a machine and at a counter. */
const CASH = new Set(['6010', '6011'])
/**
 * Stripe releases what an authorization holds together with its first capture. A release that is this many seconds older was a reversal of its own,
 * or an expiry.
 */
const RELEASE_MARGIN_S = 10

/** Captures are reported this many seconds after they were made at Stripe, when every other one of the same second is there too. */
export const CAPTURES_SETTLE_S = 5

/**
 * Reports whether a capture is so new that another one of the same second may still come. Stripe says in seconds when a capture was made, so the
 * second one might be taken for the first, which settles the payment.
 */
export function isEarly({ transactions }: Authorization, settledBy: number): boolean {
  return transactions.some(({ type, created }) => type === 'capture' && created > settledBy)
}

/** Returns the payment that the authorization began as it stands, and each further movement of money in it. `at` is when it changed, in seconds. */
export function eventsOfAuthorization(authorization: Authorization, at: number): ProviderEvent[] {
  const captures = authorization.transactions.filter(({ type }) => type === 'capture')
  const others = authorization.transactions.filter(({ type }) => type !== 'capture')
  const [first, ...further] = captures
  if (first === undefined || isOverBefore(authorization, first)) {
    return [toAuthorised(authorization, at), ...[...captures, ...others].map((one) => toMoved(one, one.id))]
  }
  return [toMoved(first, authorization.id), ...[...further, ...others].map((one) => toMoved(one, one.id))]
}

/** A transaction without an authorization, such as a capture that nobody asked about or a refund. */
export function eventsOfTransaction(transaction: Transaction): ProviderEvent[] {
  return [toMoved(transaction, transaction.id)]
}

/**
 * Reports whether the authorization ended before its first capture in a way that the server does not take as a step towards a settlement: it was
 * declined, or reversed. One that expired may still settle.
 */
function isOverBefore({ approved, status, releasedAt }: Authorization, first: Transaction): boolean {
  if (!approved || status === 'reversed') return true
  if (status === 'expired') return false
  return releasedAt !== undefined && releasedAt + RELEASE_MARGIN_S < first.created
}

/** What an authorization says, without its captures. */
function toAuthorised(authorization: Authorization, at: number): ProviderEvent {
  const { amount, merchantAmount, asked, created } = authorization
  const status = statusOf(authorization)
  const isEmptied = status !== 'pending' && amount === 0n && asked !== undefined
  const held = isEmptied ? asked : { amount, merchantAmount }
  const type =
    held.amount === 0n
      ? 'verification'
      : held.amount < 0n
        ? 'refund'
        : CASH.has(authorization.merchant.mcc)
          ? 'withdrawal'
          : 'purchase'
  return toEvent(authorization, {
    transactionId: authorization.id,
    type,
    status,
    onCard: -held.amount,
    atMerchant: -held.merchantAmount,
    createdAt: status === 'pending' ? created : at,
    ...(status === 'declined' && authorization.reason !== undefined ? { reason: wordsOf(authorization.reason) } : {}),
  })
}

/** An authorization that is closed without a capture holds nothing any more. */
function statusOf({ approved, status }: Authorization): Recorded['status'] {
  if (!approved) return 'declined'
  return status === 'closed' ? 'reversed' : status
}

function toMoved(transaction: Transaction, transactionId: string): ProviderEvent {
  const { amount, merchantAmount, type, merchant, created } = transaction
  // A refund that takes money away again is the reversal of a refund.
  const isOdd = type === 'refund' ? amount < 0n : amount > 0n
  const kind = type === 'refund' ? 'refund' : CASH.has(merchant.mcc) ? 'withdrawal' : 'purchase'
  return toEvent(transaction, {
    transactionId,
    type: isOdd ? 'adjustment' : kind,
    status: 'settled',
    onCard: amount,
    // Stripe signs both alike. Whatever it does, the effect on the card decides.
    atMerchant: amount < 0n ? -absolute(merchantAmount) : absolute(merchantAmount),
    createdAt: created,
  })
}

interface Parts {
  readonly transactionId: string
  readonly type: Recorded['type']
  readonly status: Recorded['status']
  /** In cents; debits are negative. */
  readonly onCard: bigint
  readonly atMerchant: bigint
  readonly createdAt: number
  /** Why it was declined. */
  readonly reason?: string
}

function toEvent({ card, merchant, merchantCurrency, created }: Common, parts: Parts): ProviderEvent {
  const { transactionId, type, status, onCard, atMerchant, createdAt, reason } = parts
  const cardAmount = formatCents(onCard)
  const isForeign = merchantCurrency !== 'USD'
  const name = merchant.name.trim().slice(0, MERCHANT_LENGTH_MAX)
  return {
    kind: 'transaction',
    id: `${transactionId}:${status}:${cardAmount}`,
    providerCardId: card,
    createdAt: toTime(createdAt),
    transaction: {
      transactionId,
      type,
      status,
      amount: isForeign ? formatCents(hundredthsOf(atMerchant, decimalsAtStripe(merchantCurrency))) : cardAmount,
      currency: merchantCurrency,
      ...(isForeign ? { cardAmount } : {}),
      ...(name === '' ? {} : { merchant: name }),
      ...(/^[A-Z]{2}$/.test(merchant.country) ? { country: merchant.country } : {}),
      ...(isMerchantCategory(merchant.mcc) ? { merchantCategory: merchant.mcc } : {}),
      ...(reason === undefined ? {} : { description: reason }),
      occurredAt: toTime(created),
    },
  }
}

export function toTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString()
}

function absolute(value: bigint): bigint {
  return value < 0n ? -value : value
}

function decimalsAtStripe(currency: string): number {
  return DECIMALS_AT_STRIPE.get(currency) ?? decimalsOf(currency)
}
