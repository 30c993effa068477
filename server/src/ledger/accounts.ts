// Groups the items of a batch by account, as the ledger's SQL functions take them. They lock each account once.
import type { Scope } from '../lib/scope.ts'

export interface Grouping {
  /** Per item, the position of its account in `firstItems`. Positions count from one, as in SQL. */
  readonly accounts: readonly number[]
  /** Per account, the number of its first item. */
  readonly firstItems: readonly number[]
}

/** Groups items by their scopes, which are in the order of the items. */
export function groupByAccount(scopes: readonly Scope[]): Grouping {
  const places = new Map<string, number>()
  const accounts: number[] = []
  const firstItems: number[] = []
  for (const { companyId, environment } of scopes) {
    const account = companyId + environment
    let place = places.get(account)
    if (place === undefined) {
      place = firstItems.push(accounts.length + 1)
      places.set(account, place)
    }
    accounts.push(place)
  }
  return { accounts, firstItems }
}
