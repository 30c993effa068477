// SQL of delivering: claiming lines, taking from them, writing down attempts. All across companies: a worker serves all.
import type { Db } from '../db/pool.ts'
import { sql } from '../db/sql.ts'
import type { EventRow } from '../events/render.ts'
import type { Environment } from '../lib/scope.ts'

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

export interface TakenRow extends EventRow {
  item: number
  url: string
  secrets: { id: string; sealed: string; keyId: string; expiresAt: string | null }[]
  attempt_count: number
}

/** Across companies: the next deliveries of the lines; `item` counts them from 1. */
export function takeDeliveries(db: Db, now: Date, leaseUntil: Date, holder: string, lines: readonly LineKey[]) {
  return db.many<TakenRow>(sql`
    select item, url, secrets, attempt_count, company_id, environment, id, type, object_id, sequence, data, created_at,
           operation_type, amount, fee, card_id, receipt, failure_code, failure_message, operation_created_at
    from public.take_deliveries(${now}, ${leaseUntil}, ${holder}, ${lines.map((line) => line.company_id)},
      ${lines.map((line) => line.environment)}, ${lines.map((line) => line.endpoint_id)})`)
}

export interface AttemptRecord {
  event_id: string
  id: string
  number: number
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
  /** Until when it is held or rests. */
  until: Date
  /** Whether its holder goes on with it. */
  keep: boolean
}

/** Across companies. Answers the lines that have only failed since `failingLimit`. */
export function recordAttempts(db: Db, now: Date, holder: string, failingLimit: Date, rounds: readonly Round[]) {
  const attempts = rounds.flatMap(({ line, attempts: list }) => list.map((attempt) => ({ ...line, ...attempt })))
  return db.many<LineKey>(sql`
    select company_id, environment, endpoint_id from public.record_attempts(${now}, ${holder}, ${failingLimit},
      ${attempts.map((attempt) => attempt.company_id)}, ${attempts.map((attempt) => attempt.environment)},
      ${attempts.map((attempt) => attempt.endpoint_id)}, ${attempts.map((attempt) => attempt.event_id)},
      ${attempts.map((attempt) => attempt.id)}, ${attempts.map((attempt) => attempt.number)},
      ${attempts.map((attempt) => attempt.status)}, ${attempts.map((attempt) => attempt.status_code)},
      ${attempts.map((attempt) => attempt.error)}, ${attempts.map((attempt) => attempt.latency_ms)},
      ${attempts.map((attempt) => attempt.response)}, ${attempts.map((attempt) => attempt.started_at)},
      ${attempts.map((attempt) => attempt.due_at)}, ${rounds.map(({ line }) => line.company_id)},
      ${rounds.map(({ line }) => line.environment)}, ${rounds.map(({ line }) => line.endpoint_id)},
      ${rounds.map(({ until }) => until)}, ${rounds.map(({ keep }) => keep)})`)
}

export function disableEndpoint(db: Db, line: LineKey, now: Date, reason: 'gone' | 'failures') {
  return db.find<{ disabled: boolean }>(sql`
    select public.disable_webhook_endpoint(${line.company_id}, ${now}, ${line.environment}, ${line.endpoint_id}, ${reason}) as disabled`)
}

/** Across companies: the next part of any recovery. */
export function recoverDeliveries(db: Db, now: Date) {
  return db.find<{ recovered: boolean }>(sql`select public.recover_deliveries(${now}) as recovered`)
}
