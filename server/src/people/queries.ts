// All SQL on people and their memberships. A change and its line in the audit log are one statement.
import type { AuditRecord } from '../access/audit.ts'
import type { Role } from '../access/permissions.ts'
import type { Right } from '../access/right.ts'
import type { Db } from '../db/pool.ts'
import { sql } from '../db/sql.ts'

export interface PersonRow {
  id: string
  email: string
  name: string
  password: string | null
  /** Grows with every change of what opens the account. */
  credentials_version: number
  created_at: Date
}

export function findPersonByEmail(db: Db, email: string) {
  return db.find<PersonRow>(sql`
    select id, email, name, password, credentials_version, created_at from person where email = ${email}`)
}

export function findPerson(db: Db, id: string) {
  return db.find<PersonRow>(sql`
    select id, email, name, password, credentials_version, created_at from person where id = ${id}`)
}

/** Does nothing when somebody has the address already. */
export function insertFirstPerson(
  db: Db,
  person: { id: string; email: string; name: string; createdAt: Date },
  membership: { companyId: string | null; role: Role },
  log: AuditRecord,
) {
  return db.find<{ id: string }>(sql`
    with made as (
      insert into person (id, email, name, created_at)
      values (${person.id}, ${person.email}, ${person.name}, ${person.createdAt})
      on conflict (email) do nothing returning id
    ), joined as (
      insert into membership (company_id, person_id, role, created_at)
      select ${membership.companyId}::uuid, made.id, ${membership.role}, ${person.createdAt} from made
    )
    select made.id, record_audit(${membership.companyId}, ${log}) from made`)
}

/** Returns nothing when the right has ended. Throws a unique violation when another person has the address. */
export function updatePerson(
  db: Db,
  id: string,
  change: { name: string | null; email: string | null },
  right: Right,
  log: AuditRecord,
) {
  return db.find<{ id: string }>(sql`
    with changed as (
      update person set name = coalesce(${change.name}, name), email = coalesce(${change.email}, email)
      where id = ${id} and hold_right(${right}, '{}')
      returning id
    )
    select changed.id, record_audit(null, ${log}) from changed`)
}

/**
 * Sets the password if it is still the one that was checked, and ends every session and every open link of the person. The version
 * is null when nothing was changed, also because the right has ended.
 */
export function changePassword(
  db: Db,
  id: string,
  change: { from: string | null; to: string; at: Date },
  right: Right,
  log: AuditRecord,
) {
  return db.find<{ version: number | null }>(sql`
    select case when hold_right(${right}, array[${id}]::uuid[])
                then change_password(${id}, ${change.from}, ${change.to}, ${change.at}, ${log}) end as version`)
}

/** For what people change through a company's routes; every other change writes its line itself. */
export function insertAudit(db: Db, companyId: string, log: AuditRecord) {
  return db.find(sql`select record_audit(${companyId}, ${log})`)
}

/** Returns nothing when the right has ended. */
export function setTimeZone(db: Db, personId: string, timeZone: string | null, right: Right, log: AuditRecord) {
  return db.find<{ id: string }>(sql`
    with changed as (
      update person set time_zone = ${timeZone} where id = ${personId} and hold_right(${right}, '{}')
      returning id
    )
    select changed.id, record_audit(null, ${log}) from changed`)
}
