// Reading a list page by page, or all of it as a stream. The position is an id, so that rows inserted meanwhile are
// neither repeated nor skipped.
import { Readable } from 'node:stream'
import { ApiError } from '../errors.ts'
import type { CursorCodec, Position } from '../lib/cursor.ts'
import { canonicalJson } from '../lib/digest.ts'
import type { Page } from '../lib/page.ts'
import type { Scope } from '../lib/scope.ts'
import { PAGE_LIMIT_DEFAULT } from '../lib/wire.ts'
import { type Answer, ok } from './route.ts'

export interface PageQuery {
  cursor?: string
  limit?: number
}

interface ListRequest<Row> {
  cursors: CursorCodec
  /** The list's name. With the scope and the filters it is what a cursor is bound to. */
  name: string
  scope?: Scope
  /** Newest first unless the list is a queue of work. */
  oldestFirst?: boolean
  query: PageQuery & Readonly<Record<string, unknown>>
  fetch(page: Page): Promise<Row[]>
  idOf(row: Row): string
  /** When the list is ordered by a time that is not the id's. */
  timeOf?(row: Row): Date
  toWire(row: Row): unknown
}

/** Above every id: the first page begins here. Not null, because a nullable bound keeps the planner from the index. */
const NEWEST = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
const OLDEST = '00000000-0000-0000-0000-000000000000'
const LATEST_TIME = new Date('9999-12-31T23:59:59.999Z')
/** Rows per statement of a stream: a few hundred kilobytes at most are in memory, however long the list is. */
const STREAM_ROWS = 1000

export async function answerPage<Row>(request: ListRequest<Row>): Promise<Answer> {
  const binding = bindingOf(request)
  const limit = request.query.limit ?? PAGE_LIMIT_DEFAULT
  const start = request.oldestFirst === true ? OLDEST : NEWEST
  const { id: after, at: afterTime = LATEST_TIME } =
    request.query.cursor === undefined ? { id: start } : requireCursor(request, binding)
  // One row more than asked for tells whether another page follows.
  const rows = await request.fetch({ after, afterTime, limit: limit + 1 })
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : undefined
  const nextCursor = last === undefined ? null : request.cursors.encode(binding, positionOf(request, last))
  return ok({ data: shown.map(request.toWire), nextCursor })
}

/** The specified form `{data}` without paging: the whole list, streamed; a page when `limit` or `cursor` is given. */
export async function answerWholeList<Row>(request: ListRequest<Row>): Promise<Answer> {
  if (request.query.limit !== undefined || request.query.cursor !== undefined) return answerPage(request)
  // The first rows are read before the answer begins, so that a failing database is still an error answer.
  const first = await request.fetch({ after: NEWEST, afterTime: LATEST_TIME, limit: STREAM_ROWS })
  return {
    status: 200,
    body: Readable.from(streamList(request, first)),
    headers: { 'content-type': 'application/json; charset=utf-8' },
  }
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
    )
  }
  return position
}
