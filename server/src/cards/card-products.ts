// Finds the product of a card, which prices its top-ups. A card's product never changes, so it is looked up once and cached.
// Look-ups that arrive together share one statement.
import type { Db } from '../db/pool.ts'
import { createBatcher } from '../lib/batcher.ts'
import { dropOldest } from '../lib/drop-oldest.ts'
import { groupBy, type Grouping } from '../lib/grouping.ts'
import type { Scope } from '../lib/scope.ts'
import { findCardProducts } from './queries.ts'

export interface CardProducts {
  find(scope: Scope, cardId: string): Promise<string | undefined>
}

/** About 20 MB. A full cache drops the oldest. */
const CACHE_MAX = 100_000

export function createCardProducts(db: Db, grouping: Grouping = 'all'): CardProducts {
  const known = new Map<string, string>()
  const lookUps = createBatcher<{ scope: Scope; cardId: string }, string | undefined>({
    run: async (wanted) => {
      const rows = await findCardProducts(db, wanted)
      const products = new Map(rows.map((row) => [`${row.company_id} ${row.environment} ${row.id}`, row.product_id]))
      return wanted.map(({ scope, cardId }) => products.get(keyOf(scope, cardId)))
    },
    sizeMax: 256,
    inFlightMax: 2,
    queueMax: 8192,
    ...groupBy(grouping, ({ scope }: { scope: Scope }) => scope.companyId),
  })
  return {
    async find(scope, cardId) {
      const key = keyOf(scope, cardId)
      const hit = known.get(key)
      if (hit !== undefined) return hit
      const productId = await lookUps.push({ scope, cardId })
      if (productId !== undefined) {
        if (known.size >= CACHE_MAX) dropOldest(known)
        known.set(key, productId)
      }
      return productId
    },
  }
}

function keyOf(scope: Scope, cardId: string): string {
  return `${scope.companyId} ${scope.environment} ${cardId}`
}
