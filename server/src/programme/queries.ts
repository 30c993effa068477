// All SQL over the whole programme: what waits for an operator, how much money there is, and how the issuers answered.
import type { Db } from '../db/pool.ts'
import { fragment, sql } from '../db/sql.ts'
import type { Environment } from '../lib/scope.ts'

/** The time in the column `id`. */
const TIME_OF_ID = fragment`to_timestamp(('x' || translate(left(id::text, 13), '-', ''))::bit(48)::bigint / 1000.0)`

export interface WaitingRow {
  kind: 'verifications' | 'holders' | 'failing_endpoints'
  /** At most 10,000; more than that are not counted. */
  count: number
  oldest: Date | null
  /** Of the oldest. */
  company_id: string | null
}

/** Across companies: what waits for an operator besides reviews. The time of a company and a holder is in its id. */
export function measureWaiting(db: Db) {
  return db.many<WaitingRow>(sql`
    select 'verifications' as kind, count(*)::int as count, min(since) as oldest, (array_agg(company_id order by since))[1] as company_id
    from (select created_at as since, id as company_id from company where verification = 'pending' order by id limit 10000) c
    union all
    select 'holders', count(*)::int, min(since), (array_agg(company_id order by since))[1]
    from (select ${TIME_OF_ID} as since, company_id from holder where status = 'pending' and erasure is null order by id limit 10000) h
    union all
    select 'failing_endpoints', count(*)::int, min(since), (array_agg(company_id order by since))[1]
    from (
      select q.failing_since as since, q.company_id from delivery_queue q
      where q.due_at is not null and q.failures > 0 and q.failing_since is not null limit 10000) q`)
}

export interface TotalRow {
  environment: Environment
  companies: number
  available: bigint
  held: bigint
  on_cards: bigint
}

/** Across companies: the money of the whole programme. */
export function sumMoney(db: Db) {
  return db.many<TotalRow>(sql`
    select environment, sum(companies)::int as companies, sum(available)::bigint as available, sum(held)::bigint as held,
           sum(on_cards)::bigint as on_cards
    from (
      select environment, count(*) as companies, sum(available) as available, sum(held) as held, 0 as on_cards
      from account group by environment
      union all
      select environment, 0, 0, 0, sum(balance) from card where status <> 'closed' group by environment) p
    group by environment order by environment`)
}

export interface HealthRow {
  environment: Environment
  bucket: Date
  answered: number
  unanswered: number
  answered_ms: bigint
  last_answer_at: Date | null
  first_unanswered_at: Date | null
  last_unanswered_at: Date | null
}

/** Across companies: how the calls of the issuers went, in buckets of five minutes, oldest first. */
export function listIssuerHealth(db: Db, since: Date) {
  return db.many<HealthRow>(sql`
    select environment, date_bin('5 minutes', minute, timestamptz 'epoch') as bucket, sum(answered)::int as answered,
           sum(unanswered)::int as unanswered, sum(answered_ms)::bigint as answered_ms, max(last_answer_at) as last_answer_at,
           min(first_unanswered_at) as first_unanswered_at, max(last_unanswered_at) as last_unanswered_at
    from issuer_minute where minute >= ${since} group by 1, 2 order by 1, 2`)
}

/** Across companies: when the first unanswered call after the last answer was made, and null if the last call was answered. */
export function listOutages(db: Db) {
  return db.many<{ environment: Environment; since: Date }>(sql`
    select m.environment, min(m.first_unanswered_at) as since
    from issuer_minute m
    cross join lateral (
      select max(l.last_answer_at) as answered_at, max(l.last_unanswered_at) as unanswered_at
      from issuer_minute l where l.environment = m.environment) l
    where m.last_unanswered_at > coalesce(l.answered_at, '-infinity') and l.unanswered_at > coalesce(l.answered_at, '-infinity')
    group by m.environment`)
}

/** Across companies: how many operations wait to be sent, and since when the oldest does. */
export function measureQueues(db: Db) {
  return db.many<{ environment: Environment; queued: number; oldest: Date | null }>(sql`
    select environment, count(*)::int as queued, min(since) as oldest
    from (select environment, ${TIME_OF_ID} as since from issuer_request where status = 'queued' order by id limit 10000) q
    group by environment`)
}
