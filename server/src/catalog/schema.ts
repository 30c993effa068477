// Products and prices as the API shows and takes them.
import type { CompanyNamed } from '../access/company-names.ts'
import { type Static, Type } from 'typebox'
import { formatId } from '../lib/ids.ts'
import { type Cents, formatCents, formatRate, RATE_PATTERN } from '../lib/money.ts'
import { Amount, field, nullable, object, Timestamp } from '../lib/wire.ts'
import type { Product } from './catalog.ts'
import { OPERATION_TYPES, type OperationType, type Price, toPrice } from './pricing.ts'
import type { PriceRow } from './queries.ts'

const Rate = Type.String({
  pattern: RATE_PATTERN,
  hint: 'a decimal fraction: "0.002" is 0.2 %',
  description: 'A fee in proportion to the amount, as a decimal fraction: "0.002" is 0.2 %.',
})
const pricing = {
  flatFee: nullable(field(Amount, 'A fee that does not depend on the amount.')),
  rate: nullable(Rate),
  minimumFee: nullable(field(Amount, 'The fee is at least this.')),
  minimumAmount: nullable(field(Amount, 'The amount must be at least this.')),
  maximumAmount: nullable(field(Amount, 'The amount must be at most this.')),
  fixedPrice: nullable(field(Amount, 'The amount must be exactly this.')),
}
const Pricing = object(
  pricing,
  'Pricing',
  'How the fee is computed, and which amounts are allowed. A rule that does not apply is null.',
)

export const NewPricing = object(
  {
    flatFee: Type.Optional(pricing.flatFee),
    rate: Type.Optional(pricing.rate),
    minimumFee: Type.Optional(pricing.minimumFee),
    minimumAmount: Type.Optional(pricing.minimumAmount),
    maximumAmount: Type.Optional(pricing.maximumAmount),
    fixedPrice: Type.Optional(pricing.fixedPrice),
  },
  'PricingCreate',
  'How to compute the fee, and which amounts to allow. A rule that does not apply is null or left out.',
)
export type NewPricing = Static<typeof NewPricing>

const product = {
  id: field(Type.String(), 'The id of the product. Send it as `productId`.'),
  kind: field(Type.Enum(['card', 'service']), 'A card product is issued; a service product is ordered.'),
  name: field(Type.String(), 'The name of the product.'),
  description: field(Type.String(), 'What the product is.'),
  currency: field(Type.String(), 'Always `USD`.'),
  pricing: field(Pricing, 'The price of issuing the card, or of the service.'),
  topupPricing: nullable(field(Pricing, 'The price of topping up the card. Null for services.')),
}
export const ProductSchema = object(product, 'Product', 'Something that can be ordered, with its price.')

export const CatalogProduct = object(
  {
    ...product,
    position: field(Type.Integer(), 'Products are listed by this number, the lowest first.'),
    retiredAt: nullable(field(Timestamp, 'When the product was taken off sale. Null while it is on sale.')),
  },
  'CatalogProduct',
  'A product as the operator sees it, with its general prices.',
)

export const PriceSchema = object(
  {
    id: field(Type.String(), 'The id of the price, `price_…`.'),
    productId: field(Type.String(), 'The product.'),
    operationType: field(Type.Enum([...OPERATION_TYPES]), 'The type of operation that the price is for.'),
    companyId: nullable(
      field(Type.String(), 'The company that pays this price. Null for all companies without a price of their own.'),
    ),
    companyName: Type.Optional(field(Type.String(), 'The name of the company, as it is now. Only in lists.')),
    validFrom: field(Timestamp, 'When the price takes effect.'),
    pricing: field(Pricing, 'How the fee is computed, and which amounts are allowed.'),
    createdAt: field(Timestamp, 'When the price was set.'),
  },
  'Price',
  'A price of a product. Prices are added, never changed.',
)

type FindPrice = (type: OperationType) => Price | undefined

export function toProduct(found: Product, findPrice: FindPrice): Static<typeof ProductSchema> {
  const { id, kind, name, description, currency } = found
  return {
    id,
    kind,
    name,
    description,
    currency,
    pricing: toPricing(findPrice(kind === 'card' ? 'issue' : 'service')),
    topupPricing: kind === 'card' ? toPricing(findPrice('topup')) : null,
  }
}

export function toCatalogProduct(found: Product, findPrice: FindPrice): Static<typeof CatalogProduct> {
  const { position, retiredAt } = found
  return { ...toProduct(found, findPrice), position, retiredAt: retiredAt?.toISOString() ?? null }
}

export function toPriceWire(row: PriceRow & CompanyNamed): Static<typeof PriceSchema> {
  return {
    id: formatId('price', row.id),
    productId: row.product_id,
    operationType: row.operation_type,
    companyId: row.company_id === null ? null : formatId('co', row.company_id),
    ...(row.company_name === undefined ? {} : { companyName: row.company_name }),
    validFrom: row.valid_from.toISOString(),
    pricing: toPricing(toPrice(row)),
    createdAt: row.created_at.toISOString(),
  }
}

/** Rules that a price does not have are null. */
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
