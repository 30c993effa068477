// All SQL on events as they are read and removed. They are written by the functions that change their objects.
import type { Db } from '../db/pool.ts'
import { planEachTime, sql } from '../db/sql.ts'
import { firstIdAt } from '../lib/ids.ts'
import type { Environment, Scope } from '../lib/scope.ts'
import type { EventRow } from './render.ts'

/** Events older than `oldest` are not shown any more, even if they are not deleted yet. Operations are kept forever. */
export function findEvent(db: Db, scope: Scope, id: string, oldest: Date) {
  return db.find<EventRow>(sql`
    select v.company_id, v.environment, v.id, v.type, v.object_id, v.sequence, v.data, v.created_at,
           o.type as operation_type, o.amount, o.fee, o.card_id, o.receipt, o.failure_code, o.failure_message,
           o.created_at as operation_created_at
    from event_log v
    left join operation o on v.data is null and o.company_id = v.company_id and o.environment = v.environment and o.id = v.object_id
    where v.company_id = ${scope.companyId} and v.environment = ${scope.environment} and v.id = ${id}
      and v.id >= ${firstIdAt(oldest)}`)
}

export interface EventFilter {
  type: string | undefined
  from: Date
  until: Date | null
}

export function listEvents(
  db: Db,
  scope: Scope,
  filter: EventFilter,
  page: { after: string; limit: number },
): Promise<EventRow[]> {
  const oldest = firstIdAt(filter.from)
  const newest = filter.until === null ? page.after : firstIdAt(filter.until)
  return db.many<EventRow>(
    planEachTime(sql`
      select v.company_id, v.environment, v.id, v.type, v.object_id, v.sequence, v.data, v.created_at,
             o.type as operation_type, o.amount, o.fee, o.card_id, o.receipt, o.failure_code, o.failure_message,
             o.created_at as operation_created_at
      from event_log v
      left join operation o on v.data is null and o.company_id = v.company_id and o.environment = v.environment and o.id = v.object_id
      where v.company_id = ${scope.companyId} and v.environment = ${scope.environment}
        and v.id < ${page.after} and v.id < ${newest} and v.id >= ${oldest}
        and (${filter.type}::text is null or v.type = ${filter.type})
      order by v.id desc limit ${page.limit}`),
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
    select public.prune_events(${owner.company_id}, ${owner.environment}, ${firstIdAt(before)}) as more`)
}

/** Across companies: every key is watched. */
export function tellExpiringKey(db: Db, now: Date, until: Date) {
  return db.find<{ told: boolean }>(sql`select public.tell_expiring_key(${now}, ${until}) as told`)
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

export function listEventsById(db: Db, scope: Scope, ids: readonly string[]) {
  return db.many<EventRow>(sql`
    select v.company_id, v.environment, v.id, v.type, v.object_id, v.sequence, v.data, v.created_at,
           o.type as operation_type, o.amount, o.fee, o.card_id, o.receipt, o.failure_code, o.failure_message,
           o.created_at as operation_created_at
    from event_log v
    left join operation o on v.data is null and o.company_id = v.company_id and o.environment = v.environment and o.id = v.object_id
    where v.company_id = ${scope.companyId} and v.environment = ${scope.environment} and v.id = any(${ids}::uuid[])
    order by v.id`)
}

/** Returns the events after one id and up to another, the oldest first. */
export function listEventsBetween(db: Db, scope: Scope, range: { after: string; until: string }, limit: number) {
  return db.many<EventRow>(
    planEachTime(sql`
      select v.company_id, v.environment, v.id, v.type, v.object_id, v.sequence, v.data, v.created_at,
             o.type as operation_type, o.amount, o.fee, o.card_id, o.receipt, o.failure_code, o.failure_message,
             o.created_at as operation_created_at
      from event_log v
      left join operation o on v.data is null and o.company_id = v.company_id and o.environment = v.environment and o.id = v.object_id
      where v.company_id = ${scope.companyId} and v.environment = ${scope.environment}
        and v.id > ${range.after} and v.id <= ${range.until}
      order by v.id limit ${limit}`),
  )
}
