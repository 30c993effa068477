// All SQL of the events for the server. Across companies: the issuer sends the events of all companies that it serves.
import type { Db } from '../../db/pool.ts'
import { sql } from '../../db/sql.ts'

export function insertEvent(db: Db, event: { id: string; body: string; at: Date }) {
  return db.run(sql`
    insert into issuer_adapter.event (id, body, due_at, created_at) values (${event.id}, ${event.body}, ${event.at}, ${event.at})
    on conflict (id) do nothing`)
}

export interface EventRow {
  id: string
  body: string
  status: 'waiting' | 'delivered' | 'refused'
  attempts: number
}

export function listDueEvents(db: Db, now: Date, limit: number) {
  return db.many<EventRow>(sql`
    select id, body, status, attempts from issuer_adapter.event
    where status = 'waiting' and due_at <= ${now} order by due_at, id limit ${limit}`)
}

export function updateEvent(db: Db, id: string, change: { status: EventRow['status']; dueAt: Date }) {
  return db.run(sql`
    update issuer_adapter.event set status = ${change.status}, due_at = ${change.dueAt}, attempts = attempts + 1
    where id = ${id}`)
}

/** Returns how many there were. */
export function resendRefused(db: Db, now: Date) {
  return db.run(sql`
    update issuer_adapter.event set status = 'waiting', attempts = 0, due_at = ${now} where status = 'refused'`)
}

/** The newest first. */
export function listEvents(db: Db, limit: number) {
  return db.many<EventRow>(sql`
    select id, body, status, attempts from issuer_adapter.event order by id desc limit ${limit}`)
}

export function countEvents(db: Db) {
  return db.find<{ waiting: number; refused: number }>(sql`
    select count(*) filter (where status = 'waiting')::integer as waiting,
           count(*) filter (where status = 'refused')::integer as refused
    from issuer_adapter.event where status <> 'delivered'`)
}

/** Removes events that were delivered before. Never one that waits, or one that the server refused, which a person has to see. */
export function deleteDelivered(db: Db, before: Date, limit: number) {
  return db.run(sql`
    delete from issuer_adapter.event where status = 'delivered' and id in (
      select id from issuer_adapter.event where status = 'delivered' and due_at < ${before} order by due_at limit ${limit})`)
}
