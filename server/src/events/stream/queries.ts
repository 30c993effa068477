// All SQL of a stream that catches up: the events after a position, the oldest first.
import type { Db } from '../../db/pool.ts'
import { planEachTime, sql } from '../../db/sql.ts'
import type { Scope } from '../../lib/scope.ts'
import { EVENT_COLUMNS, FREQUENT_TYPES, SHOWN_OPERATION_COLUMNS, STORED_EVENT_COLUMNS } from '../queries.ts'
import type { EventRow } from '../render.ts'

/** Events of a range whose types are looked at in one statement, where no index has the type. */
const WINDOW_EVENTS = 500
/** An accepted operation is its own first event; see event_log. */
const QUEUED = 'operation.queued'

export interface Range {
  /** Not with it. */
  readonly after: string
  readonly until: string
}

export interface EventsPage {
  readonly rows: EventRow[]
  /** Where the next page begins; undefined after the last. */
  readonly next: string | undefined
}

/** Reads a page of events of these types, or of all. However rare they are, it looks at a bounded number of events. */
export async function readEventsBetween(
  db: Db,
  scope: Scope,
  { after, until }: Range,
  { types, limit }: { types: ReadonlySet<string> | undefined; limit: number },
): Promise<EventsPage> {
  if (types !== undefined && [...types].some((type) => FREQUENT_TYPES.has(type))) {
    const end = await findEventsAhead(db, scope, { after, until }, WINDOW_EVENTS)
    const rows = await listEventsBetween(db, scope, { after, until: end?.id ?? until }, [...types], WINDOW_EVENTS)
    return { rows, next: end?.id }
  }
  const range = { after, until }
  const rows = await (types === undefined
    ? listEventsBetween(db, scope, range, null, limit)
    : listRareEventsBetween(db, scope, range, [...types], limit))
  return { rows, next: rows.length < limit ? undefined : rows.at(-1)?.id }
}

function findEventsAhead(db: Db, scope: Scope, { after, until }: Range, count: number) {
  return db.find<{ id: string }>(
    planEachTime(sql`
      select v.id from event_log v
      where v.company_id = ${scope.companyId} and v.environment = ${scope.environment} and v.id > ${after} and v.id <= ${until}
      order by v.id offset ${count - 1} limit 1`),
  )
}

function listEventsBetween(db: Db, scope: Scope, { after, until }: Range, types: string[] | null, limit: number) {
  return db.many<EventRow>(
    planEachTime(sql`
      select ${EVENT_COLUMNS}
      from event_log v
      left join lateral (
        select ${SHOWN_OPERATION_COLUMNS} from operation
        where v.data is null and company_id = ${scope.companyId} and environment = ${scope.environment} and id = v.object_id offset 0
      ) o on true
      where v.company_id = ${scope.companyId} and v.environment = ${scope.environment}
        and v.id > ${after} and v.id <= ${until} and (${types}::text[] is null or v.type = any(${types}::text[]))
      order by v.id limit ${limit}`),
  )
}

/** Reads the index by type, once for each type. */
function listRareEventsBetween(db: Db, scope: Scope, { after, until }: Range, types: string[], limit: number) {
  const inEvents = types.filter((type) => type !== QUEUED)
  return db.many<EventRow>(
    planEachTime(sql`
      select ${EVENT_COLUMNS}
      from (
        (select e.company_id, e.environment, e.id, e.type, e.object_id, e.sequence, e.data, e.created_at
         from (
           select i.id from unnest(${inEvents}::text[]) t (type)
           cross join lateral list_event_ids_after(${scope.companyId}, ${scope.environment}, t.type, ${after}, ${until}, ${limit}) i
           order by i.id limit ${limit}
         ) f
         cross join lateral (
           select ${STORED_EVENT_COLUMNS} from event
           where company_id = ${scope.companyId} and environment = ${scope.environment} and id = f.id offset 0
         ) e)
        union all
        (select company_id, environment, id, 'operation.queued', id, 1, null, created_at from operation
         where company_id = ${scope.companyId} and environment = ${scope.environment}
           and id > ${after} and id <= ${until} and ${types.includes(QUEUED)}::boolean
         order by id limit ${limit})
      ) v
      left join lateral (
        select ${SHOWN_OPERATION_COLUMNS} from operation
        where v.data is null and company_id = ${scope.companyId} and environment = ${scope.environment} and id = v.object_id offset 0
      ) o on true
      order by v.id limit ${limit}`),
  )
}
