// The catalogue in memory. Every operation reads it; operators change it a few times a year. It is read again when its
// version in the database changes, so that pricing an operation costs no statement.
import { createFailureLog } from '../db/failure-log.ts'
import type { Db } from '../db/pool.ts'
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import { type OperationType, type Price, toPrice } from './pricing.ts'
import { listCurrentPrices, listProducts, type PriceRow, type ProductRow, readCatalogVersion } from './queries.ts'

export interface Product {
  readonly id: string
  readonly kind: 'card' | 'service'
  readonly name: string
  readonly description: string
  readonly currency: string
  readonly position: number
  readonly retiredAt: Date | null
}

export interface Catalog {
  /** All products in the order in which they are shown, retired ones included. */
  list(): readonly Product[]
  find(id: string): Product | undefined
  /** The price that this company pays now; without a company, the general one. */
  findPrice(productId: string, type: OperationType, companyId: string | undefined): Price | undefined
  /** Reads the catalogue again, so that a change made through this process takes effect here immediately. */
  refresh(): Promise<void>
  close(): void
}

/** Two reads fit into the second within which a change must take effect in every process. */
const VERSION_INTERVAL_MS = 400

interface DatedPrice {
  readonly fromMs: number
  readonly price: Price
}

/** Prices of one product and operation type, the latest first. */
interface PriceList {
  readonly general: DatedPrice[]
  readonly byCompany: Map<string, DatedPrice[]>
}

interface Snapshot {
  readonly products: ReadonlyMap<string, Product>
  readonly prices: ReadonlyMap<string, Readonly<Record<OperationType, PriceList>>>
  readonly readAtMs: number
  readonly version: bigint
}

export async function createCatalog({ db, clock, log }: { db: Db; clock: Clock; log: Log }): Promise<Catalog> {
  let snapshot = await readSnapshot(db, clock)
  const refresh = async () => {
    snapshot = await readSnapshot(db, clock)
  }
  let polling = false
  const poll = async () => {
    if (polling) return
    polling = true
    try {
      const current = await readCatalogVersion(db)
      if (current !== undefined && current.version !== snapshot.version) await refresh()
    } finally {
      polling = false
    }
  }
  const polls = createFailureLog(log, 'Could not check the catalogue for changes. Will try again.')
  const timer = setInterval(() => void polls.run(poll), VERSION_INTERVAL_MS)
  const findInForce = (prices: readonly DatedPrice[]): Price | undefined => {
    const latest = prices[0]
    if (latest === undefined) return undefined
    if (latest.fromMs <= snapshot.readAtMs) return latest.price
    // Compare with the clock only if there was a future change when the catalogue was read.
    const nowMs = clock.now().getTime()
    return prices.find(({ fromMs }) => fromMs <= nowMs)?.price
  }
  return {
    list: () => [...snapshot.products.values()],
    find: (id) => snapshot.products.get(id),
    findPrice(productId, type, companyId) {
      const list = snapshot.prices.get(productId)?.[type]
      if (list === undefined) return undefined
      const own = companyId === undefined ? undefined : list.byCompany.get(companyId)
      return (own === undefined ? undefined : findInForce(own)) ?? findInForce(list.general)
    },
    refresh,
    close: () => clearInterval(timer),
  }
}

/** Reads the version first, so that the next poll finds a change that is committed in between. */
async function readSnapshot(db: Db, clock: Clock): Promise<Snapshot> {
  const version = (await readCatalogVersion(db))?.version ?? 0n
  const now = clock.now()
  const products = new Map((await listProducts(db)).map((row) => [row.id, toProduct(row)]))
  const prices = groupPrices(await listCurrentPrices(db, now))
  return { products, prices, readAtMs: now.getTime(), version }
}

function toProduct(row: ProductRow): Product {
  const { id, kind, name, description, currency, position, retired_at: retiredAt } = row
  return { id, kind, name, description, currency, position, retiredAt }
}

function groupPrices(rows: readonly PriceRow[]): Snapshot['prices'] {
  const emptyList = (): PriceList => ({ general: [], byCompany: new Map() })
  const products = new Map<string, Record<OperationType, PriceList>>()
  for (const row of rows) {
    const lists = products.get(row.product_id) ?? { issue: emptyList(), topup: emptyList(), service: emptyList() }
    products.set(row.product_id, lists)
    const list = lists[row.operation_type]
    const dated = { fromMs: row.valid_from.getTime(), price: toPrice(row) }
    if (row.company_id === null) list.general.push(dated)
    else list.byCompany.set(row.company_id, [...(list.byCompany.get(row.company_id) ?? []), dated])
  }
  return products
}
