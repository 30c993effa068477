// All SQL of the kernel's requests and steps. Across companies: the adapter serves all companies of the server.
import type { Db } from '../../db/pool.ts'
import { sql } from '../../db/sql.ts'
import type { FenceAnswer, RequestBody } from '../../issuer/http/protocol.ts'
import { must } from '../../lib/invariant.ts'
import type { Facts, HolderDetails } from '../provider.ts'

export interface TakenRow {
  content: RequestBody
  answer: FenceAnswer | null
  is_new: boolean
}

/** Leases the task of a new request to the caller. */
export async function takeRequest(
  db: Db,
  request: { token: string; companyId: string; body: RequestBody },
  now: Date,
  leasedUntil: Date,
): Promise<TakenRow> {
  const row = await db.find<TakenRow>(sql`
    select content, answer, is_new
    from issuer_adapter.take_request(${request.token}, ${request.companyId}, ${request.body.kind}, ${JSON.stringify(request.body)}, ${now}, ${leasedUntil})`)
  return must(row)
}

/** Returns null while the outcome is open. */
export async function fenceRequest(
  db: Db,
  { token, companyId }: { token: string; companyId: string },
  content: { companyId: string },
  now: Date,
): Promise<FenceAnswer | null> {
  const row = await db.find<{ answer: FenceAnswer | null }>(sql`
    select answer from issuer_adapter.fence_request(${token}, ${companyId}, ${JSON.stringify(content)}, ${now})`)
  return must(row).answer
}

/** Returns false if the request has an answer. */
export async function endRequest(db: Db, token: string, answer: FenceAnswer): Promise<boolean> {
  const row = await db.find<{ ended: boolean }>(
    sql`select issuer_adapter.end_request(${token}, ${JSON.stringify(answer)}) as ended`,
  )
  return must(row).ended
}

export interface ObjectRow {
  id: string
  company_id: string
  provider_id: string
  facts: Facts
  status: string | null
}

/** A request with everything that its next step depends on. */
export interface RequestState {
  token: string
  company_id: string
  content: RequestBody
  answer: FenceAnswer | null
  created_at: Date
  card: ObjectRow | null
  holder: ObjectRow | null
  holder_details: HolderDetails | null
  attempts: number
}

export function findState(db: Db, token: string) {
  return db.find<RequestState>(sql`
    select r.token, r.company_id, r.content, r.answer, r.created_at, to_jsonb(c) as card, to_jsonb(h) as holder,
           d.details as holder_details, coalesce(t.attempts, 0) as attempts
    from issuer_adapter.request r
      left join issuer_adapter.task t on t.token = r.token
      left join issuer_adapter.object c on c.kind = 'card' and c.id = r.content ->> 'cardId' and c.company_id = r.company_id
      left join issuer_adapter.object h on h.kind = 'holder' and h.id = r.content ->> 'holderId' and h.company_id = r.company_id
      left join issuer_adapter.holder_details d on d.id = r.content ->> 'holderId' and (d.company_id is null or d.company_id = r.company_id)
    where r.token = ${token}`)
}

export interface StepRow {
  token: string
  name: string
  type: 'action' | 'reading'
  state: 'sending' | 'unknown' | 'not_sent' | 'again' | 'done' | 'refused'
  shows: Facts
  facts: Facts | null
  code: string | null
  message: string | null
  reason: string | null
  times_sent: number
  sent_at: Date
  ended_at: Date | null
}

/** In the order in which they began. */
export function listSteps(db: Db, tokens: readonly string[]) {
  return db.many<StepRow>(sql`
    select token, name, type, state, shows, facts, code, message, reason, times_sent, sent_at, ended_at
    from issuer_adapter.step where token = any (${tokens}::uuid[]) order by token, number`)
}

/** Returns false if the step was sent before, or the request has an answer. */
export async function beginStep(
  db: Db,
  step: { token: string; name: string; shows: Facts },
  now: Date,
): Promise<boolean> {
  const row = await db.find<{ begun: boolean }>(sql`
    select issuer_adapter.begin_step(${step.token}, ${step.name}, ${JSON.stringify(step.shows)}, ${now}) as begun`)
  return must(row).begun
}

export interface StepEnd {
  state: 'unknown' | 'not_sent' | 'done' | 'refused'
  facts: Facts | null
  code: string | null
  message: string | null
  reason: string | null
}

/** Changes nothing if the outcome of the step is known. Returns how many steps it changed. */
export function updateStep(db: Db, step: { token: string; name: string }, end: StepEnd, now: Date) {
  return db.run(sql`
    update issuer_adapter.step
    set state = ${end.state}, facts = ${end.facts === null ? null : JSON.stringify(end.facts)}, code = ${end.code},
        message = ${end.message}, reason = ${end.reason}, ended_at = ${now}
    where token = ${step.token} and name = ${step.name} and state in ('sending', 'unknown')`)
}

/** A reading is stored when it has ended. The first one counts, so that what follows from it stays the same. */
export function insertReading(db: Db, step: { token: string; name: string }, end: StepEnd, now: Date) {
  return db.run(sql`
    insert into issuer_adapter.step (token, name, number, type, state, shows, facts, code, message, times_sent, sent_at, ended_at)
    select ${step.token}, ${step.name}, (select count(*) from issuer_adapter.step where token = ${step.token}), 'reading',
           ${end.state}, '{}', ${end.facts === null ? null : JSON.stringify(end.facts)}::jsonb, ${end.code}, ${end.message}, 1, ${now}, ${now}
    on conflict (token, name) do nothing`)
}

/** Without `expiresAt` they are kept until the request has an answer. Returns false if another request has one of them, or this one has an answer. */
export async function takeSubjects(
  db: Db,
  token: string,
  names: readonly string[],
  { now, expiresAt = null }: { now: Date; expiresAt?: Date | null },
): Promise<boolean> {
  const row = await db.find<{ taken: boolean }>(
    sql`select issuer_adapter.take_subjects(${token}, ${names}::text[], ${now}, ${expiresAt}) as taken`,
  )
  return must(row).taken
}

export function deleteSubjects(db: Db, token: string) {
  return db.run(sql`delete from issuer_adapter.subject where token = ${token}`)
}

/** Leases tasks that are due to the caller. */
export function claimTasks(db: Db, now: Date, leasedUntil: Date, limit: number) {
  return db.many<{ token: string }>(sql`
    update issuer_adapter.task t set leased_until = ${leasedUntil}
    from (
      select token from issuer_adapter.task
      where waiting_since is null and due_at <= ${now} and leased_until <= ${now}
      order by due_at limit ${limit} for update skip locked
    ) due
    where t.token = due.token
    returning t.token`)
}

/** Ends the lease. */
export function postponeTask(db: Db, token: string, change: { dueAt: Date; now: Date; attempts: number }) {
  return db.run(sql`
    update issuer_adapter.task set due_at = ${change.dueAt}, leased_until = ${change.now}, attempts = ${change.attempts}
    where token = ${token}`)
}

export function resetAttempts(db: Db, token: string) {
  return db.run(sql`update issuer_adapter.task set attempts = 0 where token = ${token}`)
}

/** A person has to decide. Ends the lease. */
export function parkTask(db: Db, token: string, reason: string, now: Date) {
  return db.run(sql`
    update issuer_adapter.task
    set waiting_since = coalesce(waiting_since, ${now}::timestamptz), waiting_reason = ${reason}, leased_until = ${now}
    where token = ${token}`)
}
