// Days as people write them.
import { expect, test } from 'vitest'
import { formatDay, formatMonth, readDay } from './day.ts'

test.each([
  ['2026-11-15', '2026-11-15'],
  ['15 Nov 2026', '2026-11-15'],
  [' 5  november, 2026 ', '2026-11-05'],
  ['1. Feb 2024', '2024-02-01'],
])('%j is the day %s', (typed, day) => {
  expect(readDay(typed)).toBe(day)
  expect(readDay(formatDay(day))).toBe(day)
})

test.each(['', '15/11/2026', '03.04.2026', '30 Feb 2026', '2026-13-01', '15 Foo 2026', '15 Nov 26'])(
  '%j is no day',
  (typed) => {
    expect(readDay(typed)).toBeUndefined()
  },
)

test('a day is written with the name of its month', () => {
  expect(formatDay('2026-03-04')).toBe('4 Mar 2026')
  expect(formatMonth('2026-03')).toBe('Mar 2026')
})
