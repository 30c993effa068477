// Remembers how far each list was read, so that Back and a reload return to the same place. The places are in memory. That of the list that is open
// when the document is unloaded is in the tab's storage.
import { findKept, keep } from './kept.ts'

export interface ListPlace {
  /** The cursors at which the second batch and those after it begin. */
  readonly cursors: readonly string[]
  /** Where the window was scrolled to when the document was unloaded. */
  readonly y?: number
}

/** How many lists are remembered. */
const REMEMBERED_MAX = 20
const KEPT = 'list-place'

const remembered = new Map<string, ListPlace>()

/** Changes nothing, because React may begin to draw a list and drop what it began. */
export function findPlace(name: string): ListPlace | undefined {
  return remembered.get(name) ?? findKeptPlace(name)
}

/** Call it when a list is drawn. What was kept is used once: a link that opens the list again begins at its top. */
export function rememberPlace(name: string, place: ListPlace): void {
  keep('tab', KEPT, undefined)
  remembered.delete(name)
  remembered.set(name, place)
  const [oldest] = remembered.keys()
  if (remembered.size > REMEMBERED_MAX && oldest !== undefined) remembered.delete(oldest)
}

export function keepPlace(name: string, place: ListPlace): void {
  keep('tab', KEPT, JSON.stringify({ name, ...place }))
}

/** Call it when another person signs in. */
export function forgetPlaces(): void {
  remembered.clear()
  keep('tab', KEPT, undefined)
}

function findKeptPlace(name: string): ListPlace | undefined {
  const kept = JSON.parse(findKept('tab', KEPT) ?? 'null') as (ListPlace & { name: string }) | null
  return kept?.name === name ? kept : undefined
}
