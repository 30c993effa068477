// What entries are about, by the hexadecimal digits of their reference, and the words for it. Plain values, so that a worker thread
// can use them.
import type { StatementEntry } from '@cardstock/sdk'
import { type EntrySubject, entryTitle } from '../cards/title.ts'

export type Subjects = ReadonlyMap<string, EntrySubject>

/** Parses what entry_subjects returned. A map, because no reference is a property that every object has. */
export function parseSubjects(json: string): Subjects {
  return new Map(Object.entries(JSON.parse(json) as Record<string, EntrySubject>))
}

export function titleOf({ kind, reference }: Pick<StatementEntry, 'kind' | 'reference'>, subjects: Subjects): string {
  const [prefix = '', digits = ''] = reference.split('_')
  return entryTitle(kind, prefix, subjects.get(digits))
}
