// A wire id from a path or a query: what cannot be an id of ours is simply not found.
import { notFound } from '../errors.ts'
import { findId, type Prefix } from '../lib/ids.ts'

export function requireId(prefix: Prefix, text: string): string {
  const id = findId(prefix, text)
  if (id === undefined) throw notFound()
  return id
}

/** The row that was looked for, or the one and only not-found answer. */
export function requireFound<Row>(row: Row | undefined): Row {
  if (row === undefined) throw notFound()
  return row
}
