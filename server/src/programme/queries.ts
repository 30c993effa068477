// All SQL over the whole programme: what waits for an operator, how much money there is, how the issuers answered, and what the processes did.
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

/** What one process did in a minute. */
export interface ServerMinute {
  minute: Date
  requests: number
  serverErrors: number
  webhookAttempts: number
  webhookFailures: number
  callsInFlight: number
  areCallsStopped: boolean
}

/** Adds what a process did to what others did in the same minute, once. Returns who measures what waited, or nothing if it was added before. */
export function addServerMinute(
  db: Db,
  minute: ServerMinute,
  { processId, measurer }: { processId: string; measurer: string | null },
) {
  return db.find<{ measurer: string | null }>(sql`
    insert into server_minute as m (minute, processes, measurer, requests, server_errors, webhook_attempts, webhook_failures, calls_in_flight,
                                   calls_stopped)
    values (${minute.minute}, array[${processId}::uuid], ${measurer}::uuid, ${minute.requests}, ${minute.serverErrors}, ${minute.webhookAttempts},
            ${minute.webhookFailures}, ${minute.callsInFlight}, ${minute.areCallsStopped})
    on conflict (minute) do update set
      processes = m.processes || excluded.processes,
      measurer = coalesce(m.measurer, excluded.measurer),
      requests = m.requests + excluded.requests,
      server_errors = m.server_errors + excluded.server_errors,
      webhook_attempts = m.webhook_attempts + excluded.webhook_attempts,
      webhook_failures = m.webhook_failures + excluded.webhook_failures,
      calls_in_flight = m.calls_in_flight + excluded.calls_in_flight,
      calls_stopped = m.calls_stopped or excluded.calls_stopped
    where not m.processes @> excluded.processes
    returning m.measurer`)
}

/** What waited at the end of a minute. */
export interface MeasuredMinute {
  queued: number
  inReview: number
  oldestDeliveryMs: number
}

export function setMeasuredMinute(db: Db, minute: Date, { queued, inReview, oldestDeliveryMs }: MeasuredMinute) {
  return db.run(sql`
    update server_minute set queued = ${queued}, in_review = ${inReview}, oldest_delivery_ms = ${oldestDeliveryMs} where minute = ${minute}`)
}

export function deleteServerMinutes(db: Db, before: Date) {
  return db.run(sql`delete from server_minute where minute < ${before}`)
}

export interface ServerHealthRow {
  bucket: Date
  minutes: number
  processes: number
  requests: number
  server_errors: number
  webhook_attempts: number
  webhook_failures: number
  calls_in_flight: number
  calls_stopped: boolean
  queued: number | null
  in_review: number | null
  oldest_delivery_ms: bigint | null
}

/** Across companies: what the processes did, in buckets of five minutes, oldest first. */
export function listServerHealth(db: Db, { since, until }: { since: Date; until: Date }) {
  return db.many<ServerHealthRow>(sql`
    select date_bin('5 minutes', minute, timestamptz 'epoch') as bucket, count(*)::int as minutes, max(cardinality(processes)) as processes,
           sum(requests)::int as requests, sum(server_errors)::int as server_errors, sum(webhook_attempts)::int as webhook_attempts,
           sum(webhook_failures)::int as webhook_failures, max(calls_in_flight) as calls_in_flight,
           (array_agg(calls_stopped order by minute desc))[1] as calls_stopped, max(queued) as queued, max(in_review) as in_review, max(oldest_delivery_ms) as oldest_delivery_ms
    from server_minute where minute >= ${since} and minute < ${until} group by 1 order by 1`)
}
