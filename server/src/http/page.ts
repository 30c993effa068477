// Answers a list page by page, or all of it as a stream. The position in the list is an id, so that rows inserted while a
// client pages are neither repeated nor skipped.
import { ApiError } from '../errors.ts'
import type { CursorCodec, Position } from '../lib/cursor.ts'
import { canonicalJson } from '../lib/digest.ts'
import { ZERO_ID } from '../lib/ids.ts'
import { LATEST_TIME, NEWEST_ID, type Slice } from '../lib/slice.ts'
import type { Scope } from '../lib/scope.ts'
import { PAGE_LIMIT_DEFAULT } from '../lib/wire.ts'
import { type Answer, JSON_HEADERS } from './route.ts'

export interface PageQuery {
  cursor?: string
  limit?: number
}

interface ListRequest<Row> {
  cursors: CursorCodec
  /** The list's name. A cursor is bound to it, to the scope and to the filters. */
  name: string
  scope?: Scope
  /** Newest first unless the list is a queue of work. */
  oldestFirst?: boolean
  query: PageQuery & Readonly<Record<string, unknown>>
  fetch(slice: Slice): Promise<Row[]>
  idOf(row: Row): string
  /** For a list that is ordered by another time than the one in the id. */
  timeOf?(row: Row): Date
  toWire(row: Row): unknown
}

/**
 * Rows that a stream reads per statement. They take the event loop a millisecond, and some tens of kilobytes are in memory,
 * however long the list is.
 */
const STREAM_ROWS = 100

export async function answerPage<Row>(request: ListRequest<Row>): Promise<Answer> {
  const binding = bindingOf(request)
  const limit = request.query.limit ?? PAGE_LIMIT_DEFAULT
  const start = request.oldestFirst === true ? ZERO_ID : NEWEST_ID
  const { id: after, at: afterTime = LATEST_TIME } =
    request.query.cursor === undefined ? { id: start } : requireCursor(request, binding)
  const produce = async () => {
    // One row more than asked for tells whether another page follows.
    const rows = await request.fetch({ after, afterTime, limit: limit + 1 })
    const shown = rows.slice(0, limit)
    const last = rows.length > limit ? shown.at(-1) : undefined
    const nextCursor = last === undefined ? null : request.cursors.encode(binding, positionOf(request, last))
    return { data: shown.map(request.toWire), nextCursor }
  }
  return { status: 200, read: 'page', produce, headers: JSON_HEADERS }
}

/** Answers the whole list, streamed, in the specified form `{data}`; or one page if `limit` or `cursor` is given. */
export async function answerWholeList<Row>(request: ListRequest<Row>): Promise<Answer> {
  if (request.query.limit !== undefined || request.query.cursor !== undefined) return answerPage(request)
  const produce = async () => {
    // The first rows are read before the answer begins, so that a failing database still gives an error answer.
    const first = await request.fetch({ after: NEWEST_ID, afterTime: LATEST_TIME, limit: STREAM_ROWS })
    return streamList(request, first)
  }
  return { status: 200, read: 'list', produce, headers: JSON_HEADERS }
}

async function* streamList<Row>(request: ListRequest<Row>, first: Row[]): AsyncGenerator<string> {
  let rows = first
  let opening = '{"data":['
  for (;;) {
    const items = rows.map((row) => JSON.stringify(request.toWire(row)))
    if (items.length > 0) yield opening + items.join(',')
    const last = rows.length === STREAM_ROWS ? rows.at(-1) : undefined
    if (last === undefined) break
    opening = ','
    const { id: after, at: afterTime = LATEST_TIME } = positionOf(request, last)
    rows = await request.fetch({ after, afterTime, limit: STREAM_ROWS })
  }
  yield first.length === 0 ? '{"data":[]}' : ']}'
}

function positionOf<Row>({ idOf, timeOf }: ListRequest<Row>, row: Row): Position {
  return timeOf === undefined ? { id: idOf(row) } : { id: idOf(row), at: timeOf(row) }
}

function bindingOf<Row>({ name, scope, query }: ListRequest<Row>): string {
  const { cursor: _cursor, limit: _limit, ...filters } = query
  return canonicalJson([name, scope?.companyId ?? null, scope?.environment ?? null, filters])
}

function requireCursor<Row>({ cursors, query }: ListRequest<Row>, binding: string): Position {
  const position = cursors.find(binding, query.cursor ?? '')
  if (position === undefined) {
    throw new ApiError(
      'validation_failed',
      'query.cursor does not belong to this list and these filters. Start again without it.',
      { param: 'cursor' },
    )
  }
  return position
}
