// All SQL on one-time links. A change and its line in the audit log are one statement.
import type { AuditRecord } from '../../access/audit.ts'
import type { Role } from '../../access/permissions.ts'
import type { Db } from '../../db/pool.ts'
import { sql } from '../../db/sql.ts'
import type { Page } from '../../lib/page.ts'

export type LinkKind = 'invitation' | 'reset' | 'sign_in'

export interface InvitationRow {
  id: string
  email: string
  company_id: string | null
  role: Role
  created_by: string
  created_at: Date
  expires_at: Date
  used_at: Date | null
  revoked_at: Date | null
}

export interface LinkRow {
  kind: LinkKind
  email: string
  company_id: string | null
  company_name: string | null
  role: Role | null
  /** The person that the link was made for; null for an invitation, which tells nothing about accounts. */
  person_id: string | null
  name: string | null
  expires_at: Date
}

export interface NewLink {
  readonly id: string
  readonly digest: Buffer
  readonly createdBy: string
  readonly createdAt: Date
  readonly expiresAt: Date
}

/** Returns nothing when somebody with this address belongs there already, or when there are `openMax` open invitations. */
export function insertInvitation(
  db: Db,
  link: NewLink,
  invitation: { email: string; companyId: string | null; role: Role; openMax: number },
  log: AuditRecord,
) {
  return db.find<InvitationRow>(sql`
    with made as (
      insert into one_time_link (id, kind, digest, email, company_id, role, created_by, created_at, expires_at)
      select ${link.id}, 'invitation', ${link.digest}, ${invitation.email}, ${invitation.companyId}::uuid, ${invitation.role},
             ${link.createdBy}, ${link.createdAt}, ${link.expiresAt}
      where not exists (
              select from membership m join person p on p.id = m.person_id
              where m.company_id is not distinct from ${invitation.companyId} and p.email = ${invitation.email})
        and (select count(*) from one_time_link
             where kind = 'invitation' and company_id is not distinct from ${invitation.companyId} and email <> ${invitation.email}
               and used_at is null and revoked_at is null and expires_at > ${link.createdAt}) < ${invitation.openMax}
      returning id, email, company_id, role, created_by, created_at, expires_at, used_at, revoked_at
    ), replaced as (
      update one_time_link l set revoked_at = ${link.createdAt} from made
      where l.kind = 'invitation' and l.company_id is not distinct from made.company_id and l.email = made.email
        and l.used_at is null and l.revoked_at is null
    )
    select made.*, record_audit(made.company_id, ${log}) from made`)
}

export function isMember(db: Db, email: string, companyId: string | null) {
  return db.find<{ person_id: string }>(sql`
    select m.person_id from membership m join person p on p.id = m.person_id
    where m.company_id is not distinct from ${companyId} and p.email = ${email}`)
}

export function listInvitations(db: Db, companyId: string | null, page: Page) {
  return db.many<InvitationRow>(sql`
    select id, email, company_id, role, created_by, created_at, expires_at, used_at, revoked_at from one_time_link
    where kind = 'invitation' and company_id is not distinct from ${companyId} and id < ${page.after}
    order by id desc limit ${page.limit}`)
}

export function findInvitation(db: Db, id: string) {
  return db.find<InvitationRow>(sql`
    select id, email, company_id, role, created_by, created_at, expires_at, used_at, revoked_at from one_time_link
    where kind = 'invitation' and id = ${id}`)
}

/** Revoking again, or after its use, changes nothing. */
export function revokeInvitation(db: Db, id: string, at: Date, log: AuditRecord) {
  return db.find<{ id: string }>(sql`
    with changed as (
      update one_time_link set revoked_at = ${at}
      where kind = 'invitation' and id = ${id} and used_at is null and revoked_at is null
      returning id, company_id
    )
    select changed.id, record_audit(changed.company_id, ${log}) from changed`)
}

/** Only a link that can still be used. */
export function findLink(db: Db, digest: Buffer, now: Date) {
  return db.find<LinkRow>(sql`
    select l.kind, l.email, l.company_id, c.name as company_name, l.role, l.person_id, p.name, l.expires_at
    from one_time_link l
    left join company c on c.id = l.company_id
    left join person p on p.id = l.person_id
    where l.digest = ${digest} and l.used_at is null and l.revoked_at is null and l.expires_at > ${now}`)
}

export type Acceptance = 'accepted' | 'account_exists' | 'not_valid'

/** Creates the account and the membership, and uses the link up. */
export function acceptInvitation(
  db: Db,
  digest: Buffer,
  person: { id: string; name: string; password: string; createdAt: Date },
  log: AuditRecord,
) {
  return db.find<{ outcome: Acceptance; email: string | null }>(sql`
    select outcome, email from accept_invitation(
      ${digest}, ${person.id}, ${person.name}, ${person.password}, ${person.createdAt}, ${log})`)
}

/**
 * For somebody who has an account. The address of the invitation must be theirs. Links that an owner of their company made for
 * them end, because whoever has such a link could now act in the other company too.
 */
export function joinByInvitation(
  db: Db,
  digest: Buffer,
  person: { id: string; email: string; at: Date },
  log: AuditRecord,
) {
  return db.find<{ role: Role }>(sql`
    with link as (
      update one_time_link set used_at = ${person.at}
      where kind = 'invitation' and digest = ${digest} and email = ${person.email}
        and used_at is null and revoked_at is null and expires_at > ${person.at}
      returning company_id, role
    ), made as (
      insert into membership (company_id, person_id, role, created_at)
      select company_id, ${person.id}, role, ${person.at} from link
      on conflict do nothing
    ), revoked as (
      update one_time_link l set revoked_at = ${person.at} from link
      where l.person_id = ${person.id} and l.used_at is null and l.revoked_at is null
    )
    select link.role, record_audit(link.company_id, ${log}) from link`)
}

export function insertPersonLink(
  db: Db,
  link: NewLink,
  about: { kind: 'reset' | 'sign_in'; personId: string; removesSecondFactor: boolean },
  log: AuditRecord,
) {
  return db.find<{ id: string }>(sql`
    with replaced as (
      update one_time_link set revoked_at = ${link.createdAt}
      where person_id = ${about.personId} and used_at is null and revoked_at is null
    ), made as (
      insert into one_time_link (id, kind, digest, email, person_id, removes_second_factor, created_by, created_at, expires_at)
      select ${link.id}, ${about.kind}, ${link.digest}, p.email, p.id, ${about.removesSecondFactor}, ${link.createdBy},
             ${link.createdAt}, ${link.expiresAt}
      from person p where p.id = ${about.personId}
      returning id
    )
    select made.id, record_audit(null, ${log}) from made`)
}

/** Sets a new password, ends every session of the person, and uses the link up. */
export function usePasswordReset(db: Db, digest: Buffer, change: { password: string; at: Date }, log: AuditRecord) {
  return db.find<{ person_id: string }>(sql`
    with link as (
      update one_time_link set used_at = ${change.at}
      where kind = 'reset' and digest = ${digest} and used_at is null and revoked_at is null and expires_at > ${change.at}
      returning person_id, removes_second_factor
    ), apps as (
      delete from totp t using link where t.person_id = link.person_id and link.removes_second_factor
    ), codes as (
      delete from recovery_code r using link where r.person_id = link.person_id and link.removes_second_factor
    ), passkeys as (
      delete from passkey k using link where k.person_id = link.person_id and link.removes_second_factor
    ), changed as (
      update person p set password = ${change.password} from link where p.id = link.person_id
    ), ended as (
      update person_session s set ended_at = ${change.at} from link
      where s.person_id = link.person_id and s.ended_at is null
    )
    select link.person_id, record_audit(null, ${log}) from link`)
}

/** Only for somebody who has neither a password nor a second factor: the link must not stand in for them. */
export function useSignInLink(db: Db, digest: Buffer, at: Date, log: AuditRecord) {
  return db.find<{ person_id: string }>(sql`
    with link as (
      update one_time_link l set used_at = ${at} from person p
      where l.kind = 'sign_in' and l.digest = ${digest} and l.used_at is null and l.revoked_at is null
        and l.expires_at > ${at} and p.id = l.person_id and p.password is null
        and not has_second_factor(p.id)
      returning l.person_id
    )
    select link.person_id, record_audit(null, ${log}) from link`)
}

/** Removes links that ended long ago, a bounded number at a time. */
export function pruneLinks(db: Db, before: Date, limit: number) {
  return db.run(sql`
    delete from one_time_link where id in (
      select id from one_time_link where expires_at < ${before} order by expires_at limit ${limit})`)
}
