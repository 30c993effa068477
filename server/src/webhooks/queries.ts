// All SQL on webhook endpoints, their secrets, their delivery queues and the log of attempts.
import type { Db } from '../db/pool.ts'
import { fragment, sql } from '../db/sql.ts'
import type { EventRow } from '../events/render.ts'
import type { Slice } from '../lib/slice.ts'
import { firstIdAt } from '../lib/ids.ts'
import type { Environment, Scope } from '../lib/scope.ts'
import type { EndpointChange } from './schema.ts'
import type { EncryptedSecret } from '../lib/secret-box.ts'

/** The columns of an EndpointRow, from an endpoint `e` and its queue `q`. */
const ENDPOINT_COLUMNS = fragment`e.id, e.environment, e.url, e.events, e.description, e.status, e.disabled_reason, e.created_at, q.failures, q.failing_since, q.last_success_at`
/** The columns of an AttemptRow, from an attempt `a` and the delivery `n`. */
const ATTEMPT_COLUMNS = fragment`a.event_id, a.id, a.endpoint_id, a.number, a.status_code, a.error, a.latency_ms, a.response, a.started_at, n.next_attempt_at`

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
  secret: EncryptedSecret & { id: string }
  limit: number
}

/** Returns `made: false` when the company has as many endpoints as it may. */
export function createEndpoint(db: Db, scope: Scope, now: Date, endpoint: NewEndpointRow) {
  const { id, url, events, description, secret, limit } = endpoint
  return db.find<{ made: boolean }>(sql`
    select create_webhook_endpoint(${scope.companyId}, ${now}, ${scope.environment}, ${id}, ${url}, ${events}, ${description},
      ${secret.id}, ${secret.ciphertext}, ${secret.keyId}, ${limit}) as made`)
}

export function findEndpoint(db: Db, scope: Scope, id: string) {
  return db.find<EndpointRow>(sql`
    select ${ENDPOINT_COLUMNS}
    from webhook_endpoint e
    join delivery_queue q on q.company_id = e.company_id and q.environment = e.environment and q.endpoint_id = e.id
    where e.company_id = ${scope.companyId} and e.environment = ${scope.environment} and e.id = ${id}`)
}

export function listEndpoints(db: Db, scope: Scope, slice: Slice) {
  return db.many<EndpointRow>(sql`
    select ${ENDPOINT_COLUMNS}
    from webhook_endpoint e
    join delivery_queue q on q.company_id = e.company_id and q.environment = e.environment and q.endpoint_id = e.id
    where e.company_id = ${scope.companyId} and e.environment = ${scope.environment} and e.id < ${slice.after}
    order by e.id desc limit ${slice.limit}`)
}

export function updateEndpoint(db: Db, scope: Scope, id: string, now: Date, change: EndpointChange) {
  return db.find<{ found: boolean }>(sql`
    select update_webhook_endpoint(${scope.companyId}, ${now}, ${scope.environment}, ${id}, ${change.url ?? null},
      ${change.events ?? null}, ${change.description ?? null}, ${change.status ?? null}) as found`)
}

/** Returns `deleted: false` when there is no such endpoint. */
export function deleteEndpoint(db: Db, scope: Scope, id: string) {
  return db.find<{ deleted: boolean }>(sql`
    select delete_webhook_endpoint(${scope.companyId}, ${scope.environment}, ${id}) as deleted`)
}

export function rotateSecret(
  db: Db,
  scope: Scope,
  endpointId: string,
  now: Date,
  rotation: { secret: EncryptedSecret & { id: string }; oldUntil: Date },
) {
  const { secret, oldUntil } = rotation
  return db.find<{ rotated: boolean }>(sql`
    select rotate_webhook_secret(${scope.companyId}, ${now}, ${scope.environment}, ${endpointId}, ${secret.id},
      ${secret.ciphertext}, ${secret.keyId}, ${oldUntil}) as rotated`)
}

export function pingEndpoint(db: Db, scope: Scope, id: string, now: Date) {
  return db.find<{ event_id: string | null }>(sql`
    select ping_webhook_endpoint(${scope.companyId}, ${now}, ${scope.environment}, ${id}) as event_id`)
}

/** Marks a range of event ids for recovery; a job does the rest. */
export function startRecovery(db: Db, scope: Scope, id: string, range: { after: string; until: string }) {
  return db.run(sql`
    update delivery_queue set recover_after = ${range.after}, recover_until = ${range.until}
    where company_id = ${scope.companyId} and environment = ${scope.environment} and endpoint_id = ${id}`)
}

/** Returns how many endpoints the event is sent to; null when there is no such event, or it is older than `oldest`. */
export function resendEvent(
  db: Db,
  scope: Scope,
  eventId: string,
  { now, oldest, endpointId }: { now: Date; oldest: Date; endpointId: string | null },
) {
  return db.find<{ deliveries: number | null }>(sql`
    select resend_event(
      ${scope.companyId}, ${now}, ${scope.environment}, ${eventId}, ${firstIdAt(oldest)}, ${endpointId}) as deliveries`)
}

/**
 * `next_attempt_at` is when the event is sent to the endpoint again, or null: when it was delivered or given up, when the endpoint is
 * disabled, and for every attempt but the newest. It is not sent before that time, and later if others wait too.
 */
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
  next_attempt_at: Date | null
}

/** The newest attempts of all events to one endpoint. */
export function listEndpointAttempts(db: Db, scope: Scope, endpointId: string, slice: Slice) {
  return db.many<AttemptRow>(sql`
    select ${ATTEMPT_COLUMNS}
    from webhook_attempt a
    left join lateral (
      -- While a worker has the queue, not_before is the end of its lease and says nothing about the delivery.
      select case when q.worker_id is null then greatest(d.due_at, q.not_before) else d.due_at end as next_attempt_at
      from delivery d join delivery_queue q on q.company_id = d.company_id and q.environment = d.environment and q.endpoint_id = d.endpoint_id
      where d.company_id = ${scope.companyId} and d.environment = ${scope.environment} and d.event_id = a.event_id
        and d.endpoint_id = a.endpoint_id and d.status = 'pending' and q.due_at is not null and not exists (
          select from webhook_attempt w where w.company_id = ${scope.companyId} and w.environment = ${scope.environment}
            and w.event_id = a.event_id and w.id > a.id and w.endpoint_id = a.endpoint_id)
    ) n on true
    where a.company_id = ${scope.companyId} and a.environment = ${scope.environment} and a.endpoint_id = ${endpointId}
      and a.id < ${slice.after}
    order by a.id desc limit ${slice.limit}`)
}

export function listAttempts(db: Db, scope: Scope, eventId: string, slice: Slice) {
  return db.many<AttemptRow>(sql`
    select ${ATTEMPT_COLUMNS}
    from webhook_attempt a
    left join lateral (
      -- While a worker has the queue, not_before is the end of its lease and says nothing about the delivery.
      select case when q.worker_id is null then greatest(d.due_at, q.not_before) else d.due_at end as next_attempt_at
      from delivery d join delivery_queue q on q.company_id = d.company_id and q.environment = d.environment and q.endpoint_id = d.endpoint_id
      where d.company_id = ${scope.companyId} and d.environment = ${scope.environment} and d.event_id = a.event_id
        and d.endpoint_id = a.endpoint_id and d.status = 'pending' and q.due_at is not null and not exists (
          select from webhook_attempt w where w.company_id = ${scope.companyId} and w.environment = ${scope.environment}
            and w.event_id = a.event_id and w.id > a.id and w.endpoint_id = a.endpoint_id)
    ) n on true
    where a.company_id = ${scope.companyId} and a.environment = ${scope.environment} and a.event_id = ${eventId}
      and a.id < ${slice.after}
    order by a.id desc limit ${slice.limit}`)
}

export interface SecretRow {
  company_id: string
  environment: Environment
  endpoint_id: string
  id: string
  ciphertext: Buffer
  key_id: string
}

/** Lists secrets that are not encrypted with the given key. Across companies: the key is the server's. */
export function listSecretsOfOtherKeys(db: Db, keyId: string, limit: number) {
  return db.many<SecretRow>(sql`
    select company_id, environment, endpoint_id, id, ciphertext, key_id from webhook_secret where key_id <> ${keyId} limit ${limit}`)
}

export function replaceSecret(db: Db, scope: Scope, row: SecretRow, encrypted: EncryptedSecret) {
  return db.run(sql`
    update webhook_secret set ciphertext = ${encrypted.ciphertext}, key_id = ${encrypted.keyId}
    where company_id = ${scope.companyId} and environment = ${scope.environment} and endpoint_id = ${row.endpoint_id}
      and id = ${row.id} and key_id = ${row.key_id}`)
}

/** Identifies the delivery queue of an endpoint. */
export interface QueueKey {
  company_id: string
  environment: Environment
  endpoint_id: string
}

/** Claims delivery queues. Across companies: it takes those that have been ready for longest. */
export function claimQueues(db: Db, now: Date, leaseUntil: Date, workerId: string, isFailing: boolean) {
  return db.many<QueueKey & { failures: number }>(sql`
    select company_id, environment, endpoint_id, failures
    from claim_delivery_queues(${now}, ${leaseUntil}, ${workerId}, ${isFailing})`)
}

/** A delivery to make. Only the first row of each queue has the endpoint's URL and secrets. */
export interface TakenRow extends EventRow {
  item: number
  url: string | null
  secrets: TakenSecret[] | null
  attempt_count: number
  resend_count: number
}

export interface TakenSecret {
  id: string
  /** Base64. */
  ciphertext: string
  keyId: string
  expiresAt: string | null
}

/** Across companies: takes the next due deliveries of the queues, `size` at most from each; `item` numbers the queues from 1. */
export function takeDeliveries(
  db: Db,
  now: Date,
  workerId: string,
  requests: readonly { queue: QueueKey; size: number }[],
) {
  return db.many<TakenRow>(sql`
    select item, url, secrets, attempt_count, resend_count, company_id, environment, id, type, object_id, sequence, data,
           created_at, operation_type, amount, fee, card_id, receipt, failure_code, failure_message, operation_created_at
    from take_deliveries(${now}, ${workerId}, ${requests.map(({ queue }) => queue.company_id)},
      ${requests.map(({ queue }) => queue.environment)}, ${requests.map(({ queue }) => queue.endpoint_id)},
      ${requests.map(({ size }) => size)})`)
}

export interface AttemptRecord {
  event_id: string
  id: string
  number: number
  /** The delivery's resend count when it was taken. */
  resend_count: number
  status: 'delivered' | 'pending' | 'failed'
  status_code: number | null
  error: string | null
  latency_ms: number
  response: string | null
  started_at: Date
  due_at: Date | null
}

/** The outcome of one queue in one round. */
export interface Round {
  queue: QueueKey
  attempts: readonly AttemptRecord[]
  /** When the queue may be claimed again; null while this worker keeps it. */
  until: Date | null
  /** Whether a delivery has succeeded since the claim. */
  hasSucceeded: boolean
  /** How many attempts have failed since the last success, or since the claim when there was none. */
  failures: number
}

/** Across companies: records rounds. Returns the queues that have had nothing but failures since `failingLimit`. */
export function recordAttempts(db: Db, now: Date, workerId: string, failingLimit: Date, rounds: readonly Round[]) {
  const made = rounds.flatMap(({ queue, attempts }) => attempts.map((attempt) => ({ queue, attempt })))
  return db.many<QueueKey>(sql`
    select company_id, environment, endpoint_id from record_attempts(${now}, ${workerId}, ${failingLimit},
      ${made.map(({ queue }) => queue.company_id)}, ${made.map(({ queue }) => queue.environment)},
      ${made.map(({ queue }) => queue.endpoint_id)}, ${made.map(({ attempt }) => attempt.event_id)},
      ${made.map(({ attempt }) => attempt.id)}, ${made.map(({ attempt }) => attempt.number)},
      ${made.map(({ attempt }) => attempt.resend_count)}, ${made.map(({ attempt }) => attempt.status)},
      ${made.map(({ attempt }) => attempt.status_code)},
      ${made.map(({ attempt }) => attempt.error)}, ${made.map(({ attempt }) => attempt.latency_ms)},
      ${made.map(({ attempt }) => attempt.response)}, ${made.map(({ attempt }) => attempt.started_at)},
      ${made.map(({ attempt }) => attempt.due_at)}, ${rounds.map(({ queue }) => queue.company_id)},
      ${rounds.map(({ queue }) => queue.environment)}, ${rounds.map(({ queue }) => queue.endpoint_id)},
      ${rounds.map(({ until }) => until)}, ${rounds.map(({ hasSucceeded }) => hasSucceeded)},
      ${rounds.map(({ failures }) => failures)})`)
}

export function disableEndpoint(db: Db, queue: QueueKey, now: Date, reason: 'gone' | 'failures') {
  return db.find<{ disabled: boolean }>(sql`
    select disable_webhook_endpoint(${queue.company_id}, ${now}, ${queue.environment}, ${queue.endpoint_id}, ${reason}) as disabled`)
}

/** Across companies: measures due queues for metrics, failing ones apart, because those may have been due for days. */
export function measureQueues(db: Db, now: Date) {
  return db.many<{ failing: boolean; due: number; oldest: Date | null }>(sql`
    select false as failing,
      (select count(*)::int from (select 1 from delivery_queue d where d.due_at <= ${now} and d.failures = 0 limit 100000) q) as due,
      (select min(d.due_at) from delivery_queue d where d.due_at <= ${now} and d.failures = 0) as oldest
    union all
    select true,
      (select count(*)::int from (select 1 from delivery_queue d where d.due_at <= ${now} and d.failures > 0 limit 100000) q),
      (select min(d.due_at) from delivery_queue d where d.due_at <= ${now} and d.failures > 0)`)
}

/** Across companies: continues the recovery of the next endpoint below `before`, or of the last one, and returns its id, or null. */
export function recoverDeliveries(db: Db, now: Date, before: string) {
  return db.find<{ endpoint_id: string | null }>(sql`select recover_deliveries(${now}, ${before}) as endpoint_id`)
}
