// Turns any error into a message and an exit code. It must not print a stack trace unless DEBUG=1.
import { CardstockError, UnreachableError } from '@cardstock/sdk'
import { type Command, CommanderError } from 'commander'
import { adviseStart, type Host, nameProgram } from './host.ts'
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

/** How an operation ends could not be read, and it goes on: whoever waited for it must not take this for a failed one. */
export class EndUnknownError extends Error {
  override name = 'EndUnknownError'

  /** `what` is the beginning of the message, and `error` is why nothing could be read. */
  constructor(what: string, id: string, error: unknown) {
    // That the last look was not sent says nothing about the order.
    const reason = describeError(error).replace(/ Nothing was sent\.$/, '')
    const advice = `Do not order it again. Run: cardstock operations watch ${id}`
    super(`${what}: ${reason.replace(/\.?$/, '.')} ${advice}`, { cause: error })
  }
}

export interface Failure {
  code: string
  message: string
  exitCode: ExitCode
  statusCode?: number | undefined
  requestId?: string | undefined
  param?: string | undefined
  details?: unknown
  docUrl?: string | undefined
}

/** What the program that contains the commands knows about failures. */
type Adviser = Pick<Host, 'explainError' | 'startAdvice'>

/** Returns what an error means. The host knows the errors of commands outside this package. */
export function toFailure(error: unknown, host: Adviser): Failure {
  if (!(error instanceof Error)) return { code: 'failed', message: String(error), exitCode: EXIT.failed }
  if (error instanceof CommanderError) {
    return {
      code: 'usage',
      message: error.message.replace(/^error: /, ''),
      exitCode: EXIT.usage,
    }
  }
  if (error instanceof EndUnknownError) return explainEndUnknown(error)
  if (error instanceof UnreachableError) {
    return { code: error.code, message: `${error.message}${adviceFor(error, host)}`, exitCode: EXIT.unreachable }
  }
  if (error instanceof CardstockError) {
    const { code, statusCode, requestId, param, details, docUrl } = error
    // Whoever types a command has given an address in another way, or none.
    const message = error.message.replace('Check baseUrl.', 'Check its address: CARDSTOCK_URL, --url or the profile.')
    const exitCode = code === 'invalid_argument' ? EXIT.usage : EXIT.failed
    return { code, message, exitCode, statusCode, requestId, param, details, docUrl }
  }
  if (error instanceof UsageError) return { code: 'usage', message: error.message, exitCode: EXIT.usage }
  if (error instanceof NoServerError) return { code: 'unreachable', message: error.message, exitCode: EXIT.unreachable }
  return host.explainError(error) ?? { code: 'failed', message: describeOwn(error), exitCode: EXIT.failed }
}

function explainEndUnknown({ message, cause }: EndUnknownError): Failure {
  const failure = { code: 'end_unknown', message, exitCode: EXIT.undecided }
  if (!(cause instanceof CardstockError)) return failure
  const { statusCode, requestId, docUrl } = cause
  return { ...failure, statusCode, requestId, docUrl }
}

function adviceFor(error: UnreachableError, host: Adviser): string {
  if (error.code === 'timeout') return ''
  return ` ${adviseStart(host, 'give its address with CARDSTOCK_URL or --url.')}`
}

/** A disk of this machine that is full has only a code as its message. */
function describeOwn(error: Error): string {
  const isFull = 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')
  return isFull ? `The disk is full (${describeError(error)}). Free some space, and try again.` : describeError(error)
}

/** When several addresses fail, Node's error has a code but no message. */
export function describeError(error: unknown): string {
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
  return FILE_ERRORS['code' in error ? String(error.code) : ''] ?? describeError(error)
}

const KEY_OPTION = '--idempotency-key'

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
  const has = (option: string) => command?.options.some(({ long }) => long === option) === true
  const named = message.replaceAll(/\b(?:body|query)\.([A-Za-z]+)/g, (text, field: string) => {
    const own = `--${field.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
    const option = OPTION_OF_FIELD[field] ?? own
    return has(option) ? option : text
  })
  return has(KEY_OPTION) ? named.replaceAll(/\bidempotencyKey (?=")/g, `${KEY_OPTION} `) : named
}

interface ReportOptions {
  readonly host: Adviser & Pick<Host, 'name'>
  readonly json: boolean
  readonly command?: Command | undefined
}

/** Writes what went wrong, and returns the exit code. */
export function reportFailure(error: unknown, terminal: Terminal, options: ReportOptions): ExitCode {
  const { host, json, command } = options
  const { exitCode, ...found } = toFailure(error, host)
  const failure = { ...found, message: nameProgram(found.message, host) }
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
  const param = failure.param === undefined ? undefined : nameOptions(`body.${failure.param}`, command)
  if (param !== undefined) terminal.err.write(`param: ${clean(param.replace(/^body\./, ''))}\n`)
  if (failure.docUrl !== undefined) terminal.err.write(`see: ${clean(failure.docUrl)}\n`)
  if (error instanceof CommanderError) terminal.err.write('Add --help to see how it is used.\n')
  if (stack !== undefined) terminal.err.write(`${stack}\n`)
  return exitCode
}
