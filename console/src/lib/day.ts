// Days as people write them. A day is written with the name of its month, because 03/04/2026 is two days, depending on the reader.
import { findDay } from '@cardstock/sdk/statements'

export const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

const NAMED = /^(\d{1,2})\.? ([a-z]{3})[a-z]{0,6}\.? (\d{4})$/i

/** Returns the day as the API writes it, such as `2026-11-15`, or undefined if the text is no day of the calendar. */
export function readDay(text: string): string | undefined {
  const typed = text.trim().replaceAll(/[\s,]+/g, ' ')
  const [, day = '', month = '', year = ''] = NAMED.exec(typed) ?? []
  const position = MONTHS.findIndex((name) => name.toLowerCase() === month.toLowerCase())
  const iso = position === -1 ? typed : `${year}-${String(position + 1).padStart(2, '0')}-${day.padStart(2, '0')}`
  return findDay(iso) === undefined ? undefined : iso
}

/** `Nov 2026`, from `2026-11`. */
export function formatMonth(iso: string): string {
  return findDay(`${iso}-01`) === undefined ? iso : formatDay(`${iso}-01`).slice(2)
}

/** `15 Nov 2026`, written by us so that it is the same in every browser. */
export function formatDay(iso: string): string {
  const [year = '', month = '', day = ''] = iso.split('-')
  return findDay(iso) === undefined ? iso : `${Number(day)} ${MONTHS[Number(month) - 1]} ${year}`
}
