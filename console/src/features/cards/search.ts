// What the fields that search share: when a search begins, and how much it shows.
import { useSettled } from '~/lib/use-settled.ts'

/** As many as fit into a list that opens below a field. */
export const SUGGESTIONS_MAX = 20
/** The server refuses fewer characters. */
const SEARCH_LENGTH_MIN = 2

/** Returns what was typed once the person pauses. */
export function useTyped(text: string): string {
  return useSettled(text.trim())
}

/** Returns the filter for what was typed. Too short a text does not filter, so that the newest are offered. */
export function searchOf(typed: string): { q?: string } {
  return typed.length < SEARCH_LENGTH_MIN ? {} : { q: typed }
}
