// A table of objects. Where there is no room it becomes a list of cards, and a long one draws only the rows in view.
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { useNarrow } from '../lib/use-narrow.ts'
import { Go } from './go.tsx'
import styles from './table.module.css'

export interface Column<Row> {
  readonly title: string
  readonly show: (row: Row) => ReactNode
  /** `amount` is aligned to the right; `name` leads the card on a narrow screen and carries the link. */
  readonly role?: 'name' | 'amount'
}

interface Props<Row> {
  /** What the rows are, for screen readers. */
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
  readonly hrefOf?: (row: Row) => string | undefined
}

/** More rows than this are drawn only where they are seen. A page of a list is shorter. */
const DRAWN_ROWS_MAX = 200
const ROW_PX = 41
const CARD_PX = 112
const ROWS_AROUND = 20

export function Table<Row>(props: Props<Row>) {
  const isNarrow = useNarrow()
  const { rows } = props
  if (rows.length > DRAWN_ROWS_MAX) return <LongTable {...props} isNarrow={isNarrow} />
  return isNarrow ? <CardList {...props} /> : <PlainTable {...props} />
}

interface Window {
  readonly first: number
  readonly before: number
  readonly after: number
  readonly count: number
}

function LongTable<Row>({ isNarrow, ...props }: Props<Row> & { isNarrow: boolean }) {
  const { rows } = props
  const place = useRef<HTMLDivElement>(null)
  const [scrollMargin, setScrollMargin] = useState(0)
  useLayoutEffect(() => setScrollMargin(place.current?.offsetTop ?? 0), [])
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => (isNarrow ? CARD_PX : ROW_PX),
    overscan: ROWS_AROUND,
    scrollMargin,
  })
  const items = virtual.getVirtualItems()
  const [first, last] = [items[0], items.at(-1)]
  const window = {
    first: first?.index ?? 0,
    before: (first?.start ?? scrollMargin) - scrollMargin,
    after: virtual.getTotalSize() - ((last?.end ?? scrollMargin) - scrollMargin),
    count: rows.length,
  }
  const drawn = rows.slice(window.first, (last?.index ?? -1) + 1)
  return (
    <div ref={place}>
      {isNarrow ? (
        <CardList {...props} rows={drawn} window={window} />
      ) : (
        <PlainTable {...props} rows={drawn} window={window} />
      )}
    </div>
  )
}

function PlainTable<Row>({ label, columns, rows, keyOf, hrefOf, window }: Props<Row> & { window?: Window }) {
  return (
    <table className={styles.table} aria-label={label} {...(window && { 'aria-rowcount': window.count + 1 })}>
      <thead>
        <tr>
          {columns.map(({ title, role }) => (
            <th key={title} scope="col" data-role={role}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        <Gap height={window?.before} columns={columns.length} />
        {rows.map((row, index) => (
          <tr
            key={keyOf(row)}
            data-links={hrefOf?.(row) !== undefined}
            {...(window && { 'aria-rowindex': window.first + index + 2 })}
          >
            {columns.map((column) => (
              <td key={column.title} data-role={column.role}>
                <Cell column={column} row={row} href={hrefOf?.(row)} />
              </td>
            ))}
          </tr>
        ))}
        <Gap height={window?.after} columns={columns.length} />
      </tbody>
    </table>
  )
}

/** Stands for the rows that are not drawn. */
function Gap({ height = 0, columns }: { height?: number | undefined; columns: number }) {
  if (height === 0) return null
  return (
    <tr aria-hidden="true" className={styles.gap}>
      <td colSpan={columns} style={{ height }} />
    </tr>
  )
}

function Cell<Row>({ column, row, href }: { column: Column<Row>; row: Row; href: string | undefined }) {
  const content = column.show(row)
  if (column.role !== 'name' || href === undefined) return content
  return (
    <Go href={href} className={styles.link}>
      {content}
    </Go>
  )
}

function CardList<Row>({ label, columns, rows, keyOf, hrefOf, window }: Props<Row> & { window?: Window }) {
  const name = columns.find(({ role }) => role === 'name')
  const amount = columns.find(({ role }) => role === 'amount')
  const others = columns.filter((column) => column !== name && column !== amount)
  return (
    <ul
      className={styles.cards}
      aria-label={label}
      style={{ paddingBlock: `${window?.before ?? 0}px ${window?.after ?? 0}px` }}
    >
      {rows.map((row) => (
        <li key={keyOf(row)} className={styles.card} data-links={hrefOf?.(row) !== undefined}>
          <div className={styles.cardHead}>
            <span className={styles.cardName}>
              {name === undefined ? null : <Cell column={name} row={row} href={hrefOf?.(row)} />}
            </span>
            {amount?.show(row)}
          </div>
          <dl className={styles.cardRest}>
            {others.map((column) => (
              <div key={column.title}>
                <dt>{column.title}</dt>
                <dd>{column.show(row)}</dd>
              </div>
            ))}
          </dl>
        </li>
      ))}
    </ul>
  )
}
