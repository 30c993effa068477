// All SQL on people and their memberships. A change and its line in the audit log are one statement.
import type { AuditRecord } from '../access/audit.ts'
import type { Role } from '../access/permissions.ts'
import type { Db } from '../db/pool.ts'
import { sql } from '../db/sql.ts'

export interface PersonRow {
  id: string
  email: string
  name: string
  password: string | null
  created_at: Date
}

export function findPersonByEmail(db: Db, email: string) {
  return db.find<PersonRow>(sql`select id, email, name, password, created_at from person where email = ${email}`)
}

export function findPerson(db: Db, id: string) {
  return db.find<PersonRow>(sql`select id, email, name, password, created_at from person where id = ${id}`)
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

/**
 * Throws a unique violation when another person has the address. Returns nothing when the address is to change and the password is
 * no longer `from`: what was proved with it does not count any more.
 */
export function updatePerson(
  db: Db,
  id: string,
  change: { name: string | null; email: string | null; from: string | null },
  log: AuditRecord,
) {
  return db.find<{ id: string }>(sql`
    with changed as (
      update person set name = coalesce(${change.name}, name), email = coalesce(${change.email}, email)
      where id = ${id} and (${change.email}::text is null or password is not distinct from ${change.from})
      returning id
    )
    select changed.id, record_audit(null, ${log}) from changed`)
}

/** Sets the password if it is still the one that was checked, and ends every session of the person. */
export function updatePassword(
  db: Db,
  id: string,
  change: { from: string | null; to: string; at: Date },
  log: AuditRecord,
) {
  return db.find<{ id: string }>(sql`
    with changed as (
      update person set password = ${change.to} where id = ${id} and password is not distinct from ${change.from}
      returning id
    ), ended as (
      update person_session s set ended_at = ${change.at} from changed
      where s.person_id = changed.id and s.ended_at is null
    )
    select changed.id, record_audit(null, ${log}) from changed`)
}

/** For what people change through a company's routes; every other change writes its line itself. */
export function insertAudit(db: Db, companyId: string, log: AuditRecord) {
  return db.find(sql`select record_audit(${companyId}, ${log})`)
}
