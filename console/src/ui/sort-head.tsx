// The head of a column, which sorts the table if the column has an order.
import type { Order, SortPair } from './sort.ts'
import styles from './table.module.css'

interface Props {
  readonly title: string
  readonly role: string | undefined
  readonly sort: SortPair | undefined
  readonly order: Order | undefined
}

export function SortHead({ title, role, sort, order }: Props) {
  if (sort === undefined || order === undefined) {
    return (
      <th scope="col" data-role={role}>
        {title}
      </th>
    )
  }
  const { ascending, descending, startsDescending = false } = sort
  const now = order.current === ascending ? 'ascending' : order.current === descending ? 'descending' : 'none'
  const first = startsDescending ? descending : ascending
  const next = now === 'none' ? first : now === 'ascending' ? descending : ascending
  return (
    <th scope="col" data-role={role} aria-sort={now}>
      <button type="button" className={styles.sort} onClick={() => order.set(next)}>
        {title}
        <span aria-hidden="true">{now === 'none' ? '↕' : now === 'ascending' ? '↑' : '↓'}</span>
      </button>
    </th>
  )
}
