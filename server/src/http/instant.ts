// `from` and `to` of lists: a date is its whole UTC day, a date-time that instant; both ends inclusive.
import { ApiError } from '../errors.ts'

const DATE = /^\d{4}-\d\d-\d\d$/
const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/
const DAY_MS = 86_400_000

export interface InstantRange {
  /** The first instant inside. */
  readonly from: Date | null
  /** The first instant after it. */
  readonly until: Date | null
}

export function parseInstantRange(query: { from?: string; to?: string }): InstantRange {
  const from = query.from === undefined ? null : parseInstant('query.from', query.from).start
  const until = query.to === undefined ? null : parseInstant('query.to', query.to).end
  if (from !== null && until !== null && from >= until) {
    throw new ApiError('validation_failed', 'query.from lies after query.to; swap them.')
  }
  return { from, until }
}

/** `name` is for the refusal: where the text stood. */
export function parseInstant(name: string, text: string): { start: Date; end: Date } {
  const ms = DATE.test(text) || DATE_TIME.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(ms) || (DATE.test(text) && new Date(ms).toISOString().slice(0, 10) !== text)) {
    throw new ApiError(
      'validation_failed',
      `${name} must be a date such as 2026-01-31 or a date-time such as 2026-01-31T12:00:00Z.`,
    )
  }
  const start = new Date(ms)
  return { start, end: new Date(ms + (DATE.test(text) ? DAY_MS : 1)) }
}
