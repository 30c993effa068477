// Times and durations as people read them.
import { afterEach, expect, test } from 'vitest'
import { UTC, zone } from '~/lib/zone.ts'
import { formatDuration, formatTime } from './time.tsx'

test('times are in UTC, as precise as is asked for', () => {
  const value = '2026-11-05T20:03:07.089Z'
  expect(formatTime(value)).toBe('5 Nov 2026, 20:03 UTC')
  expect(formatTime(value, 'day')).toBe('5 Nov 2026')
  expect(formatTime(value, 'long')).toBe('5 Nov 2026, 20:03:07.089 UTC')
  expect(formatTime('2026-01-31')).toBe('31 Jan 2026')
  expect(formatTime('soon')).toBe('soon')
})

test('times are in the zone that the person has chosen, with its offset at that time', () => {
  zone.set('Europe/Dublin')
  expect(formatTime('2026-07-05T23:30:07.089Z')).toBe('6 Jul 2026, 00:30 GMT+1')
  expect(formatTime('2026-11-05T00:03:07.089Z', 'long')).toBe('5 Nov 2026, 00:03:07.089 GMT')
  expect(formatTime('2026-07-05T23:30:07.089Z', 'day')).toBe('6 Jul 2026')
  expect(formatTime('2026-07-05')).toBe('5 Jul 2026')
})
afterEach(() => zone.set(UTC))

test.each([
  [-5, '0.0 s'],
  [449, '0.4 s'],
  [9_999, '10.0 s'],
  [10_000, '10 seconds'],
  [60_000, '1 minute'],
  [3_599_999, '59 minutes'],
  [7_200_000, '2 hours'],
  [86_400_000, '1 day'],
])('%i ms are %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text)
})
