// All SQL on webhook endpoints, their secrets, and the lines of deliveries with the log of attempts.
import type { Db } from '../db/pool.ts'
import { sql } from '../db/sql.ts'
import type { EventRow } from '../events/render.ts'
import type { Page } from '../lib/page.ts'
import { firstIdAt } from '../lib/ids.ts'
import type { Environment, Scope } from '../lib/scope.ts'
import type { EndpointChange } from './schema.ts'
import type { Sealed } from './secrets.ts'

export interface EndpointRow {
  id: string
  environment: Environment
  url: string
  events: string[]
  description: string | null
  status: 'enabled' | 'disabled'
  disabled_reason: 'request' | 'gone' | 'failures' | null
  failures: number
  failing_since: Date | null
  last_success_at: Date | null
  created_at: Date
}

export interface NewEndpointRow {
  id: string
  url: string
  events: readonly string[]
  description: string | null
  secret: Sealed & { id: string }
  limit: number
}

/** False when the company has as many as it may. */
export function createEndpoint(db: Db, scope: Scope, now: Date, endpoint: NewEndpointRow) {
  const { id, url, events, description, secret, limit } = endpoint
  return db.find<{ made: boolean }>(sql`
    select public.create_webhook_endpoint(${scope.companyId}, ${now}, ${scope.environment}, ${id}, ${url}, ${events}, ${description},
      ${secret.id}, ${secret.sealed}, ${secret.keyId}, ${limit}) as made`)
}

export function findEndpoint(db: Db, scope: Scope, id: string) {
  return db.find<EndpointRow>(sql`
    select e.id, e.environment, e.url, e.events, e.description, e.status, e.disabled_reason, e.created_at,
           l.failures, l.failing_since, l.last_success_at
    from webhook_endpoint e
    join webhook_line l on l.company_id = e.company_id and l.environment = e.environment and l.endpoint_id = e.id
    where e.company_id = ${scope.companyId} and e.environment = ${scope.environment} and e.id = ${id}`)
}

export function listEndpoints(db: Db, scope: Scope, page: Page) {
  return db.many<EndpointRow>(sql`
    select e.id, e.environment, e.url, e.events, e.description, e.status, e.disabled_reason, e.created_at,
           l.failures, l.failing_since, l.last_success_at
    from webhook_endpoint e
    join webhook_line l on l.company_id = e.company_id and l.environment = e.environment and l.endpoint_id = e.id
    where e.company_id = ${scope.companyId} and e.environment = ${scope.environment} and e.id < ${page.after}
    order by e.id desc limit ${page.limit}`)
}

export function updateEndpoint(db: Db, scope: Scope, id: string, now: Date, change: EndpointChange) {
  return db.find<{ found: boolean }>(sql`
    select public.update_webhook_endpoint(${scope.companyId}, ${now}, ${scope.environment}, ${id}, ${change.url ?? null},
      ${change.events ?? null}, ${change.description ?? null}, ${change.status ?? null}) as found`)
}

/** False when there is no such endpoint. */
export function deleteEndpoint(db: Db, scope: Scope, id: string) {
  return db.find<{ deleted: boolean }>(sql`
    select public.delete_webhook_endpoint(${scope.companyId}, ${scope.environment}, ${id}) as deleted`)
}

export function rotateSecret(
  db: Db,
  scope: Scope,
  endpointId: string,
  now: Date,
  rotation: { secret: Sealed & { id: string }; oldUntil: Date },
) {
  const { secret, oldUntil } = rotation
  return db.find<{ rotated: boolean }>(sql`
    select public.rotate_webhook_secret(${scope.companyId}, ${now}, ${scope.environment}, ${endpointId}, ${secret.id},
      ${secret.sealed}, ${secret.keyId}, ${oldUntil}) as rotated`)
}

export function pingEndpoint(db: Db, scope: Scope, id: string, now: Date) {
  return db.find<{ event_id: string | null }>(sql`
    select public.ping_webhook_endpoint(${scope.companyId}, ${now}, ${scope.environment}, ${id}) as event_id`)
}

/** `after` and `until` are ids of events. The rest is a job's. */
export function startRecovery(db: Db, scope: Scope, id: string, range: { after: string; until: string }) {
  return db.run(sql`
    update webhook_line set recover_after = ${range.after}, recover_until = ${range.until}
    where company_id = ${scope.companyId} and environment = ${scope.environment} and endpoint_id = ${id}`)
}

/** To how many endpoints; null when there is no such event, or when it is older than `oldest`. */
export function resendEvent(
  db: Db,
  scope: Scope,
  eventId: string,
  { now, oldest, endpointId }: { now: Date; oldest: Date; endpointId: string | null },
) {
  return db.find<{ deliveries: number | null }>(sql`
    select public.resend_event(
      ${scope.companyId}, ${now}, ${scope.environment}, ${eventId}, ${firstIdAt(oldest)}, ${endpointId}) as deliveries`)
}

export interface AttemptRow {
  event_id: string
  id: string
  endpoint_id: string
  number: number
  status_code: number | null
  error: string | null
  latency_ms: number
  response: string | null
  started_at: Date
}

export function listAttempts(db: Db, scope: Scope, eventId: string, page: Page) {
  return db.many<AttemptRow>(sql`
    select event_id, id, endpoint_id, number, status_code, error, latency_ms, response, started_at from webhook_attempt
    where company_id = ${scope.companyId} and environment = ${scope.environment} and event_id = ${eventId} and id < ${page.after}
    order by id desc limit ${page.limit}`)
}

export interface SecretRow {
  company_id: string
  environment: Environment
  endpoint_id: string
  id: string
  sealed: Buffer
  key_id: string
}

/** Secrets that are not sealed with the given key. Across companies: a new key is for all. */
export function listSecretsOfOtherKeys(db: Db, keyId: string, limit: number) {
  return db.many<SecretRow>(sql`
    select company_id, environment, endpoint_id, id, sealed, key_id from webhook_secret where key_id <> ${keyId} limit ${limit}`)
}

export function replaceSealed(db: Db, scope: Scope, row: SecretRow, sealed: Sealed) {
  return db.run(sql`
    update webhook_secret set sealed = ${sealed.sealed}, key_id = ${sealed.keyId}
    where company_id = ${scope.companyId} and environment = ${scope.environment} and endpoint_id = ${row.endpoint_id}
      and id = ${row.id} and key_id = ${row.key_id}`)
}

/** An endpoint's line of deliveries. */
export interface LineKey {
  company_id: string
  environment: Environment
  endpoint_id: string
}

/** Across companies: the lines that have been ready for longest. */
export function claimLines(db: Db, now: Date, leaseUntil: Date, holder: string, isFailing: boolean) {
  return db.many<LineKey & { failures: number }>(sql`
    select company_id, environment, endpoint_id, failures from public.claim_lines(${now}, ${leaseUntil}, ${holder}, ${isFailing})`)
}

/** A delivery to make. The first of a line has the endpoint's address and secrets. */
export interface TakenRow extends EventRow {
  item: number
  url: string | null
  secrets: SealedSecret[] | null
  attempt_count: number
  resend_count: number
}

export interface SealedSecret {
  id: string
  sealed: string
  keyId: string
  expiresAt: string | null
}

/** Across companies: the next deliveries of the lines, as many as asked for at most; `item` counts the lines from 1. */
export function takeDeliveries(db: Db, now: Date, holder: string, asked: readonly { line: LineKey; size: number }[]) {
  return db.many<TakenRow>(sql`
    select item, url, secrets, attempt_count, resend_count, company_id, environment, id, type, object_id, sequence, data,
           created_at, operation_type, amount, fee, card_id, receipt, failure_code, failure_message, operation_created_at
    from public.take_deliveries(${now}, ${holder}, ${asked.map(({ line }) => line.company_id)},
      ${asked.map(({ line }) => line.environment)}, ${asked.map(({ line }) => line.endpoint_id)}, ${asked.map(({ size }) => size)})`)
}

export interface AttemptRecord {
  event_id: string
  id: string
  number: number
  /** As it was when the delivery was taken. */
  resend_count: number
  status: 'delivered' | 'pending' | 'failed'
  status_code: number | null
  error: string | null
  latency_ms: number
  response: string | null
  started_at: Date
  due_at: Date | null
}

/** What became of one line in one round. */
export interface Round {
  line: LineKey
  attempts: readonly AttemptRecord[]
  /** When it may be claimed again; null when its holder goes on with it. */
  until: Date | null
  /** Whether anything has arrived since the line was claimed, and how much has failed since then or since that. */
  hasSucceeded: boolean
  failures: number
}

/** Across companies. Answers the lines that have only failed since `failingLimit`. */
export function recordAttempts(db: Db, now: Date, holder: string, failingLimit: Date, rounds: readonly Round[]) {
  const made = rounds.flatMap(({ line, attempts }) => attempts.map((attempt) => ({ line, attempt })))
  return db.many<LineKey>(sql`
    select company_id, environment, endpoint_id from public.record_attempts(${now}, ${holder}, ${failingLimit},
      ${made.map(({ line }) => line.company_id)}, ${made.map(({ line }) => line.environment)},
      ${made.map(({ line }) => line.endpoint_id)}, ${made.map(({ attempt }) => attempt.event_id)},
      ${made.map(({ attempt }) => attempt.id)}, ${made.map(({ attempt }) => attempt.number)},
      ${made.map(({ attempt }) => attempt.resend_count)}, ${made.map(({ attempt }) => attempt.status)},
      ${made.map(({ attempt }) => attempt.status_code)},
      ${made.map(({ attempt }) => attempt.error)}, ${made.map(({ attempt }) => attempt.latency_ms)},
      ${made.map(({ attempt }) => attempt.response)}, ${made.map(({ attempt }) => attempt.started_at)},
      ${made.map(({ attempt }) => attempt.due_at)}, ${rounds.map(({ line }) => line.company_id)},
      ${rounds.map(({ line }) => line.environment)}, ${rounds.map(({ line }) => line.endpoint_id)},
      ${rounds.map(({ until }) => until)}, ${rounds.map(({ hasSucceeded }) => hasSucceeded)},
      ${rounds.map(({ failures }) => failures)})`)
}

export function disableEndpoint(db: Db, line: LineKey, now: Date, reason: 'gone' | 'failures') {
  return db.find<{ disabled: boolean }>(sql`
    select public.disable_webhook_endpoint(${line.company_id}, ${now}, ${line.environment}, ${line.endpoint_id}, ${reason}) as disabled`)
}

/** Across companies: lines with something due, for metrics. Those of failing receivers apart: they may be old for days. */
export function measureLines(db: Db, now: Date) {
  return db.many<{ failing: boolean; due: number; oldest: Date | null }>(sql`
    select f.failing, (select count(*)::int from (
      select 1 from webhook_line l where l.due_at <= ${now} and (l.failures > 0) = f.failing limit 100000) q) as due,
      (select min(l.due_at) from webhook_line l where l.due_at <= ${now} and (l.failures > 0) = f.failing) as oldest
    from (values (false), (true)) as f (failing)`)
}

/** Across companies: the next part of any recovery. */
export function recoverDeliveries(db: Db, now: Date) {
  return db.find<{ recovered: boolean }>(sql`select public.recover_deliveries(${now}) as recovered`)
}
