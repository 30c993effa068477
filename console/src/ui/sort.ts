// The order of a table. It is in the address, so that Back, a reload and a link keep it.
import { NAME_SORTS, SORTS } from '@cardstock/sdk'
import { useSearch, useSetSearch } from '~/lib/use-search.ts'

/** What the head of a column switches between: values of the parameter `sort`. */
export interface SortPair {
  readonly ascending: string
  readonly descending: string
  /** The first click chooses the descending order, as for times and amounts. */
  readonly startsDescending?: boolean
}

export interface Order {
  /** Undefined while nobody has chosen an order. */
  readonly current: string | undefined
  set(sort: string): void
}

/** Orders that the server has for lists of any length. */
export const BY_TIME: SortPair = { ascending: 'oldest', descending: 'newest', startsDescending: true }
export const BY_NAME: SortPair = { ascending: 'name_asc', descending: 'name_desc' }

const LISTS = { time: SORTS, name: NAME_SORTS } as const
/** Which orders the server has for a list. */
export type ListSorts = keyof typeof LISTS

export const SORT_TITLES: Readonly<Record<(typeof NAME_SORTS)[number], string>> = {
  newest: 'Newest first',
  oldest: 'Oldest first',
  name_asc: 'Name, A to Z',
  name_desc: 'Name, Z to A',
}

export const sortsOf = (sorts: ListSorts) => LISTS[sorts]

/** Returns the order of a list that the server sorts, and the part of the filter that asks for it. */
export function useListOrder(sorts: ListSorts | undefined): {
  readonly order: Order | undefined
  readonly chosen: Readonly<Record<string, string>>
} {
  const { current, set } = useOrder()
  if (sorts === undefined) return { order: undefined, chosen: {} }
  const sort = sortsOf(sorts).find((value) => value === current) ?? 'newest'
  return { order: { current: sort, set }, chosen: sort === 'newest' ? {} : { sort } }
}

/** Another order is another list, so it begins at its first rows. */
export function useOrder(): Order {
  const { sort } = useSearch()
  const setSearch = useSetSearch()
  return { current: sort, set: (value) => setSearch({ sort: value, cursor: undefined }) }
}
