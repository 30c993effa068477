// The catalogue on the wire.
import { type Static, Type } from 'typebox'
import { Amount, nullable, object } from '../lib/wire.ts'
import { type Cents, formatCents, formatRate } from '../lib/money.ts'
import type { Product } from './catalog.ts'
import type { Price } from './pricing.ts'

const pricing = {
  flatFee: nullable(Amount),
  rate: nullable(Type.String({ description: 'a decimal fraction: "0.002" is 0.2 %' })),
  minimumFee: nullable(Amount),
  minimumAmount: nullable(Amount),
  maximumAmount: nullable(Amount),
  fixedPrice: nullable(Amount),
}
const Pricing = object(pricing)

export const ProductSchema = object(
  {
    id: Type.String(),
    kind: Type.Enum(['card', 'service']),
    name: Type.String(),
    description: Type.String(),
    currency: Type.String(),
    pricing: Pricing,
    topupPricing: nullable(Pricing),
  },
  'Product',
)

export function toProduct(product: Product): Static<typeof ProductSchema> {
  const { id, kind, name, description, currency, prices } = product
  return {
    id,
    kind,
    name,
    description,
    currency,
    pricing: toPricing(prices.get(kind === 'card' ? 'issue' : 'service')),
    topupPricing: kind === 'card' ? toPricing(prices.get('topup')) : null,
  }
}

/** CONTRACT 11: absent rules are null. */
function toPricing(price: Price | undefined): Static<typeof Pricing> {
  const orNull = (value: Cents | null | undefined) =>
    value === null || value === undefined || value === 0n ? null : formatCents(value)
  return {
    flatFee: orNull(price?.flatFee),
    rate: price === undefined || price.ratePpm === 0n ? null : formatRate(price.ratePpm),
    minimumFee: orNull(price?.minimumFee),
    minimumAmount: orNull(price?.minimumAmount),
    maximumAmount: orNull(price?.maximumAmount),
    fixedPrice: orNull(price?.fixedPrice),
  }
}
