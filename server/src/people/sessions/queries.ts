// All SQL on sessions. A change and its line in the audit log are one statement.
import type { AuditRecord } from '../../access/audit.ts'
import type { ProgrammeRole } from '../../access/permissions.ts'
import type { Right } from '../../access/right.ts'
import type { MemberCompany } from '../../access/session.ts'
import type { Db } from '../../db/pool.ts'
import { sql } from '../../db/sql.ts'
import type { Slice } from '../../lib/slice.ts'

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
  time_zone: string | null
  has_password: boolean
  has_second_factor: boolean
  programme_role: ProgrammeRole | null
  companies: MemberCompany[]
}

/** More addresses than this in a month is no person. */
const ADDRESSES_MAX = 1000

/** Returns the addresses from which an account has signed in, as long as its sessions are kept. None for an unknown account. */
export function listSignInAddresses(db: Db, email: string) {
  return db.many<{ address: string }>(sql`
    select distinct s.address from person_session s join person p on p.id = s.person_id
    where p.email = ${email} limit ${ADDRESSES_MAX}`)
}

export function findSessions(db: Db, digests: readonly Buffer[]) {
  return db.many<FoundSessionRow>(sql`
    select s.digest, s.id, s.person_id, s.address, s.user_agent, s.created_at, s.last_seen_at, s.expires_at, s.verified_at,
           p.name, p.email, p.time_zone, p.password is not null as has_password,
           has_second_factor(p.id),
           (select m.role from membership m where m.company_id is null and m.person_id = p.id) as programme_role,
           (select coalesce(jsonb_agg(jsonb_build_object('id', c.id, 'name', c.name, 'kind', c.kind,
                      'verification', c.verification, 'live_services', c.live_services,
                      'direct_invoices', c.direct_invoices, 'suspended', c.suspended, 'role', m.role) order by c.name, c.id), '[]')
            from membership m join company c on c.id = m.company_id where m.person_id = p.id) as companies
    from person_session s join person p on p.id = s.person_id
    where s.digest = any(${digests}) and s.ended_at is null`)
}

export interface NewSession {
  readonly id: string
  readonly personId: string
  /** Of the person's credentials, from before the first of them was checked. */
  readonly version: number
  readonly digest: Buffer
  readonly address: string
  readonly userAgent: string
  readonly createdAt: Date
  readonly expiresAt: Date
  readonly verifiedAt: Date | null
}

/** Not started when the credentials have changed since they were checked. */
export function startSession(db: Db, session: NewSession, log: AuditRecord) {
  return db.find<{ is_started: boolean }>(sql`
    select start_session(${session.id}, ${session.personId}, ${session.version}, ${session.digest}, ${session.address},
                         ${session.userAgent}, ${session.createdAt}, ${session.expiresAt}, ${session.verifiedAt}, ${log}) as is_started`)
}

export function touchSession(db: Db, id: string, at: Date) {
  return db.run(sql`
    update person_session set last_seen_at = ${at} where id = ${id} and last_seen_at < ${at}`)
}

/** Not verified when the credentials have changed since the second factor was checked, or when the session has ended. */
export function verifySession(db: Db, session: { personId: string; id: string; version: number }, at: Date) {
  return db.find<{ is_verified: boolean }>(sql`
    select verify_session(${session.personId}, ${session.id}, ${session.version}, ${at}) as is_verified`)
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

/** Ends nothing, and returns false, when the right has ended. */
export function endOtherSessions(
  db: Db,
  { personId, keptId }: { personId: string; keptId: string },
  at: Date,
  right: Right,
  log: AuditRecord,
) {
  return db.find<{ is_held: boolean }>(sql`
    select end_other_sessions(${right}, ${personId}, ${keptId}, ${at}, ${log}) as is_held`)
}

/** A session that nobody has used for as long as `idleSince` allows has ended, although nothing marks it. */
export function listSessions(db: Db, personId: string, live: { now: Date; idleSince: Date }, slice: Slice) {
  return db.many<SessionRow>(sql`
    select id, address, user_agent, created_at, last_seen_at, expires_at from person_session
    where person_id = ${personId} and id < ${slice.after} and ended_at is null
      and expires_at > ${live.now} and last_seen_at > ${live.idleSince}
    order by id desc limit ${slice.limit}`)
}

/** Removes sessions and links that ended long ago, a bounded number at a time. */
export function pruneSessions(db: Db, before: Date, limit: number) {
  return db.run(sql`
    delete from person_session where id in (
      select id from person_session where expires_at < ${before} order by expires_at limit ${limit})`)
}
