// All SQL of a company's list of operations.
import type { Db } from '../../db/pool.ts'
import { planEachTime, sql } from '../../db/sql.ts'
import { firstIdAt } from '../../lib/ids.ts'
import { isAscending, lastId, NEWEST_ID, type Slice } from '../../lib/slice.ts'
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
 * of those that are complete: operations are accepted too often for another index. The planner knows the order, so that one branch of each
 * `case` is left, which the index serves.
 */
export function listOperations(db: Db, scope: Scope, filter: OperationFilter, slice: Slice): Promise<OperationRow[]> {
  const { limit, sort } = slice
  const place = {
    isUpward: isAscending(sort),
    after: slice.after,
    end: lastId(sort),
    oldest: firstIdAt(filter.from ?? new Date(0)),
    newest: filter.until === null ? NEWEST_ID : firstIdAt(filter.until),
  }
  const { read, findAhead: findFrom, isIndexed } = sourceOf(filter)
  if (isIndexed) return read(db, scope, filter, { ...place, limit })
  return readInWindows({
    ...slice,
    findEnd: async (after) => (await findFrom(db, scope, filter, { ...place, after }))?.id,
    read: (after, end = lastId(sort), most) => read(db, scope, filter, { ...place, after, end, limit: most }),
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

function findAhead(db: Db, scope: Scope, filter: OperationFilter, place: Place) {
  return db.find<{ id: string }>(
    planEachTime(sql`
      select id from operation
      where company_id = ${scope.companyId} and environment = ${scope.environment}
        and id < ${place.newest} and id >= ${place.oldest}
        and case when ${place.isUpward} then id > ${place.after} else id < ${place.after} end
        and (${filter.status}::text is distinct from 'failed' or failure_code is not null)
      order by case when ${place.isUpward} then id end, id desc offset ${WINDOW_ROWS} limit 1`),
  )
}

function findOpenAhead(db: Db, scope: Scope, _filter: OperationFilter, place: Place) {
  return db.find<{ id: string }>(
    planEachTime(sql`
      select id from issuer_request
      where company_id = ${scope.companyId} and environment = ${scope.environment}
        and id < ${place.newest} and id >= ${place.oldest}
        and case when ${place.isUpward} then id > ${place.after} else id < ${place.after} end and kind in ('issue', 'topup', 'service')
      order by case when ${place.isUpward} then id end, id desc offset ${WINDOW_ROWS} limit 1`),
  )
}

function findCardOperationAhead(db: Db, scope: Scope, { cardId }: OperationFilter, place: Place) {
  return db.find<{ id: string }>(
    planEachTime(sql`
      select id from card_operation
      where company_id = ${scope.companyId} and environment = ${scope.environment} and card_id = ${cardId}
        and id < ${place.newest} and id >= ${place.oldest}
        and case when ${place.isUpward} then id > ${place.after} else id < ${place.after} end
      order by case when ${place.isUpward} then id end, id desc offset ${WINDOW_ROWS} limit 1`),
  )
}

function listAll(db: Db, scope: Scope, filter: OperationFilter, part: Part) {
  return db.many<OperationRow>(
    planEachTime(sql`
      select ${OPERATION_COLUMNS}
      from operation
      where company_id = ${scope.companyId} and environment = ${scope.environment}
        and id < ${part.newest} and id >= ${part.oldest}
        and case when ${part.isUpward} then id > ${part.after} and id <= ${part.end} else id < ${part.after} and id >= ${part.end} end
        and (${filter.type}::text is null or type = ${filter.type})
        and (${filter.status}::text is null or status = ${filter.status})
        -- It follows from the status, and finds the index of those that failed.
        and (${filter.status}::text is distinct from 'failed' or failure_code is not null)
        and (${filter.idempotencyKey}::text is null or idempotency_key = ${filter.idempotencyKey})
      order by case when ${part.isUpward} then id end, id desc limit ${part.limit}`),
  )
}

interface Place {
  isUpward: boolean
  after: string
  /** The last id that is read. */
  end: string
  /** What the filter leaves: from this id on, and before the other one. */
  oldest: string
  newest: string
}

type Part = Place & { limit: number }

/**
 * Reads the queue first, so that the cost does not depend on how many operations have ended. Each operation is looked up by its whole
 * key, in a subquery that the planner cannot pull up: a plain join reads all operations of the company as long as the statistics say
 * that there are none.
 */
function listOpenOperations(db: Db, scope: Scope, filter: OperationFilter, part: Part) {
  return db.many<OperationRow>(
    planEachTime(sql`
      select ${ALIASED_OPERATION_COLUMNS}
      from issuer_request q
      cross join lateral (
        select ${OPERATION_COLUMNS}, idempotency_key
        from operation where company_id = ${scope.companyId} and environment = ${scope.environment} and id = q.id offset 0
      ) o
      where q.company_id = ${scope.companyId} and q.environment = ${scope.environment} and q.status = ${filter.status}
        and q.id < ${part.newest} and q.id >= ${part.oldest}
        and case when ${part.isUpward} then q.id > ${part.after} and q.id <= ${part.end} else q.id < ${part.after} and q.id >= ${part.end} end
        and (${filter.type}::text is null or o.type = ${filter.type})
        and (${filter.idempotencyKey}::text is null or o.idempotency_key = ${filter.idempotencyKey})
      order by case when ${part.isUpward} then q.id end, q.id desc limit ${part.limit}`),
  )
}

/** Looks each operation up by its whole key; see listOpenOperations. */
function listCardOperations(db: Db, scope: Scope, filter: OperationFilter, part: Part) {
  return db.many<OperationRow>(
    planEachTime(sql`
      select ${ALIASED_OPERATION_COLUMNS}
      from card_operation k
      cross join lateral (
        select ${OPERATION_COLUMNS}, idempotency_key
        from operation where company_id = ${scope.companyId} and environment = ${scope.environment} and id = k.id offset 0
      ) o
      where k.company_id = ${scope.companyId} and k.environment = ${scope.environment} and k.card_id = ${filter.cardId}
        and k.id < ${part.newest} and k.id >= ${part.oldest}
        and case when ${part.isUpward} then k.id > ${part.after} and k.id <= ${part.end} else k.id < ${part.after} and k.id >= ${part.end} end
        and (${filter.type}::text is null or o.type = ${filter.type})
        and (${filter.status}::text is null or o.status = ${filter.status})
        and (${filter.idempotencyKey}::text is null or o.idempotency_key = ${filter.idempotencyKey})
      order by case when ${part.isUpward} then k.id end, k.id desc limit ${part.limit}`),
  )
}
