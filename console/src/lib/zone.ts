// The time zone in which a person wants to see times. It is kept in the browser, for each person who signs in there.
import { findKept, keep } from './kept.ts'
import { createStore } from './store.ts'

/** The zone of the API, of statements and of the days in filters. */
export const UTC = 'UTC'

export const zone = createStore<string>(UTC)

const nameOf = (personId: string) => `time-zone/${personId}`

/** Call it when somebody signs in. */
export function enterZone(personId: string): void {
  const kept = findKept('browser', nameOf(personId))
  zone.set(kept !== undefined && isZone(kept) ? kept : UTC)
}

export function chooseZone(personId: string, name: string): void {
  keep('browser', nameOf(personId), name === UTC ? undefined : name)
  zone.set(name)
}

function isZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).format(0) !== ''
  } catch {
    return false
  }
}

/** The zone of this browser, and all that it knows. */
export function listZones(): { readonly own: string; readonly all: readonly string[] } {
  return { own: Intl.DateTimeFormat().resolvedOptions().timeZone, all: Intl.supportedValuesOf('timeZone') }
}

export interface ZonedTime {
  /** Such as `2026-11-15`. */
  readonly day: string
  /** Such as `20:03`. */
  readonly minutes: string
  /** Such as `:07.123`. */
  readonly seconds: string
  /** Such as `UTC` or `GMT+1`, which the zone has at that time. */
  readonly name: string
}

/** Returns a time of the API in a zone. */
export function inZone(value: string, timeZone: string): ZonedTime {
  const at = new Date(value)
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    fractionalSecondDigits: 3,
    timeZoneName: 'shortOffset',
  }).formatToParts(at)
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((each) => each.type === type)?.value ?? ''
  const name = part('timeZoneName')
  return {
    day: `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`,
    minutes: `${part('hour')}:${part('minute')}`,
    seconds: `:${part('second')}.${part('fractionalSecond')}`,
    // Browsers write no offset as GMT or as GMT+0.
    name: /^GMT(?:\+0)?$/.test(name) ? (timeZone === UTC ? UTC : 'GMT') : name,
  }
}
