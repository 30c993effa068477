// All SQL of the reference issuer's records. Across companies: another party keeps them, for all companies that it serves.
import type { Db } from '../../db/pool.ts'
import { planEachTime, sql } from '../../db/sql.ts'
import type { FenceAnswer, RequestAnswer, RequestBody, RequestKind } from '../http/protocol.ts'

export interface RequestRow {
  token: string
  company_id: string
  kind: RequestKind
  content: RequestBody
  answer: RequestAnswer
  created_at: Date
}

/** A token that was fenced has a row too: the primary key keeps a request and a fence apart. */
export interface FenceRow {
  token: string
  company_id: string
  kind: 'fence'
  content: { companyId: string }
  answer: Extract<FenceAnswer, { outcome: 'absent' }>
  created_at: Date
}

/** Across companies. Returns undefined if the token is known, so that it has no second effect. */
export function insertRequest(db: Db, row: RequestRow | FenceRow) {
  return db.find<{ token: string }>(sql`
    insert into reference_issuer.request (token, company_id, kind, content, answer, created_at)
    values (${row.token}, ${row.company_id}, ${row.kind}, ${JSON.stringify(row.content)}, ${JSON.stringify(row.answer)}, ${row.created_at})
    on conflict (token) do nothing returning token`)
}

/** Across companies. */
export function findRequest(db: Db, token: string) {
  return db.find<RequestRow | FenceRow>(sql`
    select token, company_id, kind, content, answer, created_at from reference_issuer.request where token = ${token}`)
}

/** Across companies. Returns a card that was issued with its id, or the newest one if no id is given. */
export function findIssuedCard(db: Db, cardId: string | null) {
  return db.find<{ cardId: string; companyId: string }>(sql`
    select content ->> 'cardId' as "cardId", content ->> 'companyId' as "companyId" from reference_issuer.request
    where kind = 'issue' and answer ->> 'outcome' = 'done' and content ? 'cardId'
      and (${cardId}::text is null or content ->> 'cardId' = ${cardId})
    order by token desc limit 1`)
}

/** Across companies, in the order of the tokens. Omits fences, because they are not requests. */
export function listRequests(db: Db, range: { companyId: string | null; after: string; until: string; limit: number }) {
  return db.many<RequestRow & { received: bigint | null }>(
    planEachTime(sql`
      select r.token, r.company_id, r.kind, r.content, r.answer, r.created_at,
             (select sum(p.amount)::bigint from reference_issuer.payment p where p.token = r.token) as received
      from reference_issuer.request r
      where r.kind <> 'fence' and (${range.companyId}::uuid is null or r.company_id = ${range.companyId})
        and r.token > ${range.after} and r.token <= ${range.until}
      order by r.token limit ${range.limit}`),
  )
}

/** Across companies. */
export function insertArrival(db: Db, arrival: { token: string; kind: string; mode: string; at: Date }) {
  return db.run(sql`
    insert into reference_issuer.arrival (token, kind, mode, arrived_at)
    values (${arrival.token}, ${arrival.kind}, ${arrival.mode}, ${arrival.at})`)
}

/** Across companies, the newest first. */
export function listArrivals(db: Db, limit: number) {
  return db.many<{ token: string; kind: string; mode: string; arrived_at: Date }>(sql`
    select token, kind, mode, arrived_at from reference_issuer.arrival order by number desc limit ${limit}`)
}

/** Across companies. An invoice that was made and not recorded has no payments: the server was never told its address. */
export function insertPayment(db: Db, payment: { id: string; token: string; amount: bigint; paidAt: Date }) {
  return db.run(sql`
    insert into reference_issuer.payment (id, token, amount, paid_at)
    select ${payment.id}::text, token, ${payment.amount}::bigint, ${payment.paidAt}::timestamptz from reference_issuer.request where token = ${payment.token}
    on conflict (id) do nothing`)
}

/** Across companies. */
export function insertEvent(db: Db, event: { id: string; body: string; at: Date }) {
  return db.run(sql`
    insert into reference_issuer.event (id, body, due_at, created_at) values (${event.id}, ${event.body}, ${event.at}, ${event.at})
    on conflict (id) do nothing`)
}

export interface EventRow {
  id: string
  body: string
  status: 'waiting' | 'delivered' | 'refused'
  attempts: number
}

/** Across companies. */
export function listDueEvents(db: Db, now: Date, limit: number) {
  return db.many<EventRow>(sql`
    select id, body, status, attempts from reference_issuer.event
    where status = 'waiting' and due_at <= ${now} order by due_at, id limit ${limit}`)
}

/** Across companies. */
export function updateEvent(db: Db, id: string, change: { status: EventRow['status']; dueAt: Date }) {
  return db.run(sql`
    update reference_issuer.event set status = ${change.status}, due_at = ${change.dueAt}, attempts = attempts + 1
    where id = ${id}`)
}

/** Across companies, the newest first. */
export function listEvents(db: Db, limit: number) {
  return db.many<EventRow>(sql`
    select id, body, status, attempts from reference_issuer.event order by id desc limit ${limit}`)
}
