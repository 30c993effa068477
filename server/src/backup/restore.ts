// Restores a backup into an empty database: reads the whole backup once to see that it is complete and can be used, fills the
// tables in one transaction, ends every session and one-time link, cancels the mails that waited, brings the schema to this version, and audits the ledger. If anything fails before that transaction has ended,
// the database is as empty as it was.
import type pg from 'pg'
import { auditRecord, programActor } from '../access/audit.ts'
import type { Config } from '../config/config.ts'
import { copyIn } from '../db/copy.ts'
import { applyMigrations, migrate } from '../db/migrate.ts'
import { type Connection, createPool } from '../db/pool.ts'
import { findPreReleaseByNames } from '../db/pre-release.ts'
import { readBaseline, readSqlFiles } from '../db/sql-files.ts'
import { type Audit, auditLedger } from '../ledger/audit.ts'
import type { Clock } from '../lib/clock.ts'
import { CHALLENGE_LIFETIME_MS } from '../people/passkeys/challenges.ts'
import { findGivenKeys, secretKeyPath } from '../setup/key-files.ts'
import { orderKeys } from '../setup/secret-key.ts'
import { readBackup } from './file.ts'
import { withClient } from './client.ts'
import { BackupError } from './error.ts'
import { createProgress, type Progress } from './progress.ts'
import * as queries from './queries.ts'
import { type BackupRecord, type Manifest, parseRecord, type TableStart } from './records.ts'
import { listOwnTables, listTables } from './tables.ts'

export interface RestoreOptions {
  path: string
  identities: readonly string[]
  config: Pick<Config, 'dataDir' | 'secrets'>
  clock: Clock
  /** Receives the progress, for people. */
  note(text: string): void
}

export interface RestoreSummary {
  readonly createdAt: string
  readonly tables: number
  readonly rows: number
  /** Sessions and one-time links that the backup had open. They have ended. */
  readonly ended: queries.EndedAccess
  /** Keys and operator tokens that work now, also those that were revoked after the backup. */
  readonly valid: queries.ValidKeys
  /** The migrations and functions of this version that the backup did not have. */
  readonly migrated: number
  readonly audit: Audit
}

/** An account of ten million entries is read and hashed within this. */
const AUDIT_TIMEOUT_MS = 600_000

interface Verified {
  readonly manifest: Manifest
  readonly bytes: number
}

/** Reads the whole backup and changes nothing. Throws if it is damaged, or if this program or this machine cannot use it. */
export async function verifyBackup({ path, identities, config, note }: RestoreOptions): Promise<Verified> {
  note('Reading the whole backup …')
  let manifest: Manifest | undefined
  let last: BackupRecord | undefined
  let bytes = 0
  for await (const record of readBackup(path, identities)) {
    if (manifest === undefined) {
      if (record.type !== 'M') throw new BackupError('The backup does not begin with its manifest.')
      manifest = parseRecord(record) as Manifest
      requireUsable(manifest, config)
    }
    if (record.type === 'T') requireOwnTable(parseRecord(record) as TableStart)
    bytes += record.bytes.length
    last = record
  }
  if (manifest === undefined || last?.type !== 'Z') throw new BackupError('The backup does not have its end.')
  return { manifest, bytes }
}

function requireUsable(manifest: Manifest, config: RestoreOptions['config']): void {
  const known = new Set(readSqlFiles('migrations').map((file) => file.name))
  const newer = listMigrations(manifest).filter((name) => !known.has(name))
  if (newer.length > 0) {
    throw new BackupError(
      `The backup was made by Cardstock ${manifest.version}, which is newer than this program (${newer.join(', ')}). Use that version. Nothing was changed.`,
    )
  }
  if (manifest.secretKeyCheck === null) return
  if (orderKeys(findGivenKeys(config), Buffer.from(manifest.secretKeyCheck, 'hex')) !== undefined) return
  throw new BackupError(
    `The secret key of this backup is not here, and it is not in the backup. Put it into ${secretKeyPath(config)} with mode 600, or set SECRET_KEY. Nothing was changed.`,
  )
}

/** Returns the migrations that make the tables of the backup. The last pre-release had the tables of the baseline. */
function listMigrations({ version, migrations }: Manifest): readonly string[] {
  const preRelease = findPreReleaseByNames(migrations)
  if (preRelease === undefined) return migrations
  if (preRelease === 'last') return readBaseline().map((file) => file.name)
  throw new BackupError(
    `The backup was made by a pre-release (${version}) that is not the last one before 1.0. Restore it with the version that made it, start the last version before 1.0, which migrates the database, and make a new backup. Nothing was changed.`,
  )
}

function requireOwnTable({ name }: TableStart): void {
  if (!listOwnTables().has(name))
    throw new BackupError(`The backup has a table ${name} that this version does not know.`)
}

export async function restore(
  connection: Connection,
  { manifest, bytes }: Verified,
  options: RestoreOptions,
): Promise<RestoreSummary> {
  const filled = await withClient(connection, async (client) => {
    await queries.begin(client)
    await requireEmpty(client)
    await applyMigrations(client, listMigrations(manifest))
    const names = (await listTables(client)).map(({ name }) => name)
    await queries.emptyTables(client, names)
    const counts = await fillTables(client, options, createProgress(options, { verb: 'Restored', size: bytes }))
    const at = options.clock.now()
    const challengesUntil = new Date(at.getTime() + CHALLENGE_LIFETIME_MS)
    const ended = await queries.endAccess(client, { at, challengesUntil })
    // A backup of an older version does not have the table.
    if (names.includes('outgoing_mail')) await queries.cancelMails(client)
    const valid = await queries.countValidKeys(client, at)
    await queries.enableTriggers(client, names)
    await queries.commit(client)
    return { ...counts, ended, valid }
  })
  options.note('Bringing the schema to this version …')
  const migrated = (await migrate(connection)).length
  const details = { backupOf: manifest.createdAt, ...filled.ended }
  const line = auditRecord(options.clock, programActor('restore'), { action: 'backup.restored', details })
  await withClient(connection, (client) => queries.recordRestore(client, line))
  options.note('Auditing the ledger …')
  const db = createPool(connection, { size: 1, statementTimeoutMs: AUDIT_TIMEOUT_MS, onError: () => undefined })
  try {
    return { createdAt: manifest.createdAt, ...filled, migrated, audit: await auditLedger(db) }
  } finally {
    await db.close()
  }
}

async function requireEmpty(client: pg.Client): Promise<void> {
  const name = await queries.findAnyTable(client)
  if (name === undefined) return
  throw new BackupError(
    `The database is not empty: it has ${name}. Restore into a new database (or another DATA_DIR). Nothing was changed.`,
  )
}

async function fillTables(
  client: pg.Client,
  { path, identities }: RestoreOptions,
  progress: Progress,
): Promise<{ tables: number; rows: number }> {
  const counts = { tables: 0, rows: 0 }
  const records = readBackup(path, identities)
  for (let step = await records.next(); step.done !== true; step = await records.next()) {
    if (step.value.type !== 'T') continue
    const start = parseRecord(step.value) as TableStart
    const { name } = start
    const table: { end?: BackupRecord } = {}
    const rows = await copyIn(
      client,
      queries.copyFromStatement(start),
      rowsOf(records, table, (bytes) => progress.add(name, bytes)),
    )
    const expected = table.end === undefined ? undefined : (parseRecord(table.end) as { rows: number }).rows
    if (rows !== expected) throw new BackupError(`The table ${name} has ${rows} rows instead of ${expected}.`)
    counts.tables += 1
    counts.rows += rows
  }
  return counts
}

/** Yields the rows up to the end of the table, which it keeps. */
async function* rowsOf(
  records: AsyncGenerator<BackupRecord>,
  table: { end?: BackupRecord },
  onBytes: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  for (let step = await records.next(); step.done !== true; step = await records.next()) {
    if (step.value.type !== 'D') {
      table.end = step.value
      return
    }
    onBytes(step.value.bytes.length)
    yield step.value.bytes
  }
}
