// A page that lists objects: filters in the address, and rows that are read as the person scrolls. Short lists inside other pages
// have buttons for older and newer rows instead.
import { Button } from '@mantine/core'
import { useRouterState } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useSearch, useSetSearch } from '~/lib/use-search.ts'
import { ExportCsv } from './export-csv.tsx'
import { type Filter, Filters, pickFilters } from './filters.tsx'
import { LongList, type LongListProps } from './long-list.tsx'
import { OrderField } from './order-field.tsx'
import { PageHeading } from './page.tsx'
import { type ListSorts, useListOrder } from './sort.ts'
import styles from './list-page.module.css'

export interface ListPageProps<Row extends object> extends LongListProps<Row> {
  readonly filters?: readonly Filter[]
  /** The orders that the server has for this list. */
  readonly sorts?: ListSorts
  readonly actions?: ReactNode
  /** The page that this list belongs to. */
  readonly parent?: { readonly href: string; readonly title: string }
  /** Shown above the rows: a summary of all objects that match the chosen filters. */
  readonly summary?: (chosen: Readonly<Record<string, string>>) => ReactNode
  /** Under the heading. */
  readonly children?: ReactNode
}

export function ListPage<Row extends object>(props: ListPageProps<Row>) {
  const { title, filters = [], sorts, actions, parent, summary, children, read } = props
  const chosen = pickFilters(filters, useSearch())
  const { order, chosen: sorted } = useListOrder(sorts)
  const all = (
    <>
      <ExportCsv title={title} read={read} filter={{ ...chosen, ...sorted }} />
      {actions}
    </>
  )
  const head = (
    <>
      {filters.length === 0 ? null : (
        <Filters filters={filters} list={title}>
          {sorts === undefined || order === undefined ? null : <OrderField sorts={sorts} order={order} />}
        </Filters>
      )}
      {summary?.(chosen)}
    </>
  )
  return (
    <>
      <PageHeading title={title} actions={all} {...(parent === undefined ? {} : { parent })}>
        {children}
      </PageHeading>
      <LongList {...props} head={head} base={sorted} chosen={chosen} order={order} />
    </>
  )
}

/** The API has cursors only for the rows that follow. Those of the batches before are kept in the state of the browser's history. */
export function Paging({ nextCursor }: { nextCursor: string | null }) {
  const { cursor, sort } = useSearch()
  const setSearch = useSetSearch()
  const before = useRouterState({
    select: ({ location }) => (location.state as { before?: readonly string[] }).before ?? [],
  })
  if (cursor === undefined && nextCursor === null) return null
  const words = sort === 'oldest' ? ['Older', 'Newer'] : ['Newer', 'Older']
  const next = () => setSearch({ cursor: nextCursor ?? undefined }, { before: [...before, cursor ?? ''] })
  const former = () => setSearch({ cursor: before.at(-1) }, { before: before.slice(0, -1) })
  return (
    <nav className={styles.paging} aria-label="Pages of this list">
      <Button variant="default" disabled={cursor === undefined} onClick={former}>
        ‹ {words[0]}
      </Button>
      <Button variant="default" disabled={nextCursor === null} onClick={next}>
        {words[1]} ›
      </Button>
    </nav>
  )
}
