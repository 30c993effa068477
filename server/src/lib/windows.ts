// Reads a list with a filter that no index serves, in windows of a bounded number of rows with a rest after each: a filter that
// matches nothing must not become one statement over everything that a company has.
import { performance } from 'node:perf_hooks'
import { restAfter } from './rest.ts'

/** Rows that one statement looks at. That takes a few milliseconds, which nobody else notices. */
export const WINDOW_ROWS = 2000

interface Windows<Row, Position> {
  readonly after: Position
  readonly limit: number
  /** Returns the position WINDOW_ROWS rows further on, or undefined if there are no more rows than that. */
  findEnd(after: Position): Promise<Position | undefined>
  /** Returns the matching rows after one position, up to and with another, or all that are left. */
  read(after: Position, end: Position | undefined, limit: number): Promise<Row[]>
}

export async function readInWindows<Row, Position>(windows: Windows<Row, Position>): Promise<Row[]> {
  const rows: Row[] = []
  for (let after = windows.after; ;) {
    const startedMs = performance.now()
    const end = await windows.findEnd(after)
    rows.push(...(await windows.read(after, end, windows.limit - rows.length)))
    if (end === undefined || rows.length >= windows.limit) return rows
    after = end
    await restAfter(startedMs)
  }
}
