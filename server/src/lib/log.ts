// Structured logs on standard output. Secrets and e-mail addresses are removed here, so that no caller has to remember it.
import { pino, type DestinationStream, type Logger } from 'pino'
import { redactText } from './sensitive.ts'

export type Log = Logger

const SECRET_PATHS = ['authorization', 'headers.authorization', 'key', 'token', 'secret', 'password', 'operatorToken']

export function createLog(options: { level: string; destination?: DestinationStream }): Log {
  const settings = {
    level: options.level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { error: describeError },
    formatters: { log: redactFields },
    redact: { paths: [...SECRET_PATHS, ...SECRET_PATHS.map((path) => `*.${path}`)], censor: '[secret]' },
  }
  return options.destination === undefined ? pino(settings) : pino(settings, options.destination)
}

/** Messages of other programs, such as the database and an issuer, may quote what they were sent. */
function redactFields(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, typeof value === 'string' ? redactText(value) : value]),
  )
}

/** Keeps only what identifies the error, because drivers attach whole connections, with secrets, to their errors. */
function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: redactText(String(error)) }
  const code = 'code' in error ? error.code : undefined
  return {
    name: error.name,
    message: redactText(error.message),
    ...(code === undefined ? {} : { code }),
    stack: redactText(error.stack ?? ''),
  }
}
