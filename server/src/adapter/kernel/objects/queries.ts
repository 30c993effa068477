// All SQL of the holders and cards at the provider, and of what the provider reported about them. Across companies: the adapter serves all
// companies of the server.
import type { Db } from '../../../db/pool.ts'
import { sql } from '../../../db/sql.ts'
import type { CardTransaction } from '../../../issuer/http/event-schema.ts'
import { must } from '../../../lib/invariant.ts'
import type { ProviderObject } from '../../provider.ts'
import type { ObjectRow } from '../queries.ts'

/** A holder or card that is known gets its new facts. */
export function upsertObject(tx: Db, object: ProviderObject, companyId: string, now: Date) {
  return tx.run(sql`
    insert into issuer_adapter.object (kind, id, company_id, provider_id, facts, status, created_at)
    values (${object.kind}, ${object.id}, ${companyId}, ${object.providerId}, ${JSON.stringify(object.facts)},
            ${object.kind === 'card' ? 'active' : null}, ${now})
    on conflict (kind, id) do update set facts = excluded.facts`)
}

export interface CardRow extends ObjectRow {
  status: string
}

export function findCardByProvider(db: Db, providerId: string) {
  return db.find<CardRow>(sql`
    select id, company_id, provider_id, facts, status from issuer_adapter.object
    where kind = 'card' and provider_id = ${providerId}`)
}

export function findCardOf(db: Db, id: string, companyId: string) {
  return db.find<CardRow>(sql`
    select id, company_id, provider_id, facts, status from issuer_adapter.object
    where kind = 'card' and id = ${id} and company_id = ${companyId}`)
}

/** Across companies: whose holder it is. Undefined if the provider does not have the holder. */
export function findHolderOwner(db: Db, id: string) {
  return db.find<{ company_id: string }>(
    sql`select company_id from issuer_adapter.object where kind = 'holder' and id = ${id}`,
  )
}

export function updateCardStatus(tx: Db, id: string, status: string) {
  return tx.run(sql`update issuer_adapter.object set status = ${status} where kind = 'card' and id = ${id}`)
}

export function markStale(tx: Db, providerId: string) {
  return tx.run(sql`
    update issuer_adapter.object set is_stale = true, stale_marks = stale_marks + 1
    where kind = 'card' and provider_id = ${providerId}`)
}

export interface StaleCardRow extends CardRow {
  stale_marks: number
}

/** Cards that must be read again, in the order of the ids. Those whose issue was refused are nobody's, and those whose issue is open wait. */
export function listStaleCards(db: Db, after: string, limit: number) {
  return db.many<StaleCardRow>(sql`
    select o.id, o.company_id, o.provider_id, o.facts, o.status, o.stale_marks
    from issuer_adapter.object o join issuer_adapter.request r
      on r.kind = 'issue' and r.content ->> 'cardId' = o.id and r.company_id = o.company_id and r.answer ->> 'outcome' = 'done'
    where o.kind = 'card' and o.is_stale and o.id > ${after} order by o.id limit ${limit}`)
}

/** The card stays stale if it was marked again after it was listed. Returns what the server was last told. */
export async function clearStale(tx: Db, card: Pick<StaleCardRow, 'id' | 'stale_marks'>): Promise<string> {
  const row = await tx.find<{ status: string }>(sql`
    update issuer_adapter.object set is_stale = stale_marks <> ${card.stale_marks}
    where kind = 'card' and id = ${card.id} returning status`)
  return must(row).status
}

export interface CursorRow {
  provider: string
  value: string
  read_at: Date
  event_at: Date | null
}

export function findCursor(db: Db) {
  return db.find<CursorRow>(sql`select provider, value, read_at, event_at from issuer_adapter.cursor`)
}

/** Returns 0 if another process has read on since. */
export function advanceCursor(
  tx: Db,
  cursor: { provider: string; before: string | null; value: string; readAt: Date; eventAt: Date | null },
) {
  return tx.run(sql`
    insert into issuer_adapter.cursor as c (provider, value, read_at, event_at)
    select ${cursor.provider}, ${cursor.value}, ${cursor.readAt}, ${cursor.eventAt}::timestamptz
    where ${cursor.before}::text is null or exists (select 1 from issuer_adapter.cursor)
    on conflict (is_only) do update
      set value = excluded.value, read_at = excluded.read_at, event_at = greatest(c.event_at, excluded.event_at)
      where c.value = ${cursor.before}`)
}

export function upsertCardPayment(
  tx: Db,
  payment: { providerId: string; providerCardId: string; status: string; amount: bigint },
) {
  return tx.run(sql`
    insert into issuer_adapter.card_payment (provider_id, provider_card_id, status, amount)
    values (${payment.providerId}, ${payment.providerCardId}, ${payment.status}, ${payment.amount})
    on conflict (provider_id) do update set status = excluded.status, amount = excluded.amount`)
}

export interface StrayBody {
  readonly transaction: Omit<CardTransaction['data'], 'cardId'>
  readonly createdAt: string
}

export function insertStray(tx: Db, stray: { id: string; providerCardId: string; body: StrayBody; now: Date }) {
  return tx.run(sql`
    insert into issuer_adapter.stray_event (id, provider_card_id, body, created_at)
    values (${stray.id}, ${stray.providerCardId}, ${JSON.stringify(stray.body)}, ${stray.now})
    on conflict (id) do nothing`)
}

/** In the order in which they came. */
export function deleteStrays(tx: Db, providerCardId: string) {
  return tx.many<{ id: string; body: StrayBody }>(sql`
    with gone as (
      delete from issuer_adapter.stray_event where provider_card_id = ${providerCardId} returning id, body, created_at
    )
    select id, body from gone order by created_at, id`)
}

export async function countStrays(db: Db): Promise<number> {
  const row = await db.find<{ count: number }>(sql`select count(*)::integer as count from issuer_adapter.stray_event`)
  return row?.count ?? 0
}

/** Removes none that came while a card was being issued whose outcome is still open: it may be about that card. */
export function deleteOldStrays(db: Db, before: Date, limit: number) {
  return db.run(sql`
    delete from issuer_adapter.stray_event where id in (
      select s.id from issuer_adapter.stray_event s
      where s.created_at < ${before} and not exists (
        select 1 from issuer_adapter.task t join issuer_adapter.request r using (token)
        where r.kind = 'issue' and r.created_at <= s.created_at)
      order by s.created_at limit ${limit})`)
}
