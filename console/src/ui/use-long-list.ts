// A list of any length, of which only the batches in view are in memory. Each batch has the cursor of the next one, which has older rows.
// Batches that left the view are remembered by the cursor that they begin with, which is a short text.
import { useEffect, useState } from 'react'
import type { Batch, CompanyClient } from '~/api/client.ts'
import type { Topic } from '~/api/topics.ts'
import { useData, useDataOfEach } from '~/api/use-data.ts'
import { findPlace, keepPlace, rememberPlace } from '~/lib/list-place.ts'
import type { RowSource } from './windowed-table.tsx'

/** The most that the API returns at once, so that there are as few requests as possible while the person scrolls. */
export const ROWS_PER_BATCH = 100
/** How many rows before the end of a batch the next one is read. */
const ROWS_AHEAD = 50
export type ReadBatch<Row> = (
  client: CompanyClient,
  filter: object,
  options: { signal: AbortSignal },
) => Promise<Batch<Row>>

export interface LongList<Row> extends RowSource<Row> {
  /** How many rows there are at least: those of the batches that were read. */
  readonly known: number
  readonly error: unknown
  retry(): void
}

/** Reads the first batch, and follows its changes. The others are read when they come into view. */
export function useFirstBatch<Row>(topic: Topic, filter: object, read: ReadBatch<Row>) {
  const query = { ...filter, limit: ROWS_PER_BATCH }
  return useData(topic, ['list', query], (client, options) => read(client, query, options), {
    isMoving: true,
    keepsFormer: true,
  })
}

export function useLongList<Row>(
  topic: Topic,
  filter: object,
  read: ReadBatch<Row>,
  { name, first }: { name: string; first: Batch<Row> },
): LongList<Row> {
  const [{ from, to }, setView] = useState({ from: 0, to: 0 })
  const [place] = useState(() => findPlace(name))
  const [cursors, setCursors] = useState<readonly string[]>(place?.cursors ?? [])
  const inView = cursors.slice(Math.max(0, from - 1), Math.max(0, to))
  const later = useDataOfEach(
    topic,
    inView.map((cursor) => ['list', { ...filter, limit: ROWS_PER_BATCH, cursor }] as const),
    (client, [, query], options) => read(client, query, options),
  )
  const batchAt = (index: number): Batch<Row> | undefined =>
    index === 0 ? first : later[index - Math.max(1, from)]?.data
  const last = batchAt(cursors.length)

  // New and deleted rows move the cursors of the batches after them. The batch in view has the right cursor of the next one.
  for (let index = from; index <= Math.min(to, cursors.length); index += 1) {
    const batch = batchAt(index)
    if (batch === undefined || (batch.nextCursor ?? undefined) === cursors[index]) continue
    setCursors([...cursors.slice(0, index), ...(batch.nextCursor === null ? [] : [batch.nextCursor])])
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
    // While the end is not reached, the last batch counts as full.
    count: cursors.length * ROWS_PER_BATCH + (last?.data.length ?? ROWS_PER_BATCH),
    known: cursors.length * ROWS_PER_BATCH + (last?.data.length ?? 0),
    isComplete: last !== undefined && last.nextCursor === null,
    rowAt: (index) => batchAt(Math.floor(index / ROWS_PER_BATCH))?.data[index % ROWS_PER_BATCH],
    show(firstRow, lastRow) {
      const next = {
        from: Math.floor(Math.max(0, firstRow - ROWS_AHEAD) / ROWS_PER_BATCH),
        to: Math.floor((lastRow + ROWS_AHEAD) / ROWS_PER_BATCH),
      }
      if (next.from !== from || next.to !== to) setView(next)
    },
    error: failed?.error,
    retry: () => void failed?.refetch(),
  }
}
