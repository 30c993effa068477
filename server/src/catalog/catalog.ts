// The catalogue in memory: read on every operation, changed a few times a year. Refreshed behind the requests.
import type { Db } from '../db/pool.ts'
import type { Log } from '../lib/log.ts'
import { cents } from '../lib/money.ts'
import type { Price } from './pricing.ts'
import { listProductPrices, type ProductRow } from './queries.ts'

export type OperationType = 'issue' | 'topup' | 'service'

export interface Product {
  readonly id: string
  readonly kind: 'card' | 'service'
  readonly name: string
  readonly description: string
  readonly currency: string
  readonly prices: ReadonlyMap<OperationType, Price>
}

export interface Catalog {
  list(): readonly Product[]
  find(id: string): Product | undefined
  refresh(): Promise<void>
  close(): void
}

/** A price change is announced long before it holds; half a minute of two prices on two nodes is caught by expectedTotal. */
const REFRESH_INTERVAL_MS = 30_000

export async function createCatalog(db: Db, log: Log): Promise<Catalog> {
  let products = new Map<string, Product>()
  const refresh = async () => {
    products = groupByProduct(await listProductPrices(db))
  }
  await refresh()
  const timer = setInterval(() => {
    refresh().catch((error: unknown) => log.warn({ error }, 'the catalogue cannot be refreshed'))
  }, REFRESH_INTERVAL_MS)
  return {
    list: () => [...products.values()],
    find: (id) => products.get(id),
    refresh,
    close: () => clearInterval(timer),
  }
}

function groupByProduct(rows: readonly ProductRow[]): Map<string, Product> {
  const products = new Map<string, Product & { prices: Map<OperationType, Price> }>()
  for (const row of rows) {
    const { id, kind, name, description, currency } = row
    const product = products.get(id) ?? { id, kind, name, description, currency, prices: new Map() }
    product.prices.set(row.operation_type, toPrice(row))
    products.set(id, product)
  }
  return products
}

function toPrice(row: ProductRow): Price {
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
