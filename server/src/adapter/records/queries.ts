// All SQL of the records of `cardstock issuer`. Across companies: another party keeps them, for all companies that it serves.
import type { Db } from '../../db/pool.ts'
import { planEachTime, sql } from '../../db/sql.ts'
import type { FenceAnswer, RequestAnswer, RequestBody, RequestKind } from '../../issuer/http/protocol.ts'

export interface RequestRow {
  token: string
  company_id: string
  kind: RequestKind
  content: RequestBody
  /** Null until the outcome is certain. `absent` if it was fenced before anything was sent. */
  answer: FenceAnswer | null
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
    insert into issuer_adapter.request (token, company_id, kind, content, answer, created_at)
    values (${row.token}, ${row.company_id}, ${row.kind}, ${JSON.stringify(row.content)}, ${JSON.stringify(row.answer)}, ${row.created_at})
    on conflict (token) do nothing returning token`)
}

/** Across companies. */
export function findRequest(db: Db, token: string) {
  return db.find<RequestRow | FenceRow>(sql`
    select token, company_id, kind, content, answer, created_at from issuer_adapter.request where token = ${token}`)
}

/** Across companies. Returns a card that was issued with its id, or the newest one if no id is given. */
export function findIssuedCard(db: Db, cardId: string | null) {
  return db.find<{ cardId: string; companyId: string }>(sql`
    select content ->> 'cardId' as "cardId", content ->> 'companyId' as "companyId" from issuer_adapter.request
    where kind = 'issue' and answer ->> 'outcome' = 'done' and content ? 'cardId'
      and (${cardId}::text is null or content ->> 'cardId' = ${cardId})
    order by token desc limit 1`)
}

export type AnsweredRow = RequestRow & { answer: RequestAnswer; received: bigint | null }

/** Across companies, in the order of the tokens. Omits what is open and what was fenced. */
export function listRequests(db: Db, range: { companyId: string | null; after: string; until: string; limit: number }) {
  return db.many<AnsweredRow>(
    planEachTime(sql`
      select r.token, r.company_id, r.kind, r.content, r.answer, r.created_at,
             (select sum(p.amount)::bigint from issuer_adapter.payment p where p.token = r.token) as received
      from issuer_adapter.request r
      where r.answer ->> 'outcome' <> 'absent' and (${range.companyId}::uuid is null or r.company_id = ${range.companyId})
        and r.token > ${range.after} and r.token <= ${range.until}
      order by r.token limit ${range.limit}`),
  )
}

/** Across companies. */
export function insertArrival(db: Db, arrival: { token: string; kind: string; mode: string; at: Date }) {
  return db.run(sql`
    insert into issuer_adapter.arrival (token, kind, mode, arrived_at)
    values (${arrival.token}, ${arrival.kind}, ${arrival.mode}, ${arrival.at})`)
}

/** Across companies, the newest first. */
export function listArrivals(db: Db, limit: number) {
  return db.many<{ token: string; kind: string; mode: string; arrived_at: Date }>(sql`
    select token, kind, mode, arrived_at from issuer_adapter.arrival order by number desc limit ${limit}`)
}

/** Across companies. An invoice that was made and not recorded has no payments: the server was never told its address. */
export function insertPayment(db: Db, payment: { id: string; token: string; amount: bigint; paidAt: Date }) {
  return db.run(sql`
    insert into issuer_adapter.payment (id, token, amount, paid_at)
    select ${payment.id}::text, token, ${payment.amount}::bigint, ${payment.paidAt}::timestamptz from issuer_adapter.request where token = ${payment.token}
    on conflict (id) do nothing`)
}
