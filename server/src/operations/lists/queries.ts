// All SQL of a company's list of operations.
import type { Db } from '../../db/pool.ts'
import { planEachTime, sql } from '../../db/sql.ts'
import { firstIdAt } from '../../lib/ids.ts'
import type { Slice } from '../../lib/slice.ts'
import type { Scope } from '../../lib/scope.ts'
import { readInWindows, WINDOW_ROWS } from '../../lib/windows.ts'
import { ALIASED_OPERATION_COLUMNS, OPERATION_COLUMNS, type OperationRow } from '../queries.ts'
import type { OperationStatus } from '../states.ts'

export interface OperationFilter {
  type: string | undefined
  status: string | undefined
  cardId: string | undefined
  from: Date | null
  until: Date | null
  idempotencyKey: string | undefined
}

const OPEN_STATUSES: readonly (string | undefined)[] = [
  'queued',
  'processing',
  'manual_review',
] satisfies OperationStatus[]

/**
 * Ids carry their creation time, so that a range of instants is a range of the primary key. No index has the type, nor the status
 * of those that are complete: operations are accepted too often for another index.
 */
export function listOperations(db: Db, scope: Scope, filter: OperationFilter, slice: Slice): Promise<OperationRow[]> {
  const oldest = firstIdAt(filter.from ?? new Date(0))
  const newest = filter.until === null ? slice.after : firstIdAt(filter.until)
  const bounds = { oldest, newest }
  const { read, findAhead: findFrom, isIndexed } = sourceOf(filter)
  if (isIndexed) return read(db, scope, filter, { ...slice, ...bounds })
  return readInWindows({
    ...slice,
    findEnd: async (after) => (await findFrom(db, scope, filter, { ...slice, ...bounds, after }))?.id,
    read: (after, end, limit) => read(db, scope, filter, { ...slice, newest, after, oldest: end ?? oldest, limit }),
  })
}

/** Which table is read first, and whether its index serves the whole filter. */
function sourceOf({ cardId, status, type, idempotencyKey }: OperationFilter) {
  if (cardId !== undefined) {
    const isIndexed = type === undefined && status === undefined && idempotencyKey === undefined
    return { read: listCardOperations, findAhead: findCardOperationAhead, isIndexed }
  }
  if (idempotencyKey !== undefined) return { read: listAll, findAhead, isIndexed: true }
  if (OPEN_STATUSES.includes(status)) return { read: listOpenOperations, findAhead: findOpenAhead, isIndexed: false }
  const isIndexed = type === undefined && (status === undefined || status === 'failed')
  return { read: listAll, findAhead, isIndexed }
}

function findAhead(db: Db, scope: Scope, filter: OperationFilter, slice: BoundedSlice) {
  return db.find<{ id: string }>(
    planEachTime(sql`
      select id from operation
      where company_id = ${scope.companyId} and environment = ${scope.environment}
        and id < ${slice.after} and id < ${slice.newest} and id >= ${slice.oldest}
        and (${filter.status}::text is distinct from 'failed' or failure_code is not null)
      order by id desc offset ${WINDOW_ROWS} limit 1`),
  )
}

function findOpenAhead(db: Db, scope: Scope, _filter: OperationFilter, slice: BoundedSlice) {
  return db.find<{ id: string }>(
    planEachTime(sql`
      select id from issuer_request
      where company_id = ${scope.companyId} and environment = ${scope.environment}
        and id < ${slice.after} and id < ${slice.newest} and id >= ${slice.oldest} and kind in ('issue', 'topup', 'service')
      order by id desc offset ${WINDOW_ROWS} limit 1`),
  )
}

function findCardOperationAhead(db: Db, scope: Scope, { cardId }: OperationFilter, slice: BoundedSlice) {
  return db.find<{ id: string }>(
    planEachTime(sql`
      select id from card_operation
      where company_id = ${scope.companyId} and environment = ${scope.environment} and card_id = ${cardId}
        and id < ${slice.after} and id < ${slice.newest} and id >= ${slice.oldest}
      order by id desc offset ${WINDOW_ROWS} limit 1`),
  )
}

function listAll(db: Db, scope: Scope, filter: OperationFilter, slice: BoundedSlice) {
  return db.many<OperationRow>(
    planEachTime(sql`
      select ${OPERATION_COLUMNS}
      from operation
      where company_id = ${scope.companyId} and environment = ${scope.environment}
        and id < ${slice.after} and id < ${slice.newest} and id >= ${slice.oldest}
        and (${filter.type}::text is null or type = ${filter.type})
        and (${filter.status}::text is null or status = ${filter.status})
        -- It follows from the status, and finds the index of those that failed.
        and (${filter.status}::text is distinct from 'failed' or failure_code is not null)
        and (${filter.idempotencyKey}::text is null or idempotency_key = ${filter.idempotencyKey})
      order by id desc limit ${slice.limit}`),
  )
}

interface BoundedSlice extends Slice {
  oldest: string
  newest: string
}

/**
 * Reads the queue first, so that the cost does not depend on how many operations have ended. Each operation is looked up by its whole
 * key, in a subquery that the planner cannot pull up: a plain join reads all operations of the company as long as the statistics say
 * that there are none.
 */
function listOpenOperations(db: Db, scope: Scope, filter: OperationFilter, slice: BoundedSlice) {
  return db.many<OperationRow>(
    planEachTime(sql`
      select ${ALIASED_OPERATION_COLUMNS}
      from issuer_request q
      cross join lateral (
        select ${OPERATION_COLUMNS}, idempotency_key
        from operation where company_id = ${scope.companyId} and environment = ${scope.environment} and id = q.id offset 0
      ) o
      where q.company_id = ${scope.companyId} and q.environment = ${scope.environment} and q.status = ${filter.status}
        and q.id < ${slice.after} and q.id < ${slice.newest} and q.id >= ${slice.oldest}
        and (${filter.type}::text is null or o.type = ${filter.type})
        and (${filter.idempotencyKey}::text is null or o.idempotency_key = ${filter.idempotencyKey})
      order by q.id desc limit ${slice.limit}`),
  )
}

/** Looks each operation up by its whole key; see listOpenOperations. */
function listCardOperations(db: Db, scope: Scope, filter: OperationFilter, slice: BoundedSlice) {
  return db.many<OperationRow>(
    planEachTime(sql`
      select ${ALIASED_OPERATION_COLUMNS}
      from card_operation k
      cross join lateral (
        select ${OPERATION_COLUMNS}, idempotency_key
        from operation where company_id = ${scope.companyId} and environment = ${scope.environment} and id = k.id offset 0
      ) o
      where k.company_id = ${scope.companyId} and k.environment = ${scope.environment} and k.card_id = ${filter.cardId}
        and k.id < ${slice.after} and k.id < ${slice.newest} and k.id >= ${slice.oldest}
        and (${filter.type}::text is null or o.type = ${filter.type})
        and (${filter.status}::text is null or o.status = ${filter.status})
        and (${filter.idempotencyKey}::text is null or o.idempotency_key = ${filter.idempotencyKey})
      order by k.id desc limit ${slice.limit}`),
  )
}
