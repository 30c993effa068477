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
    throw new ApiError('validation_failed', 'query.from is after query.to; swap them.', { param: 'from' })
  }
  return { from, until }
}

/** `name` is the parameter, for the refusal. */
export function parseInstant(name: string, text: string): { start: Date; end: Date } {
  const day = findDate(text)
  const ms = day ?? findDateTime(text)
  if (ms === undefined) {
    throw new ApiError(
      'validation_failed',
      `${name} must be a date such as 2026-01-31 or a date-time such as 2026-01-31T12:00:00Z.`,
      { param: name.replace(/^(?:body|query)\./, '') },
    )
  }
  return { start: new Date(ms), end: new Date(ms + (day === undefined ? 1 : DAY_MS)) }
}

/** Returns the first millisecond of the day, or undefined if the text is not a day of the calendar. */
export function findDate(text: string): number | undefined {
  return DATE.test(text) && isCalendarDay(text) ? Date.parse(text) : undefined
}

export function findDateTime(text: string): number | undefined {
  const ms = DATE_TIME.test(text) && isCalendarDay(text.slice(0, 10)) ? Date.parse(text) : Number.NaN
  return Number.isNaN(ms) ? undefined : ms
}

/** Date.parse reads 30 February as 2 March. */
function isCalendarDay(day: string): boolean {
  const ms = Date.parse(day)
  return !Number.isNaN(ms) && new Date(ms).toISOString().slice(0, 10) === day
}
