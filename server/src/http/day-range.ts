// The days that a statement or a sum may cover.
import { DAY_MS, dayOf, findDay } from '@cardstock/sdk/statements'
import { ApiError } from '../errors.ts'

/** SPEC: "Maximum range 366 days and 10,000 ledger entries". */
export const RANGE_DAYS_MAX = 366

export interface DayRange {
  /** The two days as they were given. */
  readonly from: string
  readonly to: string
  /** The first instant of the range, and the first instant after it. */
  readonly start: Date
  readonly until: Date
}

/** `what` names what covers the range, for the refusal. */
export function requireRange({ from, to }: { from: string; to: string }, what = 'A statement'): DayRange {
  const start = requireDay('from', from)
  const until = new Date(requireDay('to', to).getTime() + DAY_MS)
  if (start >= until)
    throw new ApiError('validation_failed', 'query.from is after query.to; swap them.', { param: 'from' })
  const days = (until.getTime() - start.getTime()) / DAY_MS
  if (days > RANGE_DAYS_MAX) {
    throw new ApiError(
      'statement_range_too_large',
      `${what} covers at most ${RANGE_DAYS_MAX} days, but this range has ${days}. Ask for a shorter range.`,
      { param: 'to', details: { days, latestTo: dayOf(new Date(start.getTime() + (RANGE_DAYS_MAX - 1) * DAY_MS)) } },
    )
  }
  return { from, to, start, until }
}

function requireDay(name: string, text: string): Date {
  const day = findDay(text)
  if (day === undefined)
    throw new ApiError('validation_failed', `query.${name} must be a date such as 2026-01-31.`, { param: name })
  return day
}
