// SQL of the doctor. It reads and never writes.
import type { Db } from '../db/pool.ts'
import { sql } from '../db/sql.ts'

export function readServer(db: Db) {
  return db.find<{ version: number; now: Date; has_schema: boolean }>(sql`
    select current_setting('server_version_num')::int as version, clock_timestamp() as now,
           to_regclass('schema_file') is not null and to_regclass('installation') is not null as has_schema`)
}

export function listSchemaFiles(db: Db) {
  return db.many<{ name: string; checksum: string }>(sql`select name, checksum from schema_file order by name`)
}
