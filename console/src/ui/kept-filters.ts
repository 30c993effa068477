// Remembers which filters a person chose in a list, in each company and environment, so that the list opens with them again. Texts and days are not
// remembered: a search is for the moment, and may contain a name.
import { useEffect } from 'react'
import { useWorkplace } from '~/api/company.tsx'
import { findKept, keep } from '~/lib/kept.ts'
import { useSearch, useSetSearch } from '~/lib/use-search.ts'
import type { Filter } from './filters.tsx'

const isKept = (filter: Filter) => !('type' in filter)

function useName(list: string): string {
  const { me, company, environment } = useWorkplace()
  return `filters/${me.id}/${company?.id ?? ''}/${environment}/${list}`
}

/** Returns a function that remembers the filters, to be called with all that the person has chosen. */
export function useKeepFilters(list: string, filters: readonly Filter[]): (chosen: Record<string, string>) => void {
  const name = useName(list)
  const names = new Set(filters.filter(isKept).map((filter) => filter.name))
  return (chosen) => {
    const values = Object.entries(chosen).filter(([key, value]) => names.has(key) && value !== '')
    keep('browser', name, values.length === 0 ? undefined : JSON.stringify(Object.fromEntries(values)))
  }
}

/** Chooses the remembered filters when the list is opened without any in its address. A link with filters shows exactly those. */
export function useKeptFilters(list: string, filters: readonly Filter[]): void {
  const name = useName(list)
  const search = useSearch()
  const setSearch = useSetSearch()
  const isPlain = Object.keys(search).length === 0
  useEffect(() => {
    const kept = isPlain ? parse(findKept('browser', name)) : {}
    const known = filters.filter((filter) => isKept(filter) && kept[filter.name] !== undefined)
    if (known.length === 0) return
    setSearch(Object.fromEntries(known.map((filter) => [filter.name, kept[filter.name]])), {}, { replace: true })
    // Only when the list is opened: a person who clears the filters sees everything.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [name])
}

function parse(text: string | undefined): Record<string, string> {
  try {
    return JSON.parse(text ?? '{}') as Record<string, string>
  } catch {
    return {}
  }
}
