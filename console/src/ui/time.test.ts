// Times and durations as people read them.
import { expect, test } from 'vitest'
import { formatDuration, formatUtc } from './time.tsx'

test('times are in UTC, as precise as is asked for', () => {
  const value = '2026-11-05T20:03:07.089Z'
  expect(formatUtc(value)).toBe('5 Nov 2026, 20:03 UTC')
  expect(formatUtc(value, 'day')).toBe('5 Nov 2026')
  expect(formatUtc(value, 'long')).toBe('5 Nov 2026, 20:03:07.089 UTC')
  expect(formatUtc('2026-01-31')).toBe('31 Jan 2026')
  expect(formatUtc('soon')).toBe('soon')
})

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
