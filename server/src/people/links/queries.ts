// All SQL on one-time links. A change and its line in the audit log are one statement.
import type { AuditRecord } from '../../access/audit.ts'
import type { Role } from '../../access/permissions.ts'
import type { Right } from '../../access/right.ts'
import type { Db } from '../../db/pool.ts'
import { fragment, sql } from '../../db/sql.ts'
import type { Slice } from '../../lib/slice.ts'
import type { LinkMail } from '../../mail/links.ts'

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
  /** What became of the mail with the link. Null when none was queued, or long ago. */
  mail_status: MailStatus | null
}

export type MailStatus = 'waiting' | 'sent' | 'failed' | 'cancelled'

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

export type InvitationOutcome = 'created' | 'not_allowed' | 'already_member' | 'limit'

export function createInvitation(
  db: Db,
  link: NewLink,
  invitation: { email: string; companyId: string | null; role: Role; openMax: number },
  right: Right,
  log: AuditRecord,
  mail: LinkMail | null,
) {
  return db.find<{ outcome: InvitationOutcome; is_mailed: boolean | null }>(sql`
    with made as materialized (
      select create_invitation(
        ${right}, ${link.id}, ${link.digest}, ${invitation.email}, ${invitation.companyId}, ${invitation.role}, ${invitation.openMax},
        ${link.createdBy}, ${link.createdAt}, ${link.expiresAt}, ${log}) as outcome
    )
    select made.outcome, case when made.outcome = 'created' then queue_link_mail(${link.id}, ${mail}, ${link.createdAt}) end as is_mailed
    from made`)
}

const INVITATION_COLUMNS = fragment`l.id, l.email, l.company_id, l.role, l.created_by, l.created_at, l.expires_at, l.used_at, l.revoked_at, m.status as mail_status`

export function listInvitations(db: Db, companyId: string | null, slice: Slice) {
  return db.many<InvitationRow>(sql`
    select ${INVITATION_COLUMNS} from one_time_link l left join outgoing_mail m on m.id = l.id
    where l.kind = 'invitation' and l.company_id is not distinct from ${companyId} and l.id < ${slice.after}
    order by l.id desc limit ${slice.limit}`)
}

export function findInvitation(db: Db, id: string) {
  return db.find<InvitationRow>(sql`
    select ${INVITATION_COLUMNS} from one_time_link l left join outgoing_mail m on m.id = l.id
    where l.kind = 'invitation' and l.id = ${id}`)
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

/** Only a link that can still be used. A link that was made for a company works while the person belongs to it alone. */
export function findLink(db: Db, digest: Buffer, now: Date) {
  return db.find<LinkRow>(sql`
    select l.kind, l.email, l.company_id, c.name as company_name, l.role, l.person_id, p.name, l.expires_at
    from one_time_link l
    left join company c on c.id = l.company_id and l.kind = 'invitation'
    left join person p on p.id = l.person_id
    where l.digest = ${digest} and l.used_at is null and l.revoked_at is null and l.expires_at > ${now}
      and (l.kind = 'invitation' or is_within_reach(l.person_id, l.company_id))`)
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
 * For somebody who has an account. The address of the invitation must be theirs. Links for their account end, because whoever has one
 * could now act in the other place too. Null when the right has ended.
 */
export function joinByInvitation(
  db: Db,
  digest: Buffer,
  person: { id: string; at: Date },
  right: Right,
  log: AuditRecord,
) {
  return db.find<{ is_joined: boolean | null }>(sql`
    select case when hold_right(${right}, array[${person.id}]::uuid[])
                then join_by_invitation(${digest}, ${person.id}, ${person.at}, ${log}) end as is_joined`)
}

export type PersonLinkOutcome = 'created' | 'not_allowed' | 'not_found' | 'out_of_reach'

/** `companyId` is the company that the link is made for; null when an operator or the program makes it. */
export function createPersonLink(
  db: Db,
  link: NewLink,
  about: { kind: 'reset' | 'sign_in'; personId: string; companyId: string | null; removesSecondFactor: boolean },
  right: Right,
  log: AuditRecord,
  mail: LinkMail | null,
) {
  return db.find<{ outcome: PersonLinkOutcome; is_mailed: boolean | null }>(sql`
    with made as materialized (
      select create_person_link(
        ${right}, ${link.id}, ${about.kind}, ${link.digest}, ${about.personId}, ${about.companyId}, ${about.removesSecondFactor},
        ${link.createdBy}, ${link.createdAt}, ${link.expiresAt}, ${log}) as outcome
    )
    select made.outcome, case when made.outcome = 'created' then queue_link_mail(${link.id}, ${mail}, ${link.createdAt}) end as is_mailed
    from made`)
}

/** Whose account a link has opened. All null when the link cannot be used any more. */
interface OpenedRow {
  person_id: string | null
  name: string
  email: string
  credentials_version: number
}

/** Sets a new password, ends every session and other link of the person, and uses the link up. */
export function resetPassword(db: Db, digest: Buffer, change: { password: string; at: Date }, log: AuditRecord) {
  return db.find<OpenedRow & { has_second_factor: boolean }>(sql`
    select person_id, name, email, credentials_version, has_second_factor
    from reset_password(${digest}, ${change.password}, ${change.at}, ${log})`)
}

/** Only for somebody who has neither a password nor a second factor: the link must not stand in for them. */
export function useSignInLink(db: Db, digest: Buffer, at: Date, log: AuditRecord) {
  return db.find<OpenedRow>(sql`
    select person_id, name, email, credentials_version from use_sign_in_link(${digest}, ${at}, ${log})`)
}

/** Removes links that ended long ago, a bounded number at a time. */
export function pruneLinks(db: Db, before: Date, limit: number) {
  return db.run(sql`
    delete from one_time_link where id in (
      select id from one_time_link where expires_at < ${before} order by expires_at limit ${limit})`)
}
