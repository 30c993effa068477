// A page that lists objects: filters in the address, and rows that are read as the person scrolls. Short lists inside other pages
// have buttons for older and newer rows instead.
import { Button } from '@mantine/core'
import { useRouterState } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useSearch, useSetSearch } from '~/lib/use-search.ts'
import { ExportCsv } from './export-csv.tsx'
import { type Filter, Filters, pickFilters } from './filters.tsx'
import { LongList, type LongListProps } from './long-list.tsx'
import { PageHeading } from './page.tsx'
import styles from './list-page.module.css'

export interface ListPageProps<Row extends object> extends LongListProps<Row> {
  readonly filters?: readonly Filter[]
  readonly actions?: ReactNode
  /** The page that this list belongs to. */
  readonly parent?: { readonly href: string; readonly title: string }
  /** Shown above the rows: a summary of all objects that match the chosen filters. */
  readonly summary?: (chosen: Readonly<Record<string, string>>) => ReactNode
  /** Under the heading. */
  readonly children?: ReactNode
}

export function ListPage<Row extends object>(props: ListPageProps<Row>) {
  const { title, filters = [], actions, parent, summary, children, read } = props
  const chosen = pickFilters(filters, useSearch())
  const all = (
    <>
      <ExportCsv title={title} read={read} filter={chosen} />
      {actions}
    </>
  )
  return (
    <>
      <PageHeading title={title} actions={all} {...(parent === undefined ? {} : { parent })}>
        {children}
      </PageHeading>
      {filters.length === 0 ? null : <Filters filters={filters} list={title} />}
      {summary?.(chosen)}
      <LongList {...props} chosen={chosen} />
    </>
  )
}

/** The API has cursors only for older rows. Those of the newer batches are kept in the state of the browser's history. */
export function Paging({ nextCursor }: { nextCursor: string | null }) {
  const { cursor } = useSearch()
  const setSearch = useSetSearch()
  const before = useRouterState({
    select: ({ location }) => (location.state as { before?: readonly string[] }).before ?? [],
  })
  if (cursor === undefined && nextCursor === null) return null
  const older = () => setSearch({ cursor: nextCursor ?? undefined }, { before: [...before, cursor ?? ''] })
  const newer = () => setSearch({ cursor: before.at(-1) }, { before: before.slice(0, -1) })
  return (
    <nav className={styles.paging} aria-label="Pages of the list">
      <Button variant="default" disabled={cursor === undefined} onClick={newer}>
        ‹ Newer
      </Button>
      <Button variant="default" disabled={nextCursor === null} onClick={older}>
        Older ›
      </Button>
    </nav>
  )
}
