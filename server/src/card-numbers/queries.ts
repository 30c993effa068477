// All SQL of the pages with card numbers.
import type { AuditRecord } from '../access/audit.ts'
import type { Db } from '../db/pool.ts'
import { sql } from '../db/sql.ts'
import type { Scope } from '../lib/scope.ts'

export function insertRecord(db: Db, scope: Scope, record: AuditRecord) {
  return db.run(sql`select record_audit(${scope.companyId}, ${record})`)
}
