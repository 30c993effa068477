// Ranges of days that a page shows: from the address, or the usual ones.
import { dayOf, DAY_MS, findDay } from '@cardstock/sdk/statements'

export interface Range {
  readonly from: string
  readonly to: string
}

const DAYS_DEFAULT = 30

/** Replaces a day in the address that does not exist in the calendar, so that the page shows something. */
export function chosenRange({ from, to }: Partial<Range>, today: string): Range {
  const last = to !== undefined && findDay(to) !== undefined ? to : today
  const first = from !== undefined && findDay(from) !== undefined ? from : daysBefore(last, DAYS_DEFAULT - 1)
  return { from: first, to: last }
}

export interface Preset {
  readonly name: string
  readonly range: Range
}

export function presets(today: string): readonly Preset[] {
  const monthStart = `${today.slice(0, 7)}-01`
  const lastMonthEnd = daysBefore(monthStart, 1)
  return [
    { name: 'Last 30 days', range: { from: daysBefore(today, 29), to: today } },
    { name: 'Last 90 days', range: { from: daysBefore(today, 89), to: today } },
    { name: 'This month', range: { from: monthStart, to: today } },
    { name: 'Last month', range: { from: `${lastMonthEnd.slice(0, 7)}-01`, to: lastMonthEnd } },
    { name: 'This year', range: { from: `${today.slice(0, 4)}-01-01`, to: today } },
  ]
}

function daysBefore(day: string, count: number): string {
  return dayOf(new Date((findDay(day)?.getTime() ?? 0) - count * DAY_MS))
}
