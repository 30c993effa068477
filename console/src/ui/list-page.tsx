// A page that lists objects: filters and position in the address, one page of rows, and the way to older and newer ones.
import { Button } from '@mantine/core'
import { useRouterState } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Page } from '@cardstock/sdk'
import type { CompanyClient } from '../api/client.ts'
import type { Topic } from '../api/topics.ts'
import { useData } from '../api/use-data.ts'
import { useSearch, useSetSearch } from '../lib/use-search.ts'
import { type Filter, Filters, pickFilters } from './filters.tsx'
import { Lines, Loaded } from './loaded.tsx'
import { Empty } from './notice.tsx'
import { PageHeading, Panel } from './page.tsx'
import { type Column, Table } from './table.tsx'
import styles from './list-page.module.css'

/** A page that fits on two screens, and that the server reads in a millisecond. */
const ROWS_PER_PAGE = 50

export interface ListPageProps<Row> {
  readonly title: string
  readonly topic: Topic
  /** Reads one page. The filter holds the values of `filters`, `limit` and `cursor`. */
  readonly read: (client: CompanyClient, filter: object, options: { signal: AbortSignal }) => Promise<Page<Row>>
  readonly columns: readonly Column<Row>[]
  readonly filters?: readonly Filter[]
  readonly keyOf: (row: Row) => string
  readonly hrefOf?: (row: Row) => string | undefined
  readonly actions?: ReactNode
  /** Shown when there is nothing at all: says what these objects are and offers the next step. */
  readonly empty: ReactNode
  /** Under the heading. */
  readonly children?: ReactNode
}

export function ListPage<Row>(props: ListPageProps<Row>) {
  const { title, topic, read, filters = [], actions, children } = props
  const search = useSearch()
  const chosen = pickFilters(filters, search)
  const { cursor } = search
  const filter = { ...chosen, limit: ROWS_PER_PAGE, ...(cursor === undefined ? {} : { cursor }) }
  const query = useData(topic, ['list', filter], (client, options) => read(client, filter, options), {
    isMoving: cursor === undefined,
    keepsFormer: true,
  })
  return (
    <>
      <PageHeading title={title} actions={actions}>
        {children}
      </PageHeading>
      {filters.length === 0 ? null : <Filters filters={filters} />}
      <Loaded query={query} skeleton={<Lines count={8} height={32} />}>
        {(page) => <Rows {...props} page={page} isFiltered={Object.keys(chosen).length > 0} />}
      </Loaded>
    </>
  )
}

function Rows<Row>(props: ListPageProps<Row> & { page: Page<Row>; isFiltered: boolean }) {
  const { title, columns, keyOf, hrefOf, empty, page, isFiltered } = props
  const { cursor } = useSearch()
  if (page.data.length === 0 && cursor === undefined) {
    return (
      <Panel>
        {isFiltered ? (
          <Empty icon="search" title="Nothing matches these filters">
            Change a filter, or clear all of them.
          </Empty>
        ) : (
          empty
        )}
      </Panel>
    )
  }
  return (
    <>
      <Panel isFlush>
        <Table
          label={title}
          columns={columns}
          rows={page.data}
          keyOf={keyOf}
          {...(hrefOf === undefined ? {} : { hrefOf })}
        />
      </Panel>
      <Paging nextCursor={page.nextCursor} />
    </>
  )
}

/** The API only leads to older rows. The cursors of the pages before are kept with the entry of the browser's history. */
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
