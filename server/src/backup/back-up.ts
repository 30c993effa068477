// Makes a backup: reads all tables as they were at one moment, while servers go on working, and writes them into a backup.
// Nothing is kept in memory, and nothing in the database is changed.
import type pg from 'pg'
import { isDistributed } from '../db/citus/distribute.ts'
import { copyOut } from '../db/copy.ts'
import type { Connection } from '../db/pool.ts'
import { findPreReleaseByNames } from '../db/pre-release.ts'
import type { Clock } from '../lib/clock.ts'
import { writeBackup } from './file.ts'
import { withClient } from './client.ts'
import { BackupError } from './error.ts'
import { createProgress, type Progress } from './progress.ts'
import * as queries from './queries.ts'
import { type Manifest, writeRecord, writeRows } from './records.ts'
import { listTables, NOT_IN_BACKUP } from './tables.ts'

export interface BackupOptions {
  connection: Connection
  path: string
  /** Whose identities can decrypt the backup. */
  recipients: readonly string[]
  /** The version of Cardstock. */
  version: string
  clock: Clock
  /** Receives the progress, for people. */
  note(text: string): void
}

/** What PostgreSQL says when the limit of time for a lock is over. */
const LOCK_NOT_AVAILABLE = '55P03'

export interface BackupSummary {
  readonly tables: number
  readonly rows: number
  readonly bytes: number
}

export async function backUp(options: BackupOptions): Promise<BackupSummary> {
  return withClient(options.connection, async (client) => {
    const { tables, manifest } = await beginSnapshot(client, options)
    const size = tables.reduce((sum, table) => sum + table.bytes, 0)
    const progress = createProgress(options, { verb: 'Backed up', size })
    const counts = { tables: tables.length, rows: 0 }
    const records = writeTables(client, { tables, manifest, progress, counts })
    const { bytes } = await writeBackup(options.path, options.recipients, records)
    await queries.commit(client)
    return { ...counts, bytes }
  })
}

/**
 * Locks the tables before the snapshot is taken, as pg_dump does: a migration would otherwise change a table between the two. A
 * migration that needs one of them gives up after ten seconds and says why; ordinary reads and writes are not affected.
 *
 * Citus has no snapshot of several nodes: each statement would see another moment. There the lock keeps everybody from writing.
 */
async function beginSnapshot(client: pg.Client, { version, clock, note }: BackupOptions) {
  const tables = await listTables(client)
  if (!tables.some(({ name }) => name === 'account')) {
    throw new BackupError('The database is empty. There is nothing to back up.')
  }
  const locked = [NOT_IN_BACKUP, ...tables.map(({ name }) => name)]
  const isCluster = await isDistributed(client)
  await queries.begin(client, 'transaction isolation level repeatable read, read only')
  if (isCluster) note('The database is distributed. Nothing can be written until the backup is complete.')
  await queries.lockTables(client, locked, isCluster ? 'share' : 'access share').catch((error: unknown) => {
    if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error
    throw new BackupError('Other sessions write all the time. Stop the servers, and try again.')
  })
  const migrations = await queries.listMigrations(client)
  requireKnownTables(migrations)
  const check = await queries.findSecretKeyCheck(client)
  const manifest: Manifest = {
    format: 1,
    version,
    createdAt: clock.now().toISOString(),
    migrations,
    secretKeyCheck: check?.toString('hex') ?? null,
  }
  // Another process may have migrated between the list and the lock.
  return { manifest, tables: await listTables(client) }
}

/** An older pre-release had tables of other names, which this version does not know and would leave out. */
function requireKnownTables(migrations: readonly string[]): void {
  const preRelease = findPreReleaseByNames(migrations)
  if (preRelease === undefined || preRelease === 'last') return
  throw new BackupError('This database was made by a pre-release. Make the backup with the version that made it.')
}

interface Content {
  tables: readonly queries.TableRow[]
  manifest: Manifest
  progress: Progress
  counts: { rows: number }
}

async function* writeTables(client: pg.Client, { tables, manifest, progress, counts }: Content) {
  yield writeRecord('M', manifest)
  for (const table of tables) {
    const { name, columns, bytes } = table
    yield writeRecord('T', { name, columns })
    const copying = copyOut(client, queries.copyToStatement(table))
    let step = await copying.next()
    for (; step.done !== true; step = await copying.next()) {
      yield* writeRows(step.value)
      progress.tick(name)
    }
    counts.rows += step.value
    progress.add(name, bytes)
    yield writeRecord('E', { rows: step.value })
  }
  yield writeRecord('Z', { tables: tables.length, rows: counts.rows })
}
