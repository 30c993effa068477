// Reads the SQL files that make up the schema, and compares them with what a database has had applied. Writes nothing.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { packagePath } from '../lib/package-path.ts'

export interface SqlFile {
  /** Its path under `sql/`, such as `functions/ledger/credit_account.sql`. */
  readonly name: string
  readonly text: string
  readonly checksum: string
}

/** A row of `schema_file`: a file that was applied, with the checksum it had then. */
export interface AppliedFile {
  readonly name: string
  readonly checksum: string
}

export interface SchemaState {
  /** Migrations in the database that this program does not have. */
  readonly newer: readonly string[]
  /** Migrations whose text is not the text that was applied. */
  readonly changed: readonly string[]
  readonly pendingMigrations: readonly SqlFile[]
  /** Function files whose current text has not been applied. */
  readonly pendingFunctions: readonly SqlFile[]
  /** Function files that were applied and no longer exist. */
  readonly removedFunctions: readonly string[]
}

/** How the names of migrations begin, and of those that make a new database. */
export const MIGRATIONS = 'migrations/'
const BASELINE = 'migrations/0001_baseline/'

const SQL_FOLDER = packagePath('sql')

/** `citus` has what differs on a database that Citus distributes. */
export function readSqlFiles(folder: 'migrations' | 'functions' | 'citus'): SqlFile[] {
  const entries = readdirSync(join(SQL_FOLDER, folder), { recursive: true, encoding: 'utf8' })
  const names = entries.filter((name) => name.endsWith('.sql')).map((name) => name.replaceAll(sep, '/'))
  return names.toSorted().map((name) => {
    const text = readFileSync(join(SQL_FOLDER, folder, name), 'utf8')
    return { name: `${folder}/${name}`, text, checksum: createHash('sha256').update(text).digest('hex') }
  })
}

/** The files of one version. */
export interface SchemaFiles {
  readonly migrations: readonly SqlFile[]
  readonly functions: readonly SqlFile[]
}

export function readSchemaFiles(): SchemaFiles {
  return { migrations: readSqlFiles('migrations'), functions: readSqlFiles('functions') }
}

/** Returns the migrations that make the schema of 1.0. Later ones change it. */
export function readBaseline(): SqlFile[] {
  return readSqlFiles('migrations').filter((file) => file.name.startsWith(BASELINE))
}

export function compareSchema(rows: readonly AppliedFile[], { migrations, functions }: SchemaFiles): SchemaState {
  const applied = new Map(rows.map((row) => [row.name, row.checksum]))
  const known = new Set([...migrations, ...functions].map((file) => file.name))
  const unknown = [...applied.keys()].filter((name) => !known.has(name))
  const isChanged = ({ name, checksum }: SqlFile) => applied.has(name) && applied.get(name) !== checksum
  return {
    newer: unknown.filter((name) => name.startsWith(MIGRATIONS)),
    changed: migrations.filter(isChanged).map((file) => file.name),
    pendingMigrations: migrations.filter((file) => !applied.has(file.name)),
    pendingFunctions: functions.filter((file) => applied.get(file.name) !== file.checksum),
    removedFunctions: unknown.filter((name) => name.startsWith('functions/')),
  }
}
