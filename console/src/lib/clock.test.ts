// Days relative to today.
import { afterEach, expect, test, vi } from 'vitest'
import { utcDay } from './clock.ts'

afterEach(() => void vi.useRealTimers())

test('days are those of UTC, also across a leap day and the start of a year', () => {
  vi.useFakeTimers({ now: new Date('2028-03-01T23:59:59.999Z'), toFake: ['Date'] })
  expect([utcDay(), utcDay(1), utcDay(61)]).toEqual(['2028-03-01', '2028-02-29', '2027-12-31'])
})
