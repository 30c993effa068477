// Products and prices as the API shows and takes them.
import { type Static, Type } from 'typebox'
import { formatId } from '../lib/ids.ts'
import { type Cents, formatCents, formatRate, RATE_PATTERN } from '../lib/money.ts'
import { Amount, nullable, object, Timestamp } from '../lib/wire.ts'
import type { Product } from './catalog.ts'
import { OPERATION_TYPES, type OperationType, type Price, toPrice } from './pricing.ts'
import type { PriceRow } from './queries.ts'

const Rate = Type.String({ pattern: RATE_PATTERN, description: 'a decimal fraction: "0.002" is 0.2 %' })
const pricing = {
  flatFee: nullable(Amount),
  rate: nullable(Rate),
  minimumFee: nullable(Amount),
  minimumAmount: nullable(Amount),
  maximumAmount: nullable(Amount),
  fixedPrice: nullable(Amount),
}
const Pricing = object(pricing)

/** Rules that do not apply are null or left out. */
export const NewPricing = object(
  {
    flatFee: Type.Optional(pricing.flatFee),
    rate: Type.Optional(pricing.rate),
    minimumFee: Type.Optional(pricing.minimumFee),
    minimumAmount: Type.Optional(pricing.minimumAmount),
    maximumAmount: Type.Optional(pricing.maximumAmount),
    fixedPrice: Type.Optional(pricing.fixedPrice),
  },
  'NewPricing',
)
export type NewPricing = Static<typeof NewPricing>

const product = {
  id: Type.String(),
  kind: Type.Enum(['card', 'service']),
  name: Type.String(),
  description: Type.String(),
  currency: Type.String(),
  pricing: Pricing,
  topupPricing: nullable(Pricing),
}
export const ProductSchema = object(product, 'Product')

export const CatalogProduct = object(
  {
    ...product,
    position: Type.Integer({ description: 'products are listed by this number, the lowest first' }),
    retiredAt: nullable(Timestamp),
  },
  'CatalogProduct',
)

export const PriceSchema = object(
  {
    id: Type.String(),
    productId: Type.String(),
    operationType: Type.Enum([...OPERATION_TYPES]),
    companyId: nullable(Type.String({ description: 'the only company that pays it; null for all others' })),
    validFrom: Timestamp,
    pricing: Pricing,
    createdAt: Timestamp,
  },
  'Price',
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

export function toPriceWire(row: PriceRow): Static<typeof PriceSchema> {
  return {
    id: formatId('price', row.id),
    productId: row.product_id,
    operationType: row.operation_type,
    companyId: row.company_id === null ? null : formatId('co', row.company_id),
    validFrom: row.valid_from.toISOString(),
    pricing: toPricing(toPrice(row)),
    createdAt: row.created_at.toISOString(),
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
