// The merchants of the sandbox: who was paid, where, and in which category, when the caller of a simulated payment does not say. Pure.
import type { TransactionType } from './states.ts'

interface Merchant {
  readonly merchant: string
  readonly country: string
  readonly merchantCategory: string
}

const SHOPS: readonly [Merchant, ...Merchant[]] = [
  { merchant: 'Corner Coffee', country: 'IE', merchantCategory: '5814' },
  { merchant: 'Green Grocer', country: 'DE', merchantCategory: '5411' },
  { merchant: 'Example Cloud', country: 'US', merchantCategory: '5818' },
  { merchant: 'Grand Hotel', country: 'FR', merchantCategory: '7011' },
  { merchant: 'Harbour Bistro', country: 'PT', merchantCategory: '5812' },
  { merchant: 'Highway Fuel', country: 'ES', merchantCategory: '5541' },
  { merchant: 'City Taxi', country: 'GB', merchantCategory: '4121' },
  { merchant: 'Paper and Pens', country: 'NL', merchantCategory: '5943' },
]
const CASH_MACHINE: Merchant = { merchant: 'Cash machine', country: 'IE', merchantCategory: '6011' }
/** Shops that sell this and that: the category of a merchant of whom only the name is known. */
const RETAIL = '5999'

/** Returns what the caller said, and invents the rest. */
export function completeMerchant(
  { type, amount }: { type: TransactionType; amount: bigint },
  said: Partial<Merchant>,
): Partial<Merchant> {
  // The issuer books these, not a merchant.
  if (type === 'fee' || type === 'adjustment') return said
  const isCash = type === 'withdrawal'
  if (said.merchant !== undefined) return { merchantCategory: isCash ? CASH_MACHINE.merchantCategory : RETAIL, ...said }
  const invented = isCash ? CASH_MACHINE : shopFor(amount)
  return { ...invented, ...said }
}

/** The amount chooses the shop, so that the same payment always has the same one. */
function shopFor(amount: bigint): Merchant {
  return SHOPS.find((_, index) => amount % BigInt(SHOPS.length) === BigInt(index)) ?? SHOPS[0]
}
