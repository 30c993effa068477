// Migrates a database to this version's schema in one transaction: the pending migrations, each once and in order, and all
// functions if anything changed. Several processes may call it at the same time; one of them does the work. It refuses a
// schema that is newer than the program or older than the last pre-release, and never changes a schema partly.
import pg from 'pg'
import {
  delegateFunctions,
  distributeTables,
  isDistributed,
  requireCitus,
  toBlock,
  useOneConnection,
} from './citus/distribute.ts'
import { listCitusFunctions } from './citus/functions.ts'
import { replaceFunctions } from './functions.ts'
import { MigrationError } from './migration-error.ts'
import { CONNECT_TIMEOUT_MS, type Connection, KEEP_ALIVE_DELAY_MS } from './pool.ts'
import { adoptPreRelease, findPreRelease } from './pre-release.ts'
import { storeForRole } from './session-settings.ts'
import {
  type AppliedFile,
  compareSchema,
  readBaseline,
  readSchemaFiles,
  readSqlFiles,
  type SchemaFiles,
  type SchemaState,
  type SqlFile,
} from './sql-files.ts'
import { isLockTimeout } from './unavailable.ts'

/** Any constant: it only has to differ from other programs' advisory locks on the same database. */
export const MIGRATION_LOCK = 7_215_044_113n
const OLDEST_SERVER = 150_000
const INSUFFICIENT_PRIVILEGE = '42501'
/** No schema of the search path exists. */
const NO_SCHEMA = '3F000'

const APPLICATION_NAME = 'cardstock migrate'
/** A migration that rewrites a large table takes minutes, and other processes that start meanwhile wait for it. */
const OTHER_MIGRATION_MS = 600_000
/** Statements of running servers queue behind one that waits for a table. It gives up before they do, after 15 s. */
const TABLE_LOCK_MS = 10_000

export interface MigrateOptions {
  /** How long to wait while another process migrates. */
  otherMigrationMs?: number
  /** How long to wait for a table that another session uses. */
  tableLockMs?: number
  /** Whether to distribute the schema with Citus. A schema that is distributed stays so, also without this. */
  citus?: boolean
  /** The files of another version than this one, for tests. */
  files?: SchemaFiles
}

/** Returns the names of the files that were applied. Of a database of the last pre-release, these include the baseline. */
export async function migrate(connection: Connection, options: MigrateOptions = {}): Promise<string[]> {
  const { otherMigrationMs = OTHER_MIGRATION_MS, tableLockMs = TABLE_LOCK_MS, citus = false } = options
  const { files = readSchemaFiles() } = options
  const { isPooled = false, ...address } = connection
  const client = new pg.Client({
    ...address,
    application_name: APPLICATION_NAME,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    // A migration may take minutes, so its statements have no limit of time; this notices a database that is gone.
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
  })
  // A connection that breaks meanwhile shows in the query; without a listener it would end the process.
  client.on('error', () => undefined)
  await client.connect()
  try {
    await requireServerVersion(client)
    // Everything is set and locked for the transaction only: behind a pooler the session goes to other clients later.
    await client.query('begin')
    await client.query('set local statement_timeout = 0')
    await withLockTimeout(client, otherMigrationMs, OTHER_MIGRATION, async () => {
      await client.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK])
    })
    return await withLockTimeout(client, tableLockMs, TABLE_IN_USE, async () => {
      const applied = await applyPending(client, citus, files)
      if (isPooled) await storeForRole(client)
      await client.query('commit')
      return applied
    })
  } finally {
    // Ending the connection also releases the lock, and rolls back what was not committed.
    await client.end()
  }
}

const OTHER_MIGRATION = `Another process is still migrating this database. Wait until it has finished and try again. If none runs any more, end the database session with the application name "${APPLICATION_NAME}".`
const TABLE_IN_USE =
  'Another session uses a table that this version changes, so nothing was changed. Stop all servers and whatever else reads this database, such as a backup or a report, and try again.'

/** Runs `use`. A statement of it that waits for a lock for longer than this fails with the message. */
async function withLockTimeout<Result>(
  client: pg.Client,
  ms: number,
  message: string,
  use: () => Promise<Result>,
): Promise<Result> {
  await client.query(`select set_config('lock_timeout', $1, true)`, [String(ms)])
  try {
    return await use()
  } catch (error) {
    if (isLockTimeout(error)) throw new MigrationError(message)
    throw error
  }
}

async function requireServerVersion(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ version: string }>(`select current_setting('server_version_num') as version`)
  if (Number(rows[0]?.version) < OLDEST_SERVER) {
    throw new MigrationError('This PostgreSQL is older than version 15. Upgrade it, or leave DATABASE_URL unset.')
  }
}

/**
 * Functions are replaced after the migrations, in place where that is possible, so that processes of the previous version can go
 * on. A migration therefore cannot call a function of `sql/functions`: it would get the former text.
 */
async function applyPending(client: pg.Client, wantsCitus: boolean, files: SchemaFiles): Promise<string[]> {
  if (wantsCitus) await requireCitus(client)
  const wasDistributed = await isDistributed(client)
  const onCitus = wantsCitus || wasDistributed
  if (onCitus) await useOneConnection(client)
  await createFileList(client)
  const adopted = await adoptDatabase(client)
  const rows = await listApplied(client)
  const state = compareSchema(rows, files)
  requireKnownSchema(state)
  // Functions get another text on Citus, and the workers get them only after the tables.
  const isNew = onCitus && !wasDistributed
  const checksums = new Map(rows.map((row) => [row.name, row.checksum]))
  const pendingCitus = onCitus ? readSqlFiles('citus').filter((file) => checksums.get(file.name) !== file.checksum) : []
  const pendingFunctions = isNew ? files.functions : state.pendingFunctions
  const pending = [...state.pendingMigrations, ...pendingFunctions, ...pendingCitus]
  if (pending.length === 0 && state.removedFunctions.length === 0) return adopted

  await replaceFunctions(client, {
    applied: rows.map((row) => row.name),
    files: onCitus ? listCitusFunctions(files.functions) : files.functions,
    inPlace: !isNew,
    async migrateTables() {
      for (const file of state.pendingMigrations) {
        await applyMigration(client, wasDistributed ? { ...file, text: toBlock(file.text) } : file)
      }
      if (onCitus) await distributeTables(client)
    },
  })
  if (onCitus) await delegateFunctions(client)
  await client.query('delete from schema_file where name = any ($1)', [state.removedFunctions])
  await recordFiles(client, pending)
  return [...adopted, ...pending.map((file) => file.name)]
}

async function listApplied(client: pg.Client): Promise<AppliedFile[]> {
  const { rows } = await client.query<AppliedFile>('select name, checksum from schema_file')
  return rows
}

/** Records the baseline for a database of the last pre-release, and refuses those of older ones. */
async function adoptDatabase(client: pg.Client): Promise<string[]> {
  const found = findPreRelease(await listApplied(client))
  if (found === undefined) return []
  await adoptPreRelease(client, found)
  const baseline = readBaseline()
  await recordFiles(client, baseline)
  return baseline.map((file) => file.name)
}

async function recordFiles(client: pg.Client, files: readonly SqlFile[]): Promise<void> {
  await client.query(
    `insert into schema_file (name, checksum) select * from unnest($1::text[], $2::text[])
     on conflict (name) do update set checksum = excluded.checksum, applied_at = now()`,
    [files.map((file) => file.name), files.map((file) => file.checksum)],
  )
}

/**
 * Makes the tables of an empty database as these migrations left them, in the caller's transaction. A restore fills them, and
 * `migrate` then applies the migrations and the functions that are missing.
 */
export async function applyMigrations(client: pg.Client, names: readonly string[]): Promise<void> {
  const files = readSqlFiles('migrations').filter((file) => names.includes(file.name))
  await createFileList(client)
  for (const file of files) await applyMigration(client, file)
  await recordFiles(client, files)
}

/** The first statement that needs a right, so its refusal explains which. Nothing in a migration needs more. */
async function createFileList(client: pg.Client): Promise<void> {
  try {
    await client.query(`create table if not exists schema_file (
      name text primary key, checksum text not null, applied_at timestamptz not null default now())`)
  } catch (error) {
    const code = error instanceof pg.DatabaseError ? error.code : undefined
    if (code !== INSUFFICIENT_PRIVILEGE && code !== NO_SCHEMA) throw error
    throw new MigrationError(
      `The role in DATABASE_URL may not create tables (${error instanceof Error ? error.message : ''}). Let it own the database or a schema: create schema cardstock authorization ROLE; alter role ROLE set search_path = cardstock.`,
    )
  }
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
    if (isLockTimeout(error)) throw error
    throw new MigrationError(`${file.name} failed: ${error instanceof Error ? error.message : String(error)}`)
  }
}
