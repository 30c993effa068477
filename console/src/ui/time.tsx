// A time in UTC. Pointing at it or moving the focus to it shows the local time.
import styles from './time.module.css'

/** `long` has milliseconds, for timelines; `short` has minutes, for tables. */
type Precision = 'day' | 'short' | 'long'

export function Time({ value, precision = 'short' }: { value: string; precision?: Precision }) {
  const local = `${formatLocal(value)} here`
  return (
    <time className={styles.time} dateTime={value} data-local={local} tabIndex={0} aria-description={local}>
      {formatUtc(value, precision)}
    </time>
  )
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** `15 Nov 2026, 20:03 UTC`, written by us so that it is the same in every browser. */
export function formatUtc(value: string, precision: Precision = 'short'): string {
  const parts = /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}:\d{2})(:\d{2}(?:\.\d{3})?)?)?/.exec(value)
  if (parts === null) return value
  const [, year, month, day, minutes, seconds = ''] = parts
  const date = `${Number(day)} ${MONTHS[Number(month) - 1]} ${year}`
  if (precision === 'day' || minutes === undefined) return date
  return `${date}, ${minutes}${precision === 'long' ? seconds : ''} UTC`
}

function formatLocal(value: string): string {
  return new Date(value).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium' })
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
