// All SQL about issuers: the sandbox issuer's records, exchanges with an issuer, and events from the live issuer.
import type { AuditRecord } from '../access/audit.ts'
import type { Db } from '../db/pool.ts'
import { sql } from '../db/sql.ts'
import { firstIdAt } from '../lib/ids.ts'
import type { Environment, Scope } from '../lib/scope.ts'

/** `fence`: a look-up found nothing. `left_open`: the sandbox was told to leave the outcome open. */
export interface NewEffect {
  company_id: string
  token: string
  kind: 'issue' | 'topup' | 'service' | 'card_status' | 'invoice' | 'left_open'
  amount: bigint | null
  receipt: string | null
  last4: string | null
  created_at: Date
}

/**
 * Returns the tokens that were already fenced; their effects are not written. A known token has already had its effect and
 * does not have it again. The effect and the fence share the primary key, so that only one of them is ever written.
 */
export function insertEffects(db: Db, effects: readonly NewEffect[]) {
  return db.many<{ token: string }>(sql`
    with written as (
      insert into sandbox_effect as e (company_id, token, kind, amount, receipt, last4, created_at)
      select company_id, token, kind, amount, receipt, last4, created_at from unnest(
        ${effects.map((effect) => effect.company_id)}::uuid[], ${effects.map((effect) => effect.token)}::uuid[],
        ${effects.map((effect) => effect.kind)}::text[], ${effects.map((effect) => effect.amount)}::bigint[],
        ${effects.map((effect) => effect.receipt)}::text[], ${effects.map((effect) => effect.last4)}::text[],
        ${effects.map((effect) => effect.created_at)}::timestamptz[])
        as n (company_id, token, kind, amount, receipt, last4, created_at)
      on conflict (company_id, token) do update set kind = e.kind
      returning e.token, e.kind
    )
    select token from written where kind = 'fence'`)
}

export interface EffectRow {
  token: string
  kind: NewEffect['kind'] | 'fence'
  last4: string | null
}

/**
 * Returns the record of each token, and writes a fence for tokens without one. It is a single statement, so that no effect can
 * be written between the look-up and the fence.
 */
export function fenceTokens(db: Db, tokens: readonly Pick<NewEffect, 'company_id' | 'token' | 'created_at'>[]) {
  return db.many<EffectRow>(sql`
    insert into sandbox_effect as e (company_id, token, kind, created_at)
    select distinct on (company_id, token) company_id, token, 'fence', created_at from unnest(
      ${tokens.map((token) => token.company_id)}::uuid[], ${tokens.map((token) => token.token)}::uuid[],
      ${tokens.map((token) => token.created_at)}::timestamptz[]) as n (company_id, token, created_at)
    on conflict (company_id, token) do update set kind = e.kind
    returning e.token, e.kind, e.last4`)
}

export interface SlotRow {
  address: string
  pay_amount: bigint
  expires_at: Date
}

export interface NewSlot {
  invoiceId: string
  deposit: bigint
  addresses: readonly string[]
  expiresAt: Date
  freeAt: Date
}

/** All null when no amount is free. */
export function claimPaymentSlot(db: Db, scope: Scope, now: Date, slot: NewSlot) {
  return db.find<SlotRow | { address: null }>(sql`
    select address, pay_amount, expires_at from claim_payment_slot(
      ${scope.companyId}, ${now}, ${scope.environment}, ${slot.invoiceId}, ${slot.deposit}, ${slot.addresses}, ${slot.expiresAt}, ${slot.freeAt})`)
}

export function findPaymentSlot(db: Db, scope: Scope, invoiceId: string) {
  return db.find<SlotRow>(sql`
    select address, pay_amount, expires_at from payment_slot
    where company_id = ${scope.companyId} and environment = ${scope.environment} and invoice_id = ${invoiceId}`)
}

export interface ExchangeRow {
  id: string
  purpose: 'request' | 'look_up'
  sent: unknown
  received: unknown
  outcome: 'confirmed' | 'declined' | 'not_sent' | 'absent' | 'unknown'
  started_at: Date
  finished_at: Date | null
}

/** `sent` and `received` are JSON. */
export function insertExchange(
  db: Db,
  scope: Scope,
  objectId: string,
  exchange: ExchangeRow & { sent: string; received: string },
) {
  return db.run(sql`
    insert into exchange (company_id, environment, object_id, id, purpose, sent, received, outcome, started_at, finished_at)
    values (${scope.companyId}, ${scope.environment}, ${objectId}, ${exchange.id}, ${exchange.purpose},
            ${exchange.sent}, ${exchange.received}, ${exchange.outcome}, ${exchange.started_at}, ${exchange.finished_at})`)
}

/** The newest first. */
export function listExchanges(db: Db, scope: Scope, objectId: string, limit: number) {
  return db.many<ExchangeRow>(sql`
    select id, purpose, sent, received, outcome, started_at, finished_at from exchange
    where company_id = ${scope.companyId} and environment = ${scope.environment} and object_id = ${objectId}
    order by id desc limit ${limit}`)
}

/** The answers about an object that say for certain what happened, the newest first. */
export function listCertainAnswers(db: Db, scope: Scope, objectId: string, limit: number) {
  return db.many<{ outcome: 'confirmed' | 'declined' | 'absent'; received: Record<string, string> }>(sql`
    select outcome, received from exchange
    where company_id = ${scope.companyId} and environment = ${scope.environment} and object_id = ${objectId}
      and outcome in ('confirmed', 'declined', 'absent')
    order by id desc limit ${limit}`)
}

/** Across companies: those of all are pruned, one account after the other. */
export function findNextAccount(db: Db, { companyId, environment }: Scope) {
  return db.find<Scope>(sql`
    select company_id as "companyId", environment from account
    where (company_id, environment) > (${companyId}::uuid, ${environment}::environment)
    order by company_id, environment limit 1`)
}

/** `last` is the last object that was looked at, or null at the end. */
export function pruneExchanges(db: Db, scope: Scope, { after, before }: { after: string; before: Date }) {
  return db.find<{ last: string | null }>(sql`
    select prune_exchanges(
      ${scope.companyId}, ${scope.environment}, ${after}, ${before}, ${firstIdAt(before)}) as last`)
}

/** Writes the record once per event of an object that was created after the id `since`, however often the event is sent. */
export function insertContradiction(
  db: Db,
  scope: Scope,
  since: string,
  record: AuditRecord & { details: { eventId: string } },
) {
  return db.run(sql`
    select record_audit(${scope.companyId}, case
      when is_erased(${scope.companyId}, ${scope.environment}, ${record.object})
      then jsonb_set(${record}::jsonb, '{details,data}', '"Erased"') else ${record}::jsonb end)
    where not exists (
      select from audit_log
      where company_id = ${scope.companyId} and id >= ${since} and object = ${record.object} and action = ${record.action}
        and details ->> 'eventId' = ${record.details.eventId})`)
}

/** Across companies: the issuer alone chooses the ids of its events. */
export function findIssuerEvent(db: Db, id: string) {
  return db.find<{ digest: Buffer }>(sql`select digest from issuer_event where id = ${id}`)
}

/** Across companies: see above. Concurrent calls write one row. */
export function insertIssuerEvent(db: Db, event: { id: string; type: string; digest: Buffer; received_at: Date }) {
  return db.run(sql`
    insert into issuer_event (id, type, digest, received_at) values (${event.id}, ${event.type}, ${event.digest}, ${event.received_at})
    on conflict (id) do nothing`)
}

export function findCardName(db: Db, scope: Scope, cardId: string) {
  return db.find<{ name: string }>(sql`
    select name from card where company_id = ${scope.companyId} and environment = ${scope.environment} and id = ${cardId}`)
}

export interface IssuerMinute {
  environment: Environment
  minute: Date
  answered: number
  unanswered: number
  answeredMs: number
  lastAnswerAt: Date | null
  firstUnansweredAt: Date | null
  lastUnansweredAt: Date | null
}

/** Adds what this process counted to what others counted in the same minute. */
export function addIssuerMinute(db: Db, minute: IssuerMinute) {
  return db.run(sql`
    insert into issuer_minute as m (environment, minute, answered, unanswered, answered_ms, last_answer_at, first_unanswered_at, last_unanswered_at)
    values (${minute.environment}, ${minute.minute}, ${minute.answered}, ${minute.unanswered}, ${minute.answeredMs}, ${minute.lastAnswerAt},
            ${minute.firstUnansweredAt}, ${minute.lastUnansweredAt})
    on conflict (environment, minute) do update set
      answered = m.answered + excluded.answered,
      unanswered = m.unanswered + excluded.unanswered,
      answered_ms = m.answered_ms + excluded.answered_ms,
      last_answer_at = greatest(m.last_answer_at, excluded.last_answer_at),
      first_unanswered_at = least(m.first_unanswered_at, excluded.first_unanswered_at),
      last_unanswered_at = greatest(m.last_unanswered_at, excluded.last_unanswered_at)`)
}

export function deleteIssuerMinutes(db: Db, before: Date) {
  return db.run(sql`delete from issuer_minute where minute < ${before}`)
}
