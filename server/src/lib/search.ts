// Searches a list by the beginning of a text. Indexes find what begins so; if that is more than one statement may read, the list is
// read in its own order instead, where so many matches are found soon.
import { readInWindows, WINDOW_ROWS } from './windows.ts'

/** Sorts after every character, so that a text with it ends the range of texts that begin with the text. */
export const LAST_CHARACTER = '\u{10FFFF}'

interface Search<Row, Position> {
  readonly after: Position
  readonly limit: number
  /** Returns the ids of what begins with the text, at most `limit`. */
  findIds(limit: number): Promise<readonly { id: string }[]>
  /** Returns those rows with these ids that come after the position and match the other filters. */
  readFound(ids: readonly string[]): Promise<Row[]>
  findEnd(after: Position): Promise<Position | undefined>
  /** Returns the matching rows of a window, as for readInWindows. */
  readWindow(after: Position, end: Position | undefined, limit: number): Promise<Row[]>
}

export async function searchList<Row, Position>(search: Search<Row, Position>): Promise<Row[]> {
  const found = await search.findIds(WINDOW_ROWS + 1)
  if (found.length <= WINDOW_ROWS) return search.readFound([...new Set(found.map(({ id }) => id))])
  const { after, limit, findEnd, readWindow } = search
  return readInWindows({ after, limit, findEnd, read: readWindow })
}
