// Which items of a batch are on which account, in the form that the ledger's functions take: they lock each account once.
import type { Scope } from '../lib/scope.ts'

export interface Grouping {
  /** Per item, the place of its account in `firstItems`. Counted from one, as SQL does. */
  readonly accounts: readonly number[]
  /** Per account, its first item. */
  readonly firstItems: readonly number[]
}

/** By the items' scopes, in their order. */
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
