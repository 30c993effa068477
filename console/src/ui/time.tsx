// A time in the zone that the person has chosen, which is named. Pointing at it or moving the focus to it shows it in UTC, or in the zone of the
// browser.
import { formatDay } from '~/lib/day.ts'
import { inZone, listZones, UTC, zone } from '~/lib/zone.ts'
import styles from './time.module.css'

/** `long` has milliseconds, for timelines; `short` has minutes, for tables. */
type Precision = 'day' | 'short' | 'seconds' | 'long'

export function Time({ value, precision = 'short' }: { value: string; precision?: Precision }) {
  const other = zone.get() === UTC ? `${formatIn(value, listZones().own, 'long')} here` : formatIn(value, UTC, 'long')
  return (
    <time className={styles.time} dateTime={value} data-other={other} tabIndex={0} aria-description={other}>
      {formatTime(value, precision)}
    </time>
  )
}

/** `15 Nov 2026, 20:03 UTC`, written by us so that it is the same in every browser. A day without a time is the same in every zone. */
export function formatTime(value: string, precision: Precision = 'short'): string {
  return formatIn(value, zone.get(), precision)
}

function formatIn(value: string, timeZone: string, precision: Precision): string {
  if (/^\d{4}-\d{2}-\d{2}$/.test(value)) return formatDay(value)
  if (Number.isNaN(Date.parse(value))) return value
  const { day, minutes, seconds, name } = inZone(value, timeZone)
  if (precision === 'day') return formatDay(day)
  const rest = { short: '', seconds: seconds.slice(0, 3), long: seconds }[precision]
  return `${formatDay(day)}, ${minutes}${rest} ${name}`
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const

/** `3 hours`; `0.4 s` below ten seconds. */
export function formatDuration(ms: number): string {
  if (ms < 10_000) return `${(Math.max(0, ms) / 1000).toFixed(1)} s`
  const [unit, size] = UNITS.find(([, least]) => ms >= least) ?? UNITS[3]
  const count = Math.floor(ms / size)
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
