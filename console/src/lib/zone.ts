// The time zone in which the person who is signed in wants to see times. The server keeps it.
import { createStore } from './store.ts'

/** The zone of the API, of statements and of the days in filters. */
export const UTC = 'UTC'

export const zone = createStore<string>(UTC)

/** Call it when somebody signs in, and when they have chosen another. A zone that this browser does not know is shown as UTC. */
export function enterZone(name: string | null): void {
  zone.set(name !== null && isZone(name) ? name : UTC)
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
