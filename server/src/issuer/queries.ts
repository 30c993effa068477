// All SQL about issuers: the sandbox issuer's own book, exchanges with an issuer, and events that the live issuer sent.
import type { Db } from '../db/pool.ts'
import { sql } from '../db/sql.ts'
import type { Scope } from '../lib/scope.ts'

export interface EffectRow {
  company_id: string
  token: string
  kind: 'issue' | 'topup' | 'service'
  amount: bigint
  receipt: string
  last4: string | null
  created_at: Date
}

/** A token that is known already had its effect: it does not have it twice. */
export function insertEffects(db: Db, effects: readonly EffectRow[]) {
  return db.run(sql`
    insert into sandbox_effect (company_id, token, kind, amount, receipt, last4, created_at)
    select company_id, token, kind, amount, receipt, last4, created_at from unnest(
      ${effects.map((effect) => effect.company_id)}::uuid[], ${effects.map((effect) => effect.token)}::uuid[],
      ${effects.map((effect) => effect.kind)}::text[], ${effects.map((effect) => effect.amount)}::bigint[],
      ${effects.map((effect) => effect.receipt)}::text[], ${effects.map((effect) => effect.last4)}::text[],
      ${effects.map((effect) => effect.created_at)}::timestamptz[])
      as e (company_id, token, kind, amount, receipt, last4, created_at)
    on conflict (company_id, token) do nothing`)
}

export function findEffect(db: Db, companyId: string, token: string) {
  return db.find<EffectRow>(sql`
    select company_id, token, kind, amount, receipt, last4, created_at from sandbox_effect
    where company_id = ${companyId} and token = ${token}`)
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
    select address, pay_amount, expires_at from public.claim_payment_slot(
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
  outcome: 'confirmed' | 'declined' | 'not_sent' | 'unknown'
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

/** Across companies: events of the issuer are named by the issuer alone. */
export function findIssuerEvent(db: Db, id: string) {
  return db.find<{ digest: Buffer }>(sql`select digest from issuer_event where id = ${id}`)
}

/** Across companies: see above. Two at once leave one line. */
export function insertIssuerEvent(db: Db, event: { id: string; type: string; digest: Buffer; received_at: Date }) {
  return db.run(sql`
    insert into issuer_event (id, type, digest, received_at) values (${event.id}, ${event.type}, ${event.digest}, ${event.received_at})
    on conflict (id) do nothing`)
}

/** A token that is known already had its effect: it does not have it twice. */
export function insertCardEffect(
  db: Db,
  companyId: string,
  effect: { token: string; status: string; receipt: string; createdAt: Date },
) {
  return db.run(sql`
    insert into sandbox_card_effect (company_id, token, status, receipt, created_at)
    values (${companyId}, ${effect.token}, ${effect.status}, ${effect.receipt}, ${effect.createdAt})
    on conflict (company_id, token) do nothing`)
}

export function findCardEffect(db: Db, companyId: string, token: string) {
  return db.find<{ receipt: string }>(sql`
    select receipt from sandbox_card_effect where company_id = ${companyId} and token = ${token}`)
}

export function findCardName(db: Db, scope: Scope, cardId: string) {
  return db.find<{ name: string }>(sql`
    select name from card where company_id = ${scope.companyId} and environment = ${scope.environment} and id = ${cardId}`)
}
