// A table whose rows are all on the page, so that the browser can sort them by any column that can be compared.
import { useOrder } from './sort.ts'
import { type ComparedColumn, pairOf, sortRows } from './sort-rows.ts'
import { LongTable } from './windowed-table.tsx'

interface Props<Row> {
  readonly label: string
  readonly columns: readonly ComparedColumn<Row>[]
  /** As they are shown until somebody chooses an order. */
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
  readonly hrefOf?: (row: Row) => string | undefined
}

export function SortedTable<Row>({ columns, rows, ...look }: Props<Row>) {
  const order = useOrder()
  const sortable = columns.map((column) =>
    column.compare === undefined ? column : { ...column, sort: pairOf(column) },
  )
  return <LongTable {...look} columns={sortable} rows={sortRows(rows, columns, order)} order={order} />
}
