// All SQL on who belongs to a company or to the programme. A change and its line in the audit log are one statement.
import type { AuditRecord } from '../../access/audit.ts'
import type { Role } from '../../access/permissions.ts'
import type { Right } from '../../access/right.ts'
import type { Db } from '../../db/pool.ts'
import { sql } from '../../db/sql.ts'
import type { Slice } from '../../lib/slice.ts'

export interface MemberRow {
  id: string
  name: string
  email: string
  role: Role
  has_second_factor: boolean
  created_at: Date
  last_seen_at: Date | null
}

/** `companyId` is null for the programme. */
export function listMembers(db: Db, companyId: string | null, slice: Slice) {
  return db.many<MemberRow>(sql`
    select p.id, p.name, p.email, m.role, m.created_at,
           has_second_factor(p.id),
           (select max(s.last_seen_at) from person_session s where s.person_id = p.id) as last_seen_at
    from membership m join person p on p.id = m.person_id
    where m.company_id is not distinct from ${companyId} and p.id < ${slice.after}
    order by p.id desc limit ${slice.limit}`)
}

export function findMember(db: Db, companyId: string | null, personId: string) {
  return db.find<MemberRow>(sql`
    select p.id, p.name, p.email, m.role, m.created_at,
           has_second_factor(p.id),
           (select max(s.last_seen_at) from person_session s where s.person_id = p.id) as last_seen_at
    from membership m join person p on p.id = m.person_id
    where m.company_id is not distinct from ${companyId} and p.id = ${personId}`)
}

export type MembershipOutcome = 'changed' | 'not_found' | 'last_owner'

/** A role of null removes the person. The outcome is null when the right has ended. */
export function changeMembership(
  db: Db,
  member: { companyId: string | null; personId: string; role: Role | null },
  right: Right,
  log: AuditRecord,
) {
  return db.find<{ outcome: MembershipOutcome | null }>(sql`
    select case when hold_right(${right}, array[${member.personId}]::uuid[])
                then change_membership(${member.companyId}, ${member.personId}, ${member.role}, ${log}) end as outcome`)
}
