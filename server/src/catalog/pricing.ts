// What an operation costs. Pure: a price rule and an amount in, a quote or a refusal out.
import { ApiError } from '../errors.ts'
import { type Cents, cents, formatCents, shareHalfUp } from '../lib/money.ts'

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

/** One rounding per fee, half-up to the cent; total = amount + fee, exactly. */
export function quote(price: Price, amount: Cents): Quote {
  const computed = cents(price.flatFee + shareHalfUp(amount, price.ratePpm))
  const fee = computed < price.minimumFee ? price.minimumFee : computed
  return { amount, fee, total: cents(amount + fee) }
}

export function requireAmountAllowed(price: Price, amount: Cents): void {
  const { fixedPrice, minimumAmount, maximumAmount } = price
  if (fixedPrice !== null && amount !== fixedPrice) {
    throw new ApiError('amount_not_price', `This product has a fixed price: send amount "${formatCents(fixedPrice)}".`)
  }
  if (amount <= 0n || (minimumAmount !== null && amount < minimumAmount)) {
    const least = minimumAmount === null ? '0.01' : formatCents(minimumAmount)
    throw new ApiError('amount_below_minimum', `The amount must be at least "${least}".`, {
      details: { minimumAmount: least },
    })
  }
  if (maximumAmount !== null && amount > maximumAmount) {
    const most = formatCents(maximumAmount)
    throw new ApiError('amount_above_maximum', `The amount must be at most "${most}".`, {
      details: { maximumAmount: most },
    })
  }
}
