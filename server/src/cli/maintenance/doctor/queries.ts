// SQL of the doctor. It reads and never writes.
import type { Db } from '../../../db/pool.ts'
import { sql } from '../../../db/sql.ts'

export function readServer(db: Db) {
  return db.find<{ version: number; now: Date; has_schema: boolean }>(sql`
    select current_setting('server_version_num')::int as version, clock_timestamp() as now,
           to_regclass('schema_file') is not null and to_regclass('installation') is not null as has_schema`)
}

export function listSchemaFiles(db: Db) {
  return db.many<{ name: string; checksum: string }>(sql`select name, checksum from schema_file order by name`)
}

/** `node` is null for this session, and names a worker of Citus otherwise. */
export function listJitSettings(db: Db) {
  return db.many<{ node: string | null; value: string }>(sql`select node, value from list_jit_settings()`)
}

/** Returns the schemas of the search path in which every role may create functions, which our statements might call. */
export function listOpenSchemas(db: Db) {
  return db.many<{ name: string }>(sql`
    select quote_ident(n.nspname) as name from pg_namespace n
    where n.nspname = any (current_schemas(false))
      and exists (select from aclexplode(n.nspacl) a where a.grantee = 0 and a.privilege_type = 'CREATE')
    order by 1`)
}
