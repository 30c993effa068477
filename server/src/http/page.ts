// Answers a list page by page, or all of it as a stream. The position in the list is an id, so that rows inserted while a
// client pages are neither repeated nor skipped.
import { ApiError } from '../errors.ts'
import type { CursorCodec, Position } from '../lib/cursor.ts'
import { canonicalJson } from '../lib/digest.ts'
import { ZERO_ID } from '../lib/ids.ts'
import { EARLIEST_TIME, isAscending, isByName, LATEST_TIME, NEWEST_ID, type Slice, type Sort } from '../lib/slice.ts'
import type { Scope } from '../lib/scope.ts'
import { PAGE_LIMIT_DEFAULT } from '../lib/wire.ts'
import { type Answer, JSON_HEADERS } from './route.ts'

export interface PageQuery {
  cursor?: string
  limit?: number
  sort?: Sort
}

interface ListRequest<Row> {
  cursors: CursorCodec
  /** The list's name. A cursor is bound to it, to the scope, to the order and to the filters. */
  name: string
  scope?: Scope
  /** Newest first unless the list is a queue of work. */
  oldestFirst?: boolean
  query: PageQuery & Readonly<Record<string, unknown>>
  fetch(slice: Slice): Promise<Row[]>
  idOf(row: Row): string
  /** For a list that is ordered by another time than the one in the id. */
  timeOf?(row: Row): Date
  /** For a list that can be ordered by names: the name in lower case. */
  nameOf?(row: Row): string | undefined
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
  const position = request.query.cursor === undefined ? undefined : requireCursor(request, binding)
  const produce = async () => {
    // One row more than asked for tells whether another page follows.
    const rows = await request.fetch(sliceAfter(request, position, limit + 1))
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
    const first = await request.fetch(sliceAfter(request, undefined, STREAM_ROWS))
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
    rows = await request.fetch(sliceAfter(request, positionOf(request, last), STREAM_ROWS))
  }
  yield first.length === 0 ? '{"data":[]}' : ']}'
}

/** Without a position the slice starts at the beginning of the list. */
function sliceAfter<Row>(
  { oldestFirst, query }: ListRequest<Row>,
  position: Position | undefined,
  limit: number,
): Slice {
  const { sort } = query
  const isUpward = oldestFirst === true || isAscending(sort)
  const { id, at, name } = position ?? { id: isUpward ? ZERO_ID : NEWEST_ID }
  return { after: id, afterTime: at ?? (isUpward ? EARLIEST_TIME : LATEST_TIME), afterName: name, limit, sort }
}

function positionOf<Row>({ idOf, timeOf, nameOf, query }: ListRequest<Row>, row: Row): Position {
  const id = idOf(row)
  if (isByName(query.sort)) return { id, name: nameOf?.(row) ?? '' }
  return timeOf === undefined ? { id } : { id, at: timeOf(row) }
}

function bindingOf<Row>({ name, scope, query }: ListRequest<Row>): string {
  const { cursor: _cursor, limit: _limit, sort, ...filters } = query
  // The default order is the same list, whether it is named or not.
  const order = sort === undefined || sort === 'newest' ? {} : { sort }
  return canonicalJson([name, scope?.companyId ?? null, scope?.environment ?? null, { ...filters, ...order }])
}

function requireCursor<Row>({ cursors, query }: ListRequest<Row>, binding: string): Position {
  const position = cursors.find(binding, query.cursor ?? '')
  if (position === undefined) {
    throw new ApiError(
      'validation_failed',
      'query.cursor does not belong to this list, this order and these filters. Start again without it.',
      { param: 'cursor' },
    )
  }
  return position
}
