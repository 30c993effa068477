// A table of objects. Where there is no room it becomes a list of cards.
import type { ReactNode } from 'react'
import { useNarrow } from '~/lib/use-narrow.ts'
import { Go } from './go.tsx'
import type { Order, SortPair } from './sort.ts'
import { SortHead } from './sort-head.tsx'
import styles from './table.module.css'

export interface Column<Row> {
  readonly title: string
  readonly show: (row: Row) => ReactNode
  /** On a narrow screen `name` leads the card and carries the link, and `amount` stands beside it. `figure` is only aligned. */
  readonly role?: 'name' | 'amount' | 'figure'
  /** What the head switches between, in a table that has an `order`. */
  readonly sort?: SortPair
}

export interface Look<Row> {
  /** What the rows are, for screen readers. */
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly keyOf: (row: Row) => string
  readonly hrefOf?: (row: Row) => string | undefined
  readonly order?: Order | undefined
}

/** Draws all of its rows. For many there are the tables of ui/windowed-table.tsx. */
export function Table<Row>({ rows, ...look }: Look<Row> & { readonly rows: readonly Row[] }) {
  const isNarrow = useNarrow()
  const drawn = rows.map((row, position) => ({ position, row }))
  return isNarrow ? <CardList {...look} drawn={drawn} /> : <PlainTable {...look} drawn={drawn} />
}

/** Where the drawn rows are among all rows of a table that draws only some. */
export interface Window {
  readonly before: number
  readonly after: number
  /** -1 while the end is not known, as ARIA wants it. */
  readonly rowCount: number
}

interface Drawn<Row> extends Look<Row> {
  readonly drawn: readonly { readonly position: number; readonly row: Row | undefined }[]
  readonly window?: Window
}

export function PlainTable<Row>({ label, columns, drawn, keyOf, hrefOf, order, window }: Drawn<Row>) {
  return (
    <table className={styles.table} aria-label={label} {...(window && { 'aria-rowcount': window.rowCount })}>
      <thead>
        <tr>
          {columns.map(({ title, role, sort }) => (
            <SortHead key={title} title={title} role={role} sort={sort} order={order} />
          ))}
        </tr>
      </thead>
      <tbody>
        <Gap height={window?.before} columns={columns.length} />
        {drawn.map(({ position, row }) =>
          row === undefined ? (
            <tr key={position} aria-busy="true">
              <td colSpan={columns.length} className="muted">
                Loading…
              </td>
            </tr>
          ) : (
            <tr
              key={keyOf(row)}
              data-links={hrefOf?.(row) !== undefined}
              {...(window && { 'aria-rowindex': position + 2 })}
            >
              {columns.map((column) => (
                <td key={column.title} data-role={column.role}>
                  <Cell column={column} row={row} href={hrefOf?.(row)} />
                </td>
              ))}
            </tr>
          ),
        )}
        <Gap height={window?.after} columns={columns.length} />
      </tbody>
    </table>
  )
}

/** Takes the space of the rows that are not drawn. */
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

export function CardList<Row>({ label, columns, drawn, keyOf, hrefOf, window }: Drawn<Row>) {
  const name = columns.find(({ role }) => role === 'name')
  const amount = columns.find(({ role }) => role === 'amount')
  const others = columns.filter((column) => column !== name && column !== amount)
  return (
    <ul
      className={styles.cards}
      aria-label={label}
      style={{ paddingBlock: `${window?.before ?? 0}px ${window?.after ?? 0}px` }}
    >
      {drawn.map(({ position, row }) =>
        row === undefined ? (
          <li key={position} className={styles.card} aria-busy="true">
            Loading…
          </li>
        ) : (
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
        ),
      )}
    </ul>
  )
}
