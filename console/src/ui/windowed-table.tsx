// A table that draws only the rows in view, so that a list of any length scrolls.
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useNarrow } from '~/lib/use-narrow.ts'
import { CardList, type Look, PlainTable, Table } from './table.tsx'

/** Rows that are fetched as they come into view. */
export interface RowSource<Row> {
  readonly count: number
  /** Whether there are no rows after these. */
  readonly isComplete: boolean
  /** Undefined while the row is being read. */
  rowAt(index: number): Row | undefined
  /** Called with the rows that are drawn. */
  show(first: number, last: number): void
}

/** A table with more rows draws only those in view. */
const DRAWN_ROWS_MAX = 200
const ROW_PX = 41
const CARD_PX = 112
/** Rows that are drawn before and after those in view, so that scrolling shows no gap. */
const ROWS_AROUND = 20

/** A table of any number of rows that are already there. */
export function LongTable<Row>({ rows, ...look }: Look<Row> & { readonly rows: readonly Row[] }) {
  if (rows.length <= DRAWN_ROWS_MAX) return <Table {...look} rows={rows} />
  return <WindowedTable {...look} source={sourceOf(rows)} />
}

function sourceOf<Row>(rows: readonly Row[]): RowSource<Row> {
  return { count: rows.length, isComplete: true, rowAt: (index) => rows[index], show: () => undefined }
}

export function WindowedTable<Row>({ source, ...look }: Look<Row> & { readonly source: RowSource<Row> }) {
  const isNarrow = useNarrow()
  const { count, isComplete, rowAt, show } = source
  const place = useRef<HTMLDivElement>(null)
  const [scrollMargin, setScrollMargin] = useState(0)
  useLayoutEffect(() => {
    const measure = () => setScrollMargin(place.current?.offsetTop ?? 0)
    measure()
    // The content above the table may grow.
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [])
  const virtual = useWindowVirtualizer({
    count,
    estimateSize: () => (isNarrow ? CARD_PX : ROW_PX),
    overscan: ROWS_AROUND,
    scrollMargin,
  })
  const items = virtual.getVirtualItems()
  const [first, last] = [items[0], items.at(-1)]
  const [firstIndex, lastIndex] = [first?.index ?? 0, last?.index ?? -1]
  useEffect(() => show(firstIndex, lastIndex))
  const window = {
    before: (first?.start ?? scrollMargin) - scrollMargin,
    after: virtual.getTotalSize() - ((last?.end ?? scrollMargin) - scrollMargin),
    rowCount: isComplete ? count + 1 : -1,
  }
  const drawn = items.map(({ index }) => ({ position: index, row: rowAt(index) }))
  return (
    <div ref={place}>
      {isNarrow ? (
        <CardList {...look} drawn={drawn} window={window} />
      ) : (
        <PlainTable {...look} drawn={drawn} window={window} />
      )}
    </div>
  )
}
