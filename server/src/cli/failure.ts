// Turns any error into a message and an exit code. It must not print a stack trace unless DEBUG=1.
import { CardstockError, UnreachableError } from '@cardstock/sdk'
import { type Command, CommanderError } from 'commander'
import { clean, createPaint, type Terminal } from './output.ts'

export const EXIT = { done: 0, failed: 1, usage: 2, unreachable: 3, undecided: 4 } as const
export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** Wrong usage that the command line parser cannot detect. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/** No address of a server is known. */
export class NoServerError extends Error {
  override name = 'NoServerError'
}

export interface Failure {
  code: string
  message: string
  exitCode: ExitCode
  statusCode?: number | undefined
  requestId?: string | undefined
  details?: unknown
}

/** Keyed by name, because importing the classes would load the whole server before `cardstock --help` can answer. */
const BY_NAME: Readonly<Record<string, Pick<Failure, 'code' | 'exitCode'>>> = {
  UsageError: { code: 'usage', exitCode: EXIT.usage },
  NoServerError: { code: 'unreachable', exitCode: EXIT.unreachable },
  ConfigError: { code: 'settings_invalid', exitCode: EXIT.failed },
  ConnectionError: { code: 'database_failed', exitCode: EXIT.failed },
  PrivatePostgresError: { code: 'database_failed', exitCode: EXIT.failed },
  BackupError: { code: 'backup_failed', exitCode: EXIT.failed },
  ArchiveError: { code: 'archive_failed', exitCode: EXIT.failed },
  ExportError: { code: 'export_failed', exitCode: EXIT.failed },
  MigrationError: { code: 'migration_failed', exitCode: EXIT.failed },
}

export async function toFailure(error: unknown): Promise<Failure> {
  if (!(error instanceof Error)) return { code: 'failed', message: String(error), exitCode: EXIT.failed }
  if (error instanceof CommanderError) {
    return {
      code: 'usage',
      message: error.message.replace(/^error: /, ''),
      exitCode: EXIT.usage,
    }
  }
  if (error instanceof UnreachableError) {
    return { code: error.code, message: `${error.message}${adviceFor(error)}`, exitCode: EXIT.unreachable }
  }
  if (error instanceof CardstockError) {
    const { code, message, statusCode, requestId, details } = error
    const exitCode = code === 'invalid_argument' ? EXIT.usage : EXIT.failed
    return { code, message, exitCode, statusCode, requestId, details }
  }
  const known = BY_NAME[error.name]
  if (known !== undefined) return { ...known, message: error.message }
  return (await explainDatabase(error)) ?? { code: 'failed', message: describeOwn(error), exitCode: EXIT.failed }
}

function adviceFor(error: UnreachableError): string {
  if (error.code === 'timeout') return ''
  return ' Start the server with npm start, or give its address with CARDSTOCK_URL or --url.'
}

/** Explains an error of the database driver, which never contains a password. A missing file has the code of a missing
 * socket, but also a `path`. */
async function explainDatabase(error: Error): Promise<Failure | undefined> {
  const { isUnavailable } = await import('../db/unavailable.ts')
  const isRefusal = 'severity' in error
  if (!isRefusal && (!isUnavailable(error) || 'path' in error)) return undefined
  return { code: 'database_failed', message: adviseDatabase(error), exitCode: EXIT.failed }
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
    return `${problem} (${describe(error)}). ${advice}`
  }
  if (/Connection terminated/.test(error.message) || code === 'ECONNRESET' || code === 'EPIPE') {
    return `The connection to the database was lost (${describe(error)}). Its log says why; often its disk is full. The log of the private database is postgres.log in DATA_DIR/postgres.`
  }
  return `The database cannot be reached (${describe(error)}). Start it, or correct DATABASE_URL.`
}

/** A disk of this machine that is full has only a code as its message. */
function describeOwn(error: Error): string {
  const isFull = 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')
  return isFull ? `The disk is full (${describe(error)}). Free some space, and try again.` : describe(error)
}

/** When several addresses fail, Node's error has a code but no message. */
export function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.message !== '') return error.message
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}

const FILE_ERRORS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EEXIST: 'the file exists already',
  EISDIR: 'it is a folder',
  EACCES: 'you are not allowed to',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of the disk is used up',
  EROFS: 'the file system is read-only',
}

/** Returns why a file could not be opened, without the name of the system call. */
export function describeFileError(error: Error): string {
  return FILE_ERRORS['code' in error ? String(error.code) : ''] ?? describe(error)
}

/** Options whose name is not the field's own. */
const OPTION_OF_FIELD: Readonly<Record<string, string>> = {
  productId: '--product',
  holderId: '--holder',
  cardId: '--card',
  companyId: '--company',
  url: '--to',
  events: '--event',
}

/** Names the options of the command in place of the fields of the request, which whoever types a command has never seen. */
export function nameOptions(message: string, command: Command | undefined): string {
  return message.replaceAll(/\b(?:body|query)\.([A-Za-z]+)/g, (text, field: string) => {
    const own = `--${field.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
    const option = OPTION_OF_FIELD[field] ?? own
    return command?.options.some(({ long }) => long === option) === true ? option : text
  })
}

export async function reportFailure(
  error: unknown,
  terminal: Terminal,
  { json, command }: { json: boolean; command?: Command | undefined },
): Promise<ExitCode> {
  const { exitCode, ...failure } = await toFailure(error)
  const stack = terminal.environ['DEBUG'] === '1' && error instanceof Error ? error.stack : undefined
  if (json) {
    terminal.err.write(`${JSON.stringify({ error: { ...failure, stack } }, null, 2)}\n`)
    return exitCode
  }
  const paint = createPaint(terminal.err, terminal.environ)
  // Keep line breaks, which are ours. Other control characters may come from a server and must not reach the terminal.
  const lines = nameOptions(failure.message, command).split('\n').map(clean)
  terminal.err.write(`${paint('red', 'error:')} ${lines.join('\n')}\n`)
  if (failure.requestId !== undefined)
    terminal.err.write(`code: ${clean(failure.code)}, request: ${clean(failure.requestId)}\n`)
  if (error instanceof CommanderError) terminal.err.write('Add --help to see how it is used.\n')
  if (stack !== undefined) terminal.err.write(`${stack}\n`)
  return exitCode
}
