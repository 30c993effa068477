// Which items may share a batch. On a distributed database a statement is about one company, whose data is on one node.

/** citus: by company, and the database is distributed with Citus. */
export type Grouping = 'all' | 'company' | 'citus'

/** Returns the options of a batcher for this grouping. */
export function groupBy<Item>(grouping: Grouping, companyOf: (item: Item) => string): { groupOf?(item: Item): string } {
  return grouping === 'all' ? {} : { groupOf: companyOf }
}
