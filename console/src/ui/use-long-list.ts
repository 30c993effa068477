// A list of any length, of which only the pages in view are in memory. The API leads from each page to the next older one,
// so the pages that were passed are remembered by the cursor that they begin with, which is a short text.
import type { Page } from '@cardstock/sdk'
import { useEffect, useState } from 'react'
import type { CompanyClient } from '~/api/client.ts'
import type { Topic } from '~/api/topics.ts'
import { useData, useDataOfEach } from '~/api/use-data.ts'
import { findPlace, keepPlace, rememberPlace } from '~/lib/list-place.ts'
import type { RowSource } from './table.tsx'

/** The most that the API returns at once, so that scrolling waits as seldom as possible. */
export const ROWS_PER_PAGE = 100
/** So many rows before the edge of what was read, the next page is asked for. */
const ROWS_AHEAD = 50
export type ReadPage<Row> = (
  client: CompanyClient,
  filter: object,
  options: { signal: AbortSignal },
) => Promise<Page<Row>>

export interface LongList<Row> extends RowSource<Row> {
  readonly error: unknown
  retry(): void
}

/** The first page is followed while it is in view; the others are read when they come into view. */
export function useFirstPage<Row>(topic: Topic, filter: object, read: ReadPage<Row>) {
  const query = { ...filter, limit: ROWS_PER_PAGE }
  return useData(topic, ['list', query], (client, options) => read(client, query, options), {
    isMoving: true,
    keepsFormer: true,
  })
}

export function useLongList<Row>(
  topic: Topic,
  filter: object,
  read: ReadPage<Row>,
  { name, first }: { name: string; first: Page<Row> },
): LongList<Row> {
  const [{ from, to }, setView] = useState({ from: 0, to: 0 })
  const [place] = useState(() => findPlace(name))
  const [cursors, setCursors] = useState<readonly string[]>(place?.cursors ?? [])
  const inView = cursors.slice(Math.max(0, from - 1), Math.max(0, to))
  const later = useDataOfEach(
    topic,
    inView.map((cursor) => ['list', { ...filter, limit: ROWS_PER_PAGE, cursor }] as const),
    (client, [, query], options) => read(client, query, options),
  )
  const pageAt = (index: number): Page<Row> | undefined =>
    index === 0 ? first : later[index - Math.max(1, from)]?.data
  const last = pageAt(cursors.length)

  // Rows that came or went move the edges of the pages after them, so what a page in view says about the next one decides.
  for (let index = from; index <= Math.min(to, cursors.length); index += 1) {
    const page = pageAt(index)
    if (page === undefined || (page.nextCursor ?? undefined) === cursors[index]) continue
    setCursors([...cursors.slice(0, index), ...(page.nextCursor === null ? [] : [page.nextCursor])])
    break
  }
  useEffect(() => {
    rememberPlace(name, { cursors })
    const keepIt = () => keepPlace(name, { cursors, y: scrollY })
    addEventListener('pagehide', keepIt)
    return () => removeEventListener('pagehide', keepIt)
  }, [name, cursors])
  // The router restores the place before the rows are read, when the page is not high enough yet.
  useEffect(() => {
    if (place?.y !== undefined) scrollTo(0, place.y)
  }, [place])

  const failed = later.find(({ data, isError }) => isError && data === undefined)
  return {
    // While the end is not reached, the last page is taken to be full.
    count: cursors.length * ROWS_PER_PAGE + (last?.data.length ?? ROWS_PER_PAGE),
    isComplete: last !== undefined && last.nextCursor === null,
    rowAt: (index) => pageAt(Math.floor(index / ROWS_PER_PAGE))?.data[index % ROWS_PER_PAGE],
    show(firstRow, lastRow) {
      const next = {
        from: Math.floor(Math.max(0, firstRow - ROWS_AHEAD) / ROWS_PER_PAGE),
        to: Math.floor((lastRow + ROWS_AHEAD) / ROWS_PER_PAGE),
      }
      if (next.from !== from || next.to !== to) setView(next)
    },
    error: failed?.error,
    retry: () => void failed?.refetch(),
  }
}
