// Whether the screen is too narrow for tables, which then become lists of cards.
import { useSyncExternalStore } from 'react'

/** 48em: below it a table with five columns would need to be scrolled sideways. */
const query = window.matchMedia('(max-width: 48em)')

function subscribe(listener: () => void): () => void {
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

export function useNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => query.matches)
}
