// What operators do with the catalogue: they add, change and retire products, and set prices. Each change is one statement
// together with its audit record. It takes effect in this process immediately and in every other within a second.
import { type Actor, auditRecord } from '../access/audit.ts'
import { findCompany } from '../companies/queries.ts'
import type { Db } from '../db/pool.ts'
import { ApiError, requireFound } from '../errors.ts'
import type { Clock } from '../lib/clock.ts'
import { formatId, newId } from '../lib/ids.ts'
import { must } from '../lib/invariant.ts'
import type { Catalog, Product } from './catalog.ts'
import { type OperationType, OPERATION_TYPES_OF, parsePricing } from './pricing.ts'
import {
  findProduct,
  insertPrice,
  insertProduct,
  type NewPrice,
  type PriceRow,
  retireProduct,
  updateProduct,
} from './queries.ts'
import type { NewPricing } from './schema.ts'

/** Every process keeps the whole catalogue in memory. A list that people choose from is much shorter. */
const PRODUCTS_MAX = 1000
/** The limit of future prices of one product, because all of them are in memory. Nobody plans further. */
const SCHEDULED_PRICES_MAX = 100

export interface CatalogDeps {
  db: Db
  clock: Clock
  catalog: Catalog
}

export interface NewProduct {
  id: string
  kind: Product['kind']
  name: string
  description: string
  position?: number
  pricing: NewPricing
  topupPricing?: NewPricing
}

export async function createProduct(deps: CatalogDeps, actor: Actor, wanted: NewProduct): Promise<Product> {
  const { db, clock } = deps
  const { id, kind, name, description, position = null } = wanted
  const createdAt = clock.now()
  const prices = requireFirstPrices(wanted).map(([operationType, pricing, field]): NewPrice => ({
    id: newId(createdAt),
    operationType,
    price: parsePricing(pricing, { kind, field }),
  }))
  const record = auditRecord(clock, actor, { action: 'product.created', object: id, details: { ...wanted } })
  const product = { id, kind, name, description, position, createdAt }
  const row = await insertProduct(db, product, prices, { countMax: PRODUCTS_MAX, record })
  if (row === undefined) {
    if ((await findProduct(db, id)) !== undefined) {
      throw new ApiError('product_exists', `The product ${id} already exists. Choose another id.`, { param: 'id' })
    }
    throw new ApiError('catalog_limit', `There can be at most ${PRODUCTS_MAX} products.`)
  }
  return reread(deps, id)
}

function requireFirstPrices(wanted: NewProduct): [OperationType, NewPricing, string][] {
  const { kind, pricing, topupPricing } = wanted
  if (kind === 'service') {
    if (topupPricing === undefined) return [['service', pricing, 'pricing']]
    throw new ApiError('validation_failed', 'body.topupPricing is for cards only; leave it out.', {
      param: 'topupPricing',
    })
  }
  if (topupPricing === undefined) {
    throw new ApiError('validation_failed', 'body.topupPricing is required for a card: what topping it up costs.', {
      param: 'topupPricing',
    })
  }
  return [
    ['issue', pricing, 'pricing'],
    ['topup', topupPricing, 'topupPricing'],
  ]
}

export async function changeProduct(
  deps: CatalogDeps,
  actor: Actor,
  id: string,
  change: { name?: string; description?: string; position?: number },
): Promise<Product> {
  const { name = null, description = null, position = null } = change
  const record = auditRecord(deps.clock, actor, { action: 'product.updated', object: id, details: change })
  requireFound(await updateProduct(deps.db, id, { name, description, position }, record))
  return reread(deps, id)
}

/** Retiring a product again changes nothing and is not logged again. */
export async function retire(deps: CatalogDeps, actor: Actor, id: string): Promise<Product> {
  const record = auditRecord(deps.clock, actor, { action: 'product.retired', object: id })
  const row = await retireProduct(deps.db, id, deps.clock.now(), record)
  if (row === undefined) requireFound(await findProduct(deps.db, id))
  return reread(deps, id)
}

export interface WantedPrice {
  operationType: OperationType
  pricing: NewPricing
  /** Immediately if left out. */
  validFrom?: string
  /** In the database's form. */
  companyId?: string
}

export async function setPrice(
  deps: CatalogDeps,
  actor: Actor,
  productId: string,
  wanted: WantedPrice,
): Promise<PriceRow> {
  const { db, clock } = deps
  const { operationType, companyId = null } = wanted
  const createdAt = clock.now()
  const validFrom = wanted.validFrom === undefined ? createdAt : new Date(wanted.validFrom)
  const product = requireFound(await findProduct(db, productId))
  if (companyId !== null) requireFound(await findCompany(db, companyId), 'companyId')
  requirePriceable(product, operationType)
  if (validFrom < createdAt) {
    throw new ApiError(
      'validation_failed',
      'body.validFrom must not be in the past. Leave it out to change the price now.',
      { param: 'validFrom' },
    )
  }
  const price = parsePricing(wanted.pricing, { kind: product.kind, field: 'pricing' })
  const { pricing } = wanted
  const record = auditRecord(clock, actor, {
    action: 'price.set',
    object: productId,
    details: {
      operationType,
      pricing,
      validFrom: validFrom.toISOString(),
      companyId: companyId === null ? null : formatId('co', companyId),
    },
  })
  const row = await insertPrice(
    db,
    { id: newId(createdAt), productId, operationType, price, companyId, validFrom, createdAt },
    { scheduledMax: SCHEDULED_PRICES_MAX, record },
  )
  if (row === undefined) {
    // It may have been retired since it was looked at.
    requirePriceable(requireFound(await findProduct(deps.db, productId)), wanted.operationType)
    throw new ApiError('catalog_limit', `A product can have at most ${SCHEDULED_PRICES_MAX} future prices.`)
  }
  await deps.catalog.refresh()
  return row
}

/** A retired card is not issued any more, but the cards that exist are still topped up. */
function requirePriceable(
  product: { id: string; kind: Product['kind']; retired_at: Date | null },
  type: OperationType,
): void {
  const types = OPERATION_TYPES_OF[product.kind]
  if (!types.includes(type)) {
    throw new ApiError('validation_failed', `body.operationType of a ${product.kind} must be ${types.join(' or ')}.`, {
      param: 'operationType',
    })
  }
  if (product.retired_at !== null && type !== 'topup') throw productRetired(product.id, 'id')
}

export function productRetired(id: string, param: string): ApiError {
  return new ApiError('product_retired', `${id} is retired and no longer sold. Choose another product.`, { param })
}

/** Returns a product that was just written. Products are never removed, so it must exist. */
async function reread({ catalog }: CatalogDeps, id: string): Promise<Product> {
  await catalog.refresh()
  return must(catalog.find(id))
}
