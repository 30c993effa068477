// Sorts the rows of a table that is whole by one of its columns. Pure.
import type { Order, SortPair } from './sort.ts'
import type { Column } from './table.tsx'

/** Without `compare` the column has no order. It compares for the ascending order. */
export interface ComparedColumn<Row> extends Column<Row> {
  readonly compare?: (a: Row, b: Row) => number
}

export function sortRows<Row>(
  rows: readonly Row[],
  columns: readonly ComparedColumn<Row>[],
  { current }: Pick<Order, 'current'>,
): readonly Row[] {
  for (const column of columns) {
    const { compare } = column
    const { ascending, descending } = pairOf(column)
    if (compare === undefined) continue
    if (current === ascending) return rows.toSorted(compare)
    if (current === descending) return rows.toSorted((a, b) => compare(b, a))
  }
  return rows
}

/** The order is named after the title, and a minus turns it around. */
export function pairOf<Row>({ title, role }: Column<Row>): SortPair {
  const name = title.toLowerCase().replaceAll(' ', '-')
  return { ascending: name, descending: `-${name}`, startsDescending: role === 'amount' || role === 'figure' }
}
