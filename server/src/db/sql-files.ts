// Reads the SQL files that make up the schema, and compares them with what a database has had applied. Writes nothing.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

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

/**
 * The checksums of released migrations whose comments have changed since. Their statements have not: a test compares them
 * with what was released. 0007 also created the tables of the reference issuer, which creates them itself now; databases
 * that have them keep them.
 */
const RELEASED_CHECKSUMS: Readonly<Record<string, string | readonly string[]>> = {
  'migrations/0001_access.sql': '221e002e1773903c11cfa6123c0a291b80066bcc6b3a208a13e1389f725d1fd0',
  'migrations/0002_cards.sql': 'bdeb018691d5bbf5b917ef368506dd822503d02f7d128cb5d67e9d601f2fd145',
  'migrations/0003_ledger.sql': 'ac3016dcdad080a2e159a9812ed3468dc6e2f2d90b554831b987d6d4a698fdb2',
  'migrations/0004_operations.sql': '0fc7e8a00791abab016107e823d0c0668560d2b299bc926b2d2e9fde0644d83e',
  'migrations/0005_events.sql': 'ec6b333769517bf835d064680629817aed2f02c2fc8eea61433380e283cc3589',
  'migrations/0006_books.sql': '2d8546a8c840206f870a403d95f4f105939de6f8fe7644bf52fbff9d3a9642cc',
  'migrations/0007_funding.sql': [
    '57c0366f3df413a8b76829cd8bcf504e41c69c7a666a4f7578b4ef210872fae0',
    'f8bb1dc14c5418dd1c132c8a2ad373764de49e9afcb00e9654c7ebe2469f0005',
  ],
}

const SQL_FOLDER = fileURLToPath(new URL('../../sql', import.meta.url))

/** `citus` has what differs on a database that Citus distributes. */
export function readSqlFiles(folder: 'migrations' | 'functions' | 'citus'): SqlFile[] {
  const entries = readdirSync(join(SQL_FOLDER, folder), { recursive: true, encoding: 'utf8' })
  const names = entries.filter((name) => name.endsWith('.sql')).map((name) => name.replaceAll(sep, '/'))
  return names.toSorted().map((name) => {
    const text = readFileSync(join(SQL_FOLDER, folder, name), 'utf8')
    return { name: `${folder}/${name}`, text, checksum: createHash('sha256').update(text).digest('hex') }
  })
}

export function compareSchema(rows: readonly AppliedFile[]): SchemaState {
  const applied = new Map(rows.map((row) => [row.name, row.checksum]))
  const migrations = readSqlFiles('migrations')
  const functions = readSqlFiles('functions')
  const known = new Set([...migrations, ...functions].map((file) => file.name))
  const unknown = [...applied.keys()].filter((name) => !known.has(name))
  return {
    newer: unknown.filter((name) => name.startsWith('migrations/')),
    changed: migrations.filter((file) => isChanged(file, applied.get(file.name))).map((file) => file.name),
    pendingMigrations: migrations.filter((file) => !applied.has(file.name)),
    pendingFunctions: functions.filter((file) => applied.get(file.name) !== file.checksum),
    removedFunctions: unknown.filter((name) => name.startsWith('functions/')),
  }
}

function isChanged({ name, checksum }: SqlFile, applied: string | undefined): boolean {
  return applied !== undefined && ![checksum, RELEASED_CHECKSUMS[name]].flat().includes(applied)
}
