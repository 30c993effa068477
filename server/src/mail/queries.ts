// All SQL on the queue of e-mails, on what people were told, and on what each of them wants to be told.
import type { AuditRecord } from '../access/audit.ts'
import type { Right } from '../access/right.ts'
import type { Db } from '../db/pool.ts'
import { sql } from '../db/sql.ts'
import type { Environment } from '../lib/scope.ts'
import type { MailKind, NoticeKind } from './kinds.ts'

export interface MailRow {
  id: string
  kind: MailKind
  email: string
  details: Readonly<Record<string, unknown>>
  link: Buffer | null
  link_key_id: string | null
  tries: number
  created_at: Date
  /** When the next attempt begins, unless this one succeeds. */
  due_at: Date
  is_stale: boolean
}

/** Across companies: takes mails that are due. */
export function claimMails(db: Db, now: Date, limit: number, personMax: number) {
  return db.many<MailRow>(sql`
    select id, kind, email, details, link, link_key_id, tries, created_at, due_at, is_stale
    from claim_mails(${now}, ${limit}, ${personMax})`)
}

/** Removes the content, so that no link outlives its mail. */
export function endMail(db: Db, id: string, end: { status: 'sent' | 'failed' | 'cancelled'; reason: string | null }) {
  return db.run(sql`
    update outgoing_mail set status = ${end.status}, reason = ${end.reason}, details = '{}', link = null, link_key_id = null
    where id = ${id} and status = 'waiting'`)
}

export function recordFailure(db: Db, id: string, reason: string) {
  return db.run(sql`update outgoing_mail set reason = ${reason} where id = ${id} and status = 'waiting'`)
}

/** Across companies: what waits, what failed within a day, and since when the oldest waits. */
export function measureMails(db: Db, since: Date) {
  return db.find<{ waiting: number; failed: number; oldest: Date | null; reason: string | null }>(sql`
    select (select count(*)::int from outgoing_mail where status = 'waiting') as waiting,
           (select min(created_at) from outgoing_mail where status = 'waiting') as oldest,
           (select count(*)::int from outgoing_mail where status = 'failed' and created_at > ${since}) as failed,
           (select reason from outgoing_mail where created_at > ${since} and reason is not null order by tried_at desc limit 1) as reason`)
}

/** Across companies: a mail is kept for some time to look into what happened. */
export function pruneMails(db: Db, before: Date, limit: number) {
  return db.run(sql`
    delete from outgoing_mail where id in (
      select id from outgoing_mail where created_at < ${before} order by created_at limit ${limit})`)
}

/** A low balance is forgotten when there is enough again, however long that takes. */
export function pruneNotices(db: Db, before: Date, limit: number) {
  return db.run(sql`
    delete from mail_notice where (kind, subject) in (
      select kind, subject from mail_notice where told_at < ${before} and kind <> 'low_balance' order by told_at limit ${limit})`)
}

export interface Notices {
  readonly kind: NoticeKind
  /** Null for the programme. */
  readonly companyId: string | null
  readonly roles: readonly string[]
  readonly subjects: readonly string[]
  readonly items: readonly Readonly<Record<string, string>>[]
}

/** Returns how many subjects nobody was told of before. */
export function queueNotices(
  db: Db,
  now: Date,
  notices: Notices,
  max: { items: number; queue: number; company: number },
) {
  const items = notices.items.map((item) => JSON.stringify(item))
  return db.find<{ told: number }>(sql`
    select queue_notices(${notices.kind}, ${notices.companyId}, ${notices.roles}, ${notices.subjects}, ${items}::jsonb[], ${now},
                         ${max.items}, ${max.queue}, ${max.company}) as told`)
}

/** Across companies: objects in review that came there since a time, in the order of their ids. */
export function listWaitingReviews(db: Db, page: { since: Date; after: string; limit: number }) {
  const { since, after, limit } = page
  return db.many<{ id: string; object: string; environment: Environment }>(sql`
    select id, object, environment from (
      (select o.id, 'operation' as object, o.environment
       from issuer_request q join operation o on o.company_id = q.company_id and o.environment = q.environment and o.id = q.id
       where q.status = 'manual_review' and q.id > ${after} and o.status_at > ${since} order by q.id limit ${limit})
      union all
      (select id, 'card_change', environment from card_change
       where status = 'manual_review' and id > ${after} and status_at > ${since} order by id limit ${limit})
      union all
      (select id, 'invoice', environment from invoice
       where status = 'manual_review' and id > ${after} and status_at > ${since} order by id limit ${limit})
      union all
      (select id, 'payment', environment from payment_review
       where status = 'manual_review' and id > ${after} and created_at > ${since} order by id limit ${limit})) r
    order by id limit ${limit}`)
}

export interface ThresholdRow {
  id: string
  low_balance_sandbox: bigint | null
  low_balance_live: bigint | null
}

/** Across companies: those that want to be warned of a low balance. */
export function listThresholds(db: Db, after: string, limit: number) {
  return db.many<ThresholdRow>(sql`
    select id, low_balance_sandbox, low_balance_live from company
    where (low_balance_sandbox is not null or low_balance_live is not null) and id > ${after} order by id limit ${limit}`)
}

/** Across companies: what these have available. */
export function listAvailable(db: Db, companyIds: readonly string[]) {
  return db.many<{ company_id: string; environment: Environment; available: bigint }>(sql`
    select company_id, environment, available from account where company_id = any (${companyIds})`)
}

/** Forgets notices that are older than this, so that people are told again. */
export function forgetNotices(db: Db, kind: NoticeKind, subjects: readonly string[], before: Date) {
  return db.run(sql`
    delete from mail_notice where kind = ${kind} and subject = any (${subjects}) and told_at < ${before}`)
}

export interface FailingRow {
  company_id: string
  environment: Environment
  id: string
  status: 'enabled' | 'disabled'
  failing_since: Date
}

/** Across companies: endpoints that have failed for some time, and those that the server has disabled for it. */
export function listFailingEndpoints(db: Db, page: { from: Date; until: Date; after: string; limit: number }) {
  return db.many<FailingRow>(sql`
    select e.company_id, e.environment, e.id, e.status, q.failing_since
    from delivery_queue q
    join webhook_endpoint e on e.company_id = q.company_id and e.environment = q.environment and e.id = q.endpoint_id
    where q.failing_since > ${page.from} and e.id > ${page.after}
      and (e.disabled_reason in ('gone', 'failures') or (e.status = 'enabled' and q.failing_since <= ${page.until}))
    order by e.id limit ${page.limit}`)
}

export interface ExpiringRow {
  company_id: string
  id: string
  environment: Environment
  name: string
  last4: string
  expires_at: Date
}

/** Across companies: keys that expire within some time. */
export function listExpiringKeys(db: Db, page: { now: Date; until: Date; after: string; limit: number }) {
  return db.many<ExpiringRow>(sql`
    select company_id, id, environment, name, last4, expires_at from api_key
    where expires_at > ${page.now} and expires_at <= ${page.until} and revoked_at is null and id > ${page.after}
    order by id limit ${page.limit}`)
}

export function findMailOff(db: Db, personId: string) {
  return db.find<{ mail_off: NoticeKind[] }>(sql`select mail_off from person where id = ${personId}`)
}

/** Returns nothing when the right has ended. */
export function setMailOff(
  db: Db,
  personId: string,
  change: { on: readonly NoticeKind[]; off: readonly NoticeKind[] },
  right: Right,
  log: AuditRecord,
) {
  return db.find<{ mail_off: NoticeKind[] }>(sql`
    with changed as (
      update person set mail_off = array(
        select distinct k from unnest(mail_off || ${change.off}::text[]) k where k <> all (${change.on}::text[]) order by k)
      where id = ${personId} and hold_right(${right}, '{}')
      returning mail_off
    )
    select changed.mail_off, record_audit(null, ${log}) from changed`)
}

/** Links that were encrypted with another key than this, which is one of those that are known. */
export function listLinksOfOtherKeys(db: Db, keyId: string, knownIds: readonly string[], limit: number) {
  return db.many<{ id: string; link: Buffer; link_key_id: string }>(sql`
    select id, link, link_key_id from outgoing_mail
    where status = 'waiting' and link_key_id <> ${keyId} and link_key_id = any (${knownIds}) limit ${limit}`)
}

export function replaceLink(db: Db, id: string, encrypted: { ciphertext: Buffer; keyId: string }) {
  return db.run(sql`
    update outgoing_mail set link = ${encrypted.ciphertext}, link_key_id = ${encrypted.keyId} where id = ${id} and status = 'waiting'`)
}
