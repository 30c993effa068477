// All SQL on products and prices. Prices are only ever added.
import type { AuditRecord } from '../access/audit.ts'
import type { Db } from '../db/pool.ts'
import { fragment, sql } from '../db/sql.ts'
import type { Slice } from '../lib/slice.ts'
import type { OperationType, Price } from './pricing.ts'

/** The columns of a ProductRow. */
const PRODUCT_COLUMNS = fragment`id, kind, name, description, currency, position, retired_at`
/** The columns of a PriceRow. */
const PRICE_COLUMNS = fragment`
  id, product_id, operation_type, company_id, valid_from, created_at, flat_fee, rate_ppm, minimum_fee, minimum_amount,
  maximum_amount, fixed_price`

export interface ProductRow {
  id: string
  kind: 'card' | 'service'
  name: string
  description: string
  currency: string
  position: number
  retired_at: Date | null
}

export interface PriceRow {
  id: string
  product_id: string
  operation_type: OperationType
  /** Null for the price of every company that has none of its own. */
  company_id: string | null
  valid_from: Date
  created_at: Date
  flat_fee: bigint
  rate_ppm: bigint
  minimum_fee: bigint
  minimum_amount: bigint | null
  maximum_amount: bigint | null
  fixed_price: bigint | null
}

export function readCatalogVersion(db: Db) {
  return db.find<{ version: bigint }>(sql`select version from catalog_version`)
}

export function listProducts(db: Db) {
  return db.many<ProductRow>(sql`
    select ${PRODUCT_COLUMNS} from product order by position, id`)
}

export function findProduct(db: Db, id: string) {
  return db.find<ProductRow>(sql`
    select ${PRODUCT_COLUMNS} from product where id = ${id}`)
}

/**
 * Prices that are in force at `now` or will be, the newest of each product, type and company first. Across companies: the
 * catalogue holds the prices of all.
 */
export function listCurrentPrices(db: Db, now: Date) {
  return db.many<PriceRow>(sql`
    select p.id, p.product_id, p.operation_type, p.company_id, p.valid_from, p.created_at, p.flat_fee, p.rate_ppm, p.minimum_fee,
           p.minimum_amount, p.maximum_amount, p.fixed_price
    from price p
    where not exists (
      select from price q
      where q.product_id = p.product_id and q.operation_type = p.operation_type and q.company_id is not distinct from p.company_id
        and q.valid_from <= ${now} and (q.valid_from, q.id) > (p.valid_from, p.id))
    order by p.valid_from desc, p.id desc`)
}

/** Across companies: an operator sees every price of a product. */
export function listPrices(db: Db, productId: string, slice: Slice) {
  return db.many<PriceRow>(sql`
    select ${PRICE_COLUMNS}
    from price where product_id = ${productId} and id < ${slice.after}
    order by id desc limit ${slice.limit}`)
}

export interface NewPrice {
  id: string
  operationType: OperationType
  price: Price
}

/** Adds a product with its first prices. Undefined when the id is taken, or when there are `countMax` products. */
export function insertProduct(
  db: Db,
  product: Pick<ProductRow, 'id' | 'kind' | 'name' | 'description'> & { position: number | null; createdAt: Date },
  prices: readonly NewPrice[],
  { countMax, record }: { countMax: number; record: AuditRecord },
) {
  return db.find<ProductRow>(sql`
    select ${PRODUCT_COLUMNS} from create_product(
      ${product.id}, ${product.kind}, ${product.name}, ${product.description}, ${product.position}, ${product.createdAt},
      ${prices.map(({ id }) => id)}, ${prices.map(({ operationType }) => operationType)},
      ${prices.map(({ price }) => price.flatFee)}, ${prices.map(({ price }) => price.ratePpm)},
      ${prices.map(({ price }) => price.minimumFee)}, ${prices.map(({ price }) => price.minimumAmount)},
      ${prices.map(({ price }) => price.maximumAmount)}, ${prices.map(({ price }) => price.fixedPrice)}, ${countMax}, ${record})`)
}

export function updateProduct(
  db: Db,
  id: string,
  change: { name: string | null; description: string | null; position: number | null },
  record: AuditRecord,
) {
  return db.find<ProductRow>(sql`
    with changed as (
      update product set
        name = coalesce(${change.name}, name),
        description = coalesce(${change.description}, description),
        position = coalesce(${change.position}, position)
      where id = ${id}
      returning ${PRODUCT_COLUMNS}
    )
    select changed.*, record_audit(null, ${record}) from changed`)
}

/** Returns undefined if there is no such product or it is already retired. */
export function retireProduct(db: Db, id: string, at: Date, record: AuditRecord) {
  return db.find<ProductRow>(sql`
    with changed as (
      update product set retired_at = ${at} where id = ${id} and retired_at is null
      returning ${PRODUCT_COLUMNS}
    )
    select changed.*, record_audit(null, ${record}) from changed`)
}

/** Returns undefined if there is no such product or company, if the product was retired, or if a future price would exceed `scheduledMax`. */
export function insertPrice(
  db: Db,
  price: NewPrice & { productId: string; companyId: string | null; validFrom: Date; createdAt: Date },
  { scheduledMax, record }: { scheduledMax: number; record: AuditRecord },
) {
  const { flatFee, ratePpm, minimumFee, minimumAmount, maximumAmount, fixedPrice } = price.price
  return db.find<PriceRow>(sql`
    with made as (
      insert into price (${PRICE_COLUMNS})
      select ${price.id}, p.id, ${price.operationType}, c.id, ${price.validFrom}, ${price.createdAt}, ${flatFee}, ${ratePpm},
             ${minimumFee}, ${minimumAmount}, ${maximumAmount}, ${fixedPrice}
      from product p left join company c on c.id = ${price.companyId}
      where p.id = ${price.productId} and (p.retired_at is null or ${price.operationType} = 'topup')
        and (c.id is not null or ${price.companyId}::uuid is null)
        and (${price.validFrom}::timestamptz <= ${price.createdAt}
          or (select count(*) from price s where s.product_id = p.id and s.valid_from > ${price.createdAt}) < ${scheduledMax})
      -- Somebody may be retiring the product.
      for share of p
      returning ${PRICE_COLUMNS}
    )
    select made.*, record_audit(made.company_id, ${record}) from made`)
}
