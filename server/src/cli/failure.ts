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
  EmbeddedError: { code: 'database_failed', exitCode: EXIT.failed },
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
  return (await explainDatabase(error)) ?? { code: 'failed', message: describe(error), exitCode: EXIT.failed }
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
  const problem = isRefusal ? 'The database refuses' : 'The database cannot be reached'
  const message = `${problem} (${describe(error)}). Start it, or correct DATABASE_URL.`
  return { code: 'database_failed', message, exitCode: EXIT.failed }
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
