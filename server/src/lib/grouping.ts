// Which items may share a batch, and how many batches may be in flight. On a distributed database a statement is about one company,
// whose data is on one node.
import type { BatcherOptions } from './batcher.ts'

/** citus: by company, and the database is distributed with Citus. */
export type Grouping = 'all' | 'company' | 'citus'

/**
 * Batches of different companies are on different nodes or at least lock different rows, so more may be in flight than of one company. A
 * batch whose node is down waits before it is tried again, without a connection: there must be room for the others meanwhile.
 */
const COMPANIES_IN_FLIGHT_MAX = 256
const COMPANY_IN_FLIGHT_MAX = 2

type GroupOptions<Item> = Pick<BatcherOptions<Item, unknown>, 'groupOf' | 'groupInFlightMax'> & { inFlightMax?: number }

/** Returns the options of a batcher for this grouping, which replace its own. */
export function groupBy<Item>(grouping: Grouping, companyOf: (item: Item) => string): GroupOptions<Item> {
  if (grouping === 'all') return {}
  if (grouping === 'company') return { groupOf: companyOf }
  return { groupOf: companyOf, inFlightMax: COMPANIES_IN_FLIGHT_MAX, groupInFlightMax: COMPANY_IN_FLIGHT_MAX }
}
