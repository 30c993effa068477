// All SQL on the catalogue.
import type { Db } from '../db/pool.ts'
import { sql } from '../db/sql.ts'

export interface ProductRow {
  id: string
  kind: 'card' | 'service'
  name: string
  description: string
  currency: string
  operation_type: 'issue' | 'topup' | 'service'
  flat_fee: bigint
  rate_ppm: bigint
  minimum_fee: bigint
  minimum_amount: bigint | null
  maximum_amount: bigint | null
  fixed_price: bigint | null
}

/** One row per product and operation type. The catalogue is the same for every company. */
export function listProductPrices(db: Db) {
  return db.many<ProductRow>(sql`
    select p.id, p.kind, p.name, p.description, p.currency, r.operation_type, r.flat_fee, r.rate_ppm, r.minimum_fee,
           r.minimum_amount, r.maximum_amount, r.fixed_price
    from product p join price r on r.product_id = p.id
    order by p.position, p.id, r.operation_type`)
}
