// Structured logs on standard output. Secrets are removed here, so that no caller has to remember it.
import { pino, type DestinationStream, type Logger } from 'pino'

export type Log = Logger

const SECRET_PATHS = ['authorization', 'headers.authorization', 'key', 'token', 'secret', 'password', 'operatorToken']

export function createLog(options: { level: string; destination?: DestinationStream }): Log {
  const settings = {
    level: options.level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { error: describeError },
    redact: { paths: [...SECRET_PATHS, ...SECRET_PATHS.map((path) => `*.${path}`)], censor: '[secret]' },
  }
  return options.destination === undefined ? pino(settings) : pino(settings, options.destination)
}

/** Keeps only what identifies the error, because drivers attach whole connections, with secrets, to their errors. */
function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error) }
  const code = 'code' in error ? error.code : undefined
  return { name: error.name, message: error.message, ...(code === undefined ? {} : { code }), stack: error.stack }
}
