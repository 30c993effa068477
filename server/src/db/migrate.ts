// Migrates a database to this version's schema in one transaction: the pending migrations, each once and in order, and all
// functions if anything changed. Several processes may call it at the same time; one of them does the work. It refuses a
// schema that is newer than the program, and never changes a schema partly.
import pg from 'pg'
import { replaceFunctions } from './functions.ts'
import { MigrationError } from './migration-error.ts'
import { CONNECT_TIMEOUT_MS, type Connection } from './pool.ts'
import { type AppliedFile, compareSchema, readSqlFiles, type SchemaState, type SqlFile } from './sql-files.ts'

/** Any constant: it only has to differ from other programs' advisory locks on the same database. */
const MIGRATION_LOCK = 7_215_044_113n
const OLDEST_SERVER = 150_000

/** Returns the names of the files whose text was applied. */
export async function migrate(connection: Connection): Promise<string[]> {
  const client = new pg.Client({
    ...connection,
    application_name: 'cardstock migrate',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  })
  await client.connect()
  try {
    await requireServerVersion(client)
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
    await client.query('begin')
    const applied = await applyPending(client)
    await client.query('commit')
    return applied
  } finally {
    // Ending the session also releases the lock, and rolls back what was not committed.
    await client.end()
  }
}

async function requireServerVersion(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ version: string }>(`select current_setting('server_version_num') as version`)
  if (Number(rows[0]?.version) < OLDEST_SERVER) {
    throw new MigrationError('This PostgreSQL is older than version 15. Upgrade it, or leave DATABASE_URL unset.')
  }
}

/**
 * Functions are dropped before the migrations run, so that a migration may change the types that they take, and created
 * after them. A migration therefore cannot call a function of `sql/functions`.
 */
async function applyPending(client: pg.Client): Promise<string[]> {
  await client.query(`create table if not exists schema_file (
    name text primary key, checksum text not null, applied_at timestamptz not null default now())`)
  const { rows } = await client.query<AppliedFile>('select name, checksum from schema_file')
  const state = compareSchema(rows)
  requireKnownSchema(state)
  const pending = [...state.pendingMigrations, ...state.pendingFunctions]
  if (pending.length === 0 && state.removedFunctions.length === 0) return []

  const applied = rows.map((row) => row.name)
  await replaceFunctions(client, applied, readSqlFiles('functions'), async () => {
    for (const file of state.pendingMigrations) await applyMigration(client, file)
  })
  await client.query('delete from schema_file where name = any ($1)', [state.removedFunctions])
  await client.query(
    `insert into schema_file (name, checksum) select * from unnest($1::text[], $2::text[])
     on conflict (name) do update set checksum = excluded.checksum, applied_at = now()`,
    [pending.map((file) => file.name), pending.map((file) => file.checksum)],
  )
  return pending.map((file) => file.name)
}

function requireKnownSchema({ newer, changed }: SchemaState): void {
  if (newer.length > 0) {
    throw new MigrationError(`The database is newer than this program (${newer.join(', ')}). Start the newer version.`)
  }
  if (changed.length > 0) {
    throw new MigrationError(
      `${changed.join(', ')} changed after it was applied. Restore the file and add a new migration instead.`,
    )
  }
}

async function applyMigration(client: pg.Client, file: SqlFile): Promise<void> {
  try {
    await client.query(file.text)
  } catch (error) {
    throw new MigrationError(`${file.name} failed: ${error instanceof Error ? error.message : String(error)}`)
  }
}
