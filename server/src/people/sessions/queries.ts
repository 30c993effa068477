// All SQL on sessions. A change and its line in the audit log are one statement.
import type { AuditRecord } from '../../access/audit.ts'
import type { ProgrammeRole } from '../../access/permissions.ts'
import type { MemberCompany } from '../../access/session.ts'
import type { Db } from '../../db/pool.ts'
import { sql } from '../../db/sql.ts'
import type { Page } from '../../lib/page.ts'

export interface SessionRow {
  id: string
  address: string
  user_agent: string
  created_at: Date
  last_seen_at: Date
  expires_at: Date
}

export interface FoundSessionRow extends SessionRow {
  digest: Buffer
  person_id: string
  verified_at: Date | null
  name: string
  email: string
  has_password: boolean
  has_second_factor: boolean
  programme_role: ProgrammeRole | null
  companies: MemberCompany[]
}

export function findSessions(db: Db, digests: readonly Buffer[]) {
  return db.many<FoundSessionRow>(sql`
    select s.digest, s.id, s.person_id, s.address, s.user_agent, s.created_at, s.last_seen_at, s.expires_at, s.verified_at,
           p.name, p.email, p.password is not null as has_password,
           has_second_factor(p.id),
           (select m.role from membership m where m.company_id is null and m.person_id = p.id) as programme_role,
           (select coalesce(jsonb_agg(jsonb_build_object('id', c.id, 'name', c.name, 'kind', c.kind,
                      'verification', c.verification, 'live_services', c.live_services,
                      'direct_invoices', c.direct_invoices, 'suspended', c.suspended, 'role', m.role) order by c.name, c.id), '[]')
            from membership m join company c on c.id = m.company_id where m.person_id = p.id) as companies
    from person_session s join person p on p.id = s.person_id
    where s.digest = any(${digests}) and s.ended_at is null`)
}

export interface NewSessionRow extends SessionRow {
  person_id: string
  digest: Buffer
  verified_at: Date | null
}

export function insertSession(db: Db, session: NewSessionRow, log: AuditRecord) {
  return db.find<{ id: string }>(sql`
    with made as (
      insert into person_session (id, person_id, digest, address, user_agent, created_at, last_seen_at, expires_at, verified_at)
      values (${session.id}, ${session.person_id}, ${session.digest}, ${session.address}, ${session.user_agent},
              ${session.created_at}, ${session.last_seen_at}, ${session.expires_at}, ${session.verified_at})
      returning id
    )
    select made.id, record_audit(null, ${log}) from made`)
}

export function touchSession(db: Db, id: string, at: Date) {
  return db.run(sql`
    update person_session set last_seen_at = ${at} where id = ${id} and last_seen_at < ${at}`)
}

export function verifySession(db: Db, id: string, at: Date) {
  return db.run(sql`update person_session set verified_at = ${at} where id = ${id} and ended_at is null`)
}

/** Returns nothing when the session has ended already or belongs to somebody else. */
export function endSession(db: Db, personId: string, id: string, at: Date, log: AuditRecord) {
  return db.find<{ id: string }>(sql`
    with ended as (
      update person_session set ended_at = ${at} where id = ${id} and person_id = ${personId} and ended_at is null
      returning id
    )
    select ended.id, record_audit(null, ${log}) from ended`)
}

export function endOtherSessions(db: Db, personId: string, keptId: string, at: Date, log: AuditRecord) {
  return db.find<{ count: bigint }>(sql`
    with ended as (
      update person_session set ended_at = ${at}
      where person_id = ${personId} and id <> ${keptId} and ended_at is null
      returning id
    ), counted as (
      select count(*) as count from ended
    )
    select counted.count, record_audit(null, ${log}) from counted where counted.count > 0`)
}

/** A session that nobody has used for as long as `idleSince` allows has ended, although nothing marks it. */
export function listSessions(db: Db, personId: string, live: { now: Date; idleSince: Date }, page: Page) {
  return db.many<SessionRow>(sql`
    select id, address, user_agent, created_at, last_seen_at, expires_at from person_session
    where person_id = ${personId} and id < ${page.after} and ended_at is null
      and expires_at > ${live.now} and last_seen_at > ${live.idleSince}
    order by id desc limit ${page.limit}`)
}

/** Removes sessions and links that ended long ago, a bounded number at a time. */
export function pruneSessions(db: Db, before: Date, limit: number) {
  return db.run(sql`
    delete from person_session where id in (
      select id from person_session where expires_at < ${before} order by expires_at limit ${limit})`)
}
