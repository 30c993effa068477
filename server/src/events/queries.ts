// All SQL on events as they are read and removed. They are written by the functions that change their objects.
import type { Db } from '../db/pool.ts'
import { fragment, planEachTime, sql } from '../db/sql.ts'
import { firstIdAt } from '../lib/ids.ts'
import type { Environment, Scope } from '../lib/scope.ts'
import type { Slice } from '../lib/slice.ts'
import { readInWindows, WINDOW_ROWS } from '../lib/windows.ts'
import type { EventRow } from './render.ts'

/** The columns of an EventRow, from an event `v` and its operation `o`. */
export const EVENT_COLUMNS = fragment`
  v.company_id, v.environment, v.id, v.type, v.object_id, v.sequence, v.data, v.created_at, o.type as operation_type, o.amount,
  o.fee, o.card_id, o.receipt, o.failure_code, o.failure_message, o.created_at as operation_created_at`

/** The columns of an event that is stored. Those of an operation are read from the operation if `data` is null. */
export const STORED_EVENT_COLUMNS = fragment`company_id, environment, id, type, object_id, sequence, data, created_at`

/** What an event shows of its operation. */
export const SHOWN_OPERATION_COLUMNS = fragment`type, amount, fee, card_id, receipt, failure_code, failure_message, created_at`

/** Events older than `oldest` are not shown any more, even if they are not deleted yet. Operations are kept forever. */
export function findEvent(db: Db, scope: Scope, id: string, oldest: Date) {
  return db.find<EventRow>(sql`
    select ${EVENT_COLUMNS}
    from event_log v
    left join lateral (
      select ${SHOWN_OPERATION_COLUMNS} from operation
      where v.data is null and company_id = ${scope.companyId} and environment = ${scope.environment} and id = v.object_id offset 0
    ) o on true
    where v.company_id = ${scope.companyId} and v.environment = ${scope.environment} and v.id = ${id}
      and v.id >= ${firstIdAt(oldest)}`)
}

export interface EventFilter {
  type: string | undefined
  from: Date
  until: Date | null
}

/** Nearly all events are of these types, so that the index by type leaves them out. */
export const FREQUENT_TYPES: ReadonlySet<string> = new Set(['operation.processing', 'operation.completed'])

type EventSlice = Pick<Slice, 'after' | 'limit'>

/**
 * The queries have parts that each read one index in its order, and look operations up one by one, in a subquery that the planner
 * cannot pull up. Otherwise it sorts all events and joins all operations of a company as long as it has no statistics.
 */
export function listEvents(db: Db, scope: Scope, filter: EventFilter, slice: EventSlice): Promise<EventRow[]> {
  const bounds = {
    ...slice,
    oldest: firstIdAt(filter.from),
    newest: filter.until === null ? slice.after : firstIdAt(filter.until),
  }
  const { type } = filter
  if (type === undefined) return listByTime(db, scope, type, bounds)
  if (!FREQUENT_TYPES.has(type)) return listByType(db, scope, type, bounds)
  return readInWindows({
    ...slice,
    findEnd: async (after) => (await findEventAhead(db, scope, { ...bounds, after }))?.id,
    read: (after, end, limit) => listByTime(db, scope, type, { ...bounds, after, oldest: end ?? bounds.oldest, limit }),
  })
}

function findEventAhead(db: Db, scope: Scope, { after, newest, oldest }: Bounds) {
  return db.find<{ id: string }>(
    planEachTime(sql`
      select id from event
      where company_id = ${scope.companyId} and environment = ${scope.environment}
        and id < ${after} and id < ${newest} and id >= ${oldest}
      order by id desc offset ${WINDOW_ROWS} limit 1`),
  )
}

interface Bounds extends EventSlice {
  oldest: string
  newest: string
}

function listByTime(db: Db, scope: Scope, type: string | undefined, { after, newest, oldest, limit }: Bounds) {
  return db.many<EventRow>(
    planEachTime(sql`
      select ${EVENT_COLUMNS}
      from (
        (select ${STORED_EVENT_COLUMNS} from event
         where company_id = ${scope.companyId} and environment = ${scope.environment}
           and id < ${after} and id < ${newest} and id >= ${oldest} and (${type}::text is null or type = ${type})
         order by id desc limit ${limit})
        union all
        (select company_id, environment, id, 'operation.queued', id, 1, null, created_at from operation
         where company_id = ${scope.companyId} and environment = ${scope.environment}
           and id < ${after} and id < ${newest} and id >= ${oldest} and ${type}::text is null
         order by id desc limit ${limit})
      ) v
      left join lateral (
        select ${SHOWN_OPERATION_COLUMNS} from operation
        where v.data is null and company_id = ${scope.companyId} and environment = ${scope.environment} and id = v.object_id offset 0
      ) o on true
      order by v.id desc limit ${limit}`),
  )
}

function listByType(db: Db, scope: Scope, type: string, { after, newest, oldest, limit }: Bounds) {
  const below = after < newest ? after : newest
  return db.many<EventRow>(
    planEachTime(sql`
      select ${EVENT_COLUMNS}
      from (
        (select e.company_id, e.environment, e.id, e.type, e.object_id, e.sequence, e.data, e.created_at
         from list_event_ids_by_type(${scope.companyId}, ${scope.environment}, ${type}, ${oldest}, ${below}, ${limit}) f
         cross join lateral (
           select ${STORED_EVENT_COLUMNS} from event
           where company_id = ${scope.companyId} and environment = ${scope.environment} and id = f.id offset 0
         ) e)
        union all
        (select company_id, environment, id, 'operation.queued', id, 1, null, created_at from operation
         where company_id = ${scope.companyId} and environment = ${scope.environment}
           and id < ${below} and id >= ${oldest} and ${type}::text = 'operation.queued'
         order by id desc limit ${limit})
      ) v
      left join lateral (
        select ${SHOWN_OPERATION_COLUMNS} from operation
        where v.data is null and company_id = ${scope.companyId} and environment = ${scope.environment} and id = v.object_id offset 0
      ) o on true
      order by v.id desc limit ${limit}`),
  )
}

export interface EventOwner {
  company_id: string
  environment: Environment
}

/**
 * The next companies and environments, and whether they have events or deliveries older than that. By the first of each:
 * asked whether there is one, the planner would rather read all events once. Across companies: those of all are removed.
 */
export function listEventOwnersAfter(db: Db, after: EventOwner, before: Date, limit: number) {
  return db.many<EventOwner & { has_old: boolean }>(sql`
    select a.company_id, a.environment,
           coalesce((
             select v.id from event v where v.company_id = a.company_id and v.environment = a.environment
             order by v.id limit 1) < ${firstIdAt(before)}, false)
           or coalesce((
             select d.event_id from delivery d where d.company_id = a.company_id and d.environment = a.environment
             order by d.event_id limit 1) < ${firstIdAt(before)}, false) as has_old
    from account a
    where (a.company_id, a.environment) > (${after.company_id}::uuid, ${after.environment}::environment)
    order by a.company_id, a.environment limit ${limit}`)
}

export function pruneEvents(db: Db, owner: EventOwner, before: Date) {
  return db.find<{ more: boolean }>(sql`
    select prune_events(${owner.company_id}, ${owner.environment}, ${firstIdAt(before)}) as more`)
}

/** Across companies: every key is watched. */
export function emitExpiringKey(db: Db, now: Date, until: Date) {
  return db.find<{ emitted: boolean }>(sql`select tell_expiring_key(${now}, ${until}) as emitted`)
}

/** What a feed has seen of the newest events of one company and environment. */
export interface SeenEvents {
  companyId: string
  environment: Environment
  /** Events with greater ids are looked for. */
  after: string
  /** How many of them were seen before, or -1 if the caller wants them listed anyway. */
  seen: number
}

/**
 * Returns the ids of the events after each position, the smallest first, at most `limit` each; nothing where the number is the
 * one that was seen. One statement for all feeds of a process. Across companies: each row names its own.
 */
export function listEventIds(db: Db, feeds: readonly SeenEvents[], limit: number) {
  return db.many<{ feed: number; ids: string[] }>(sql`
    select f.feed::int as feed, found.ids
    from unnest(
      ${feeds.map(({ companyId }) => companyId)}::uuid[], ${feeds.map(({ environment }) => environment)}::environment[],
      ${feeds.map(({ after }) => after)}::uuid[], ${feeds.map(({ seen }) => seen)}::bigint[]
    ) with ordinality as f (company_id, environment, after, seen, feed)
    cross join lateral (
      select array_agg(v.id order by v.id) as ids, count(*) as count from (
        select v.id from event_log v
        where v.company_id = f.company_id and v.environment = f.environment and v.id > f.after
        order by v.id limit ${limit}
      ) v
    ) found
    where found.count > 0 and found.count <> f.seen`)
}

/** Returns the ids of one company's events after a position, the smallest first. */
export function listEventIdsOf(db: Db, { companyId, environment, after }: SeenEvents, limit: number) {
  return db.many<{ id: string }>(sql`
    select v.id from event_log v
    where v.company_id = ${companyId} and v.environment = ${environment} and v.id > ${after} order by v.id limit ${limit}`)
}

export function listEventsById(db: Db, scope: Scope, ids: readonly string[]) {
  return db.many<EventRow>(sql`
    select ${EVENT_COLUMNS}
    from event_log v
    left join lateral (
      select ${SHOWN_OPERATION_COLUMNS} from operation
      where v.data is null and company_id = ${scope.companyId} and environment = ${scope.environment} and id = v.object_id offset 0
    ) o on true
    where v.company_id = ${scope.companyId} and v.environment = ${scope.environment} and v.id = any(${ids}::uuid[])
    order by v.id`)
}
