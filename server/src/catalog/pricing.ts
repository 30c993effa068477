// Computes what an operation costs: a quote or a refusal from a price and an amount, without a database.
import { ApiError } from '../errors.ts'
import { type Cents, cents, formatCents, parseCents, parseRate, shareHalfUp, ZERO } from '../lib/money.ts'
import type { PriceRow } from './queries.ts'
import type { NewPricing } from './schema.ts'

export const OPERATION_TYPES = ['issue', 'topup', 'service'] as const
export type OperationType = (typeof OPERATION_TYPES)[number]

/** What a price of each kind of product can be for. */
export const OPERATION_TYPES_OF: Readonly<Record<'card' | 'service', readonly OperationType[]>> = {
  card: ['issue', 'topup'],
  service: ['service'],
}

export interface Price {
  readonly flatFee: Cents
  readonly ratePpm: bigint
  readonly minimumFee: Cents
  readonly minimumAmount: Cents | null
  readonly maximumAmount: Cents | null
  readonly fixedPrice: Cents | null
}

export interface Quote {
  readonly amount: Cents
  readonly fee: Cents
  readonly total: Cents
}

/** Returns the fee, rounded once, half-up to the cent, and the total, which is exactly amount + fee. */
export function quote(price: Price, amount: Cents): Quote {
  const computed = cents(price.flatFee + shareHalfUp(amount, price.ratePpm))
  const fee = computed < price.minimumFee ? price.minimumFee : computed
  return { amount, fee, total: cents(amount + fee) }
}

export function requireAmountAllowed(price: Price, amount: Cents): void {
  const { fixedPrice, minimumAmount, maximumAmount } = price
  if (fixedPrice !== null && amount !== fixedPrice) {
    throw new ApiError(
      'amount_not_price',
      `This product has a fixed price: the amount must be "${formatCents(fixedPrice)}".`,
      { param: 'amount' },
    )
  }
  if (amount <= 0n || (minimumAmount !== null && amount < minimumAmount)) {
    const least = minimumAmount === null ? '0.01' : formatCents(minimumAmount)
    throw new ApiError('amount_below_minimum', `The amount must be at least "${least}".`, {
      param: 'amount',
      details: { minimumAmount: least },
    })
  }
  if (maximumAmount !== null && amount > maximumAmount) {
    const most = formatCents(maximumAmount)
    throw new ApiError('amount_above_maximum', `The amount must be at most "${most}".`, {
      param: 'amount',
      details: { maximumAmount: most },
    })
  }
}

/** Refuses rules that contradict each other. `field` names the value in a refusal. */
export function parsePricing(pricing: NewPricing, { kind, field }: { kind: 'card' | 'service'; field: string }): Price {
  const orNull = (text: string | null | undefined) => (text === null || text === undefined ? null : parseCents(text))
  const price: Price = {
    flatFee: orNull(pricing.flatFee) ?? ZERO,
    ratePpm: pricing.rate === null || pricing.rate === undefined ? 0n : parseRate(pricing.rate),
    minimumFee: orNull(pricing.minimumFee) ?? ZERO,
    minimumAmount: orNull(pricing.minimumAmount),
    maximumAmount: orNull(pricing.maximumAmount),
    fixedPrice: orNull(pricing.fixedPrice),
  }
  const { minimumAmount, maximumAmount, fixedPrice } = price
  const refuse = (name: keyof Price, problem: string) =>
    new ApiError('validation_failed', `body.${field}.${name} ${problem}`, { param: `${field}.${name}` })
  for (const name of ['minimumAmount', 'maximumAmount', 'fixedPrice'] as const) {
    if (price[name] === 0n) throw refuse(name, 'must be at least "0.01"; leave it out if there is none.')
  }
  if (minimumAmount !== null && maximumAmount !== null && maximumAmount < minimumAmount) {
    throw refuse('maximumAmount', 'must not be below minimumAmount.')
  }
  if (fixedPrice === null) return price
  if (kind === 'card') throw refuse('fixedPrice', 'is for services only; leave it out.')
  if (minimumAmount !== null || maximumAmount !== null) {
    throw refuse('fixedPrice', 'cannot be combined with minimumAmount or maximumAmount; leave those out.')
  }
  return price
}

export function toPrice(row: PriceRow): Price {
  const orNull = (value: bigint | null) => (value === null ? null : cents(value))
  return {
    flatFee: cents(row.flat_fee),
    ratePpm: row.rate_ppm,
    minimumFee: cents(row.minimum_fee),
    minimumAmount: orNull(row.minimum_amount),
    maximumAmount: orNull(row.maximum_amount),
    fixedPrice: orNull(row.fixed_price),
  }
}
