// Structured logs on standard output. Secrets are cut out here, so that no caller has to remember.
import { pino, type DestinationStream, type Logger } from 'pino'

export type Log = Logger

const SECRET_PATHS = ['authorization', 'headers.authorization', 'key', 'token', 'secret', 'password', 'operatorToken']

export function createLog(options: { level: string; destination?: DestinationStream }): Log {
  const settings = {
    level: options.level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: [...SECRET_PATHS, ...SECRET_PATHS.map((path) => `*.${path}`)], censor: '[secret]' },
  }
  return options.destination === undefined ? pino(settings) : pino(settings, options.destination)
}
