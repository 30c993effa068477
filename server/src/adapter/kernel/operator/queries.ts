// All SQL of what people see and decide about open requests. Across companies: the operator of the adapter decides for all.
import type { Db } from '../../../db/pool.ts'
import { sql } from '../../../db/sql.ts'
import type { RequestBody } from '../../../issuer/http/protocol.ts'

export const DECISIONS = ['look_up', 'send_again', 'not_carried_out'] as const
export type Decision = (typeof DECISIONS)[number]

export interface OpenRow {
  token: string
  company_id: string
  content: RequestBody
  created_at: Date
  due_at: Date
  attempts: number
  waiting_since: Date | null
  waiting_reason: string | null
}

/** The requests without an answer: those that wait for a person first, the oldest first. */
export function listOpen(db: Db, limit: number) {
  return db.many<OpenRow>(sql`
    select r.token, r.company_id, r.content, r.created_at, t.due_at, t.attempts, t.waiting_since, t.waiting_reason
    from issuer_adapter.task t join issuer_adapter.request r using (token)
    order by t.waiting_since nulls last, r.created_at limit ${limit}`)
}

/** Locks the task until the transaction ends. Returns undefined if the request has an answer. */
export function lockTask(tx: Db, token: string) {
  return tx.find<{ waiting_since: Date | null }>(sql`
    select waiting_since from issuer_adapter.task where token = ${token} for update`)
}

/** Of a step whose outcome is not known. */
export function updateUnknownStep(tx: Db, step: { token: string; name: string }, state: 'again' | 'refused') {
  return tx.run(sql`
    update issuer_adapter.step
    set state = ${state}::text,
        code = case when ${state}::text = 'refused' then 'not_carried_out' end,
        message = case when ${state}::text = 'refused' then 'A person decided that it was not carried out.' end
    where token = ${step.token} and name = ${step.name} and state in ('sending', 'unknown')`)
}

/** The task goes on at once. */
export function resumeTask(tx: Db, token: string, now: Date) {
  return tx.run(sql`
    update issuer_adapter.task
    set waiting_since = null, waiting_reason = null, due_at = ${now}, leased_until = ${now}, attempts = 0
    where token = ${token}`)
}

export function insertDecision(
  tx: Db,
  decision: { token: string; step: string; decision: Decision; by: string; reason: string; now: Date },
) {
  return tx.run(sql`
    insert into issuer_adapter.decision (token, step, decision, decided_by, reason, decided_at)
    values (${decision.token}, ${decision.step}, ${decision.decision}, ${decision.by}, ${decision.reason}, ${decision.now})`)
}

export interface Counts {
  open: number
  waiting: number
  oldest: Date | null
}

export function countOpen(db: Db) {
  return db.find<Counts>(sql`
    select count(*)::integer as open, count(waiting_since)::integer as waiting, min(waiting_since) as oldest
    from issuer_adapter.task`)
}

export interface CardSum {
  id: string
  company_id: string
  provider_id: string
  status: string
  /** Cents: what was put on the card, and what was taken back when it was closed. */
  loaded: bigint
  returned: bigint
  /** Cents: payments that count, debits negative. */
  paid: bigint
}

/** What our books say of each card, in the order of the ids. */
export function listCardSums(db: Db, after: string, limit: number) {
  return db.many<CardSum>(sql`
    select o.id, o.company_id, o.provider_id, o.status,
           coalesce(sum((r.content ->> 'amount')::numeric * 100) filter (where r.kind in ('issue', 'topup')), 0)::bigint as loaded,
           coalesce(sum((r.answer ->> 'balance')::numeric * 100) filter (where r.kind = 'card_status'), 0)::bigint as returned,
           coalesce((select sum(p.amount) from issuer_adapter.card_payment p
                     where p.provider_card_id = o.provider_id and p.status in ('pending', 'settled')), 0)::bigint as paid
    from issuer_adapter.object o
      left join issuer_adapter.request r
        on r.content ->> 'cardId' = o.id and r.company_id = o.company_id and r.answer ->> 'outcome' = 'done'
    where o.kind = 'card' and o.id > ${after}
    group by o.kind, o.id order by o.id limit ${limit}`)
}

/** The cards that say that they were made in this mode. */
export function listCardsOfMode(db: Db, mode: 'balance' | 'limit') {
  return db.many<{ provider_id: string }>(sql`
    select provider_id from issuer_adapter.object where kind = 'card' and facts ->> 'mode' = ${mode}::text`)
}

/** Cents: what is on all cards by our books. */
export async function sumOwed(db: Db): Promise<bigint> {
  const row = await db.find<{ owed: bigint }>(sql`
    select (coalesce((select sum((r.content ->> 'amount')::numeric * 100) from issuer_adapter.request r
                      where r.kind in ('issue', 'topup') and r.answer ->> 'outcome' = 'done'), 0)
            - coalesce((select sum((r.answer ->> 'balance')::numeric * 100) from issuer_adapter.request r
                        where r.kind = 'card_status' and r.answer ->> 'outcome' = 'done'), 0)
            + coalesce((select sum(p.amount) from issuer_adapter.card_payment p where p.status in ('pending', 'settled')), 0))::bigint as owed`)
  return row?.owed ?? 0n
}
