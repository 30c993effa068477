// What the errors of the server and of its database mean, for somebody who has typed a command.
import { describeError, EXIT, type Failure } from '@cardstock/cli'
import { isUnavailable } from '../db/unavailable.ts'

/** Keyed by name, because importing the classes would load the whole server before `cardstock --help` can answer. */
const CODES: Readonly<Record<string, string>> = {
  ConfigError: 'settings_invalid',
  ConnectionError: 'database_failed',
  PrivatePostgresError: 'database_failed',
  BackupError: 'backup_failed',
  ArchiveError: 'archive_failed',
  ExportError: 'export_failed',
  MigrationError: 'migration_failed',
  SetUpError: 'settings_invalid',
  XpubError: 'settings_invalid',
}

/** Returns undefined for an error that is neither ours nor the database's. */
export function explainError(error: Error): Failure | undefined {
  const code = CODES[error.name]
  if (code !== undefined) return { code, message: error.message, exitCode: EXIT.failed }
  if (!isOfDatabase(error)) return undefined
  return { code: 'database_failed', message: adviseDatabase(error), exitCode: EXIT.failed }
}

/** An error of the database driver never contains a password. A missing file has the code of a missing socket, but also a `path`. */
function isOfDatabase(error: Error): boolean {
  return 'severity' in error || (isUnavailable(error) && !('path' in error))
}

/** What happened and what to do, by the beginning of the SQLSTATE. The first that fits counts. */
const DATABASE_ADVICE: readonly (readonly [state: string, problem: string, advice: string])[] = [
  ['53100', 'The disk of the database is full', 'Free some space there, and try again.'],
  ['53200', 'The database is out of memory', 'Give its machine more, or let it use less, and try again.'],
  ['53300', 'The database takes no more connections', 'Raise max_connections there, or stop what uses them.'],
  ['53', 'The database is at one of its limits', 'Raise it there, and try again.'],
  ['58', 'The database could not use a file', 'Its log says why; look at its disk.'],
  ['25006', 'The database only lets itself be read', 'DATABASE_URL must name the primary, not a replica.'],
  ['28', 'The database refuses the role or its password', 'Correct DATABASE_URL, or pg_hba.conf there.'],
  ['3D000', 'There is no such database', 'Create it, or correct DATABASE_URL.'],
  ['42501', 'The role in DATABASE_URL lacks a privilege', 'It must own the schema of Cardstock.'],
  ['42', 'The schema is not that of this version', 'Run cardstock migrate, and see cardstock doctor.'],
  ['55P03', 'Another session holds a lock for too long', 'Try again, or end that session.'],
  ['40', 'Other statements were in the way', 'Try again.'],
  ['57014', 'A statement took too long', 'Try again when the database has less to do.'],
  ['57', 'The database is starting or stopping', 'Try again when it runs. Its log says why it stopped.'],
  ['', 'The database refuses', 'Its log may say more. See cardstock doctor.'],
]

function adviseDatabase(error: Error): string {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if ('severity' in error) {
    const [, problem, advice] = DATABASE_ADVICE.find(([state]) => code.startsWith(state)) ?? []
    return `${problem} (${describeError(error)}). ${advice}`
  }
  if (/Connection terminated/.test(error.message) || code === 'ECONNRESET' || code === 'EPIPE') {
    return `The connection to the database was lost (${describeError(error)}). Its log says why; often its disk is full. The log of the private database is postgres.log in DATA_DIR/postgres.`
  }
  return `The database cannot be reached (${describeError(error)}). Start it, or correct DATABASE_URL.`
}
