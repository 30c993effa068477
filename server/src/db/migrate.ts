// Brings a database to this version's schema: numbered forward-only migrations once each, function files whenever
// their text changed. Several starters at once are fine; a schema newer than the program is refused.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { CONNECT_TIMEOUT_MS, type Connection } from './pool.ts'

export class MigrationError extends Error {
  override name = 'MigrationError'
}

interface SqlFile {
  readonly name: string
  readonly text: string
  readonly checksum: string
}

/** Any constant: it only has to differ from other programs' advisory locks on the same database. */
const MIGRATION_LOCK = 7_215_044_113n
const OLDEST_SERVER = 150_000
const SQL_FOLDER = fileURLToPath(new URL('../../sql', import.meta.url))

export function readSqlFiles(folder: 'migrations' | 'functions'): SqlFile[] {
  const entries = readdirSync(join(SQL_FOLDER, folder), { recursive: true, encoding: 'utf8' })
  const names = entries.filter((name) => name.endsWith('.sql')).map((name) => name.replaceAll(sep, '/'))
  return names.toSorted().map((name) => {
    const text = readFileSync(join(SQL_FOLDER, folder, name), 'utf8')
    return { name: `${folder}/${name}`, text, checksum: createHash('sha256').update(text).digest('hex') }
  })
}

/** Returns the names of the files that were applied. */
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
    return await applyPending(client)
  } finally {
    // Ending the session also releases the lock.
    await client.end()
  }
}

async function requireServerVersion(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ version: string }>(`select current_setting('server_version_num') as version`)
  if (Number(rows[0]?.version) < OLDEST_SERVER) {
    throw new MigrationError('This PostgreSQL is older than version 15. Upgrade it, or leave DATABASE_URL unset.')
  }
}

async function applyPending(client: pg.Client): Promise<string[]> {
  await client.query(`create table if not exists schema_file (
    name text primary key, checksum text not null, applied_at timestamptz not null default now())`)
  const { rows } = await client.query<{ name: string; checksum: string }>('select name, checksum from schema_file')
  const applied = new Map(rows.map((row) => [row.name, row.checksum]))
  const migrations = readSqlFiles('migrations')
  requireKnownSchema(applied, migrations)
  const pending = [
    ...migrations.filter((file) => !applied.has(file.name)),
    ...readSqlFiles('functions').filter((file) => applied.get(file.name) !== file.checksum),
  ]
  for (const file of pending) await apply(client, file)
  return pending.map((file) => file.name)
}

function requireKnownSchema(applied: ReadonlyMap<string, string>, migrations: readonly SqlFile[]): void {
  const known = new Set(migrations.map((file) => file.name))
  const newer = [...applied.keys()].filter((name) => name.startsWith('migrations/') && !known.has(name))
  if (newer.length > 0) {
    throw new MigrationError(`The database is newer than this program (${newer.join(', ')}). Start the newer version.`)
  }
  const changed = migrations.filter((file) => (applied.get(file.name) ?? file.checksum) !== file.checksum)
  if (changed.length > 0) {
    const names = changed.map((file) => file.name).join(', ')
    throw new MigrationError(`${names} changed after it was applied. Restore the file and add a new migration instead.`)
  }
}

async function apply(client: pg.Client, file: SqlFile): Promise<void> {
  await client.query('begin')
  try {
    // Functions may call functions whose files come later.
    await client.query('set local check_function_bodies = off')
    await client.query(file.text)
    await client.query(
      `insert into schema_file (name, checksum) values ($1, $2)
       on conflict (name) do update set checksum = excluded.checksum, applied_at = now()`,
      [file.name, file.checksum],
    )
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw new MigrationError(`${file.name} failed: ${error instanceof Error ? error.message : String(error)}`)
  }
}
