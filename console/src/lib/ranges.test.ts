// The days that the card account shows.
import { expect, test } from 'vitest'
import { chosenRange, presets } from './ranges.ts'

test('without a choice the last thirty days are shown', () => {
  expect(chosenRange({}, '2026-03-01')).toEqual({ from: '2026-01-31', to: '2026-03-01' })
})

test('the days in the address are shown if they exist in the calendar', () => {
  expect(chosenRange({ from: '2025-12-31', to: '2026-01-01' }, '2026-03-01')).toEqual({
    from: '2025-12-31',
    to: '2026-01-01',
  })
  expect(chosenRange({ from: '2026-02-30', to: '2026-02-28' }, '2026-03-01')).toEqual({
    from: '2026-01-30',
    to: '2026-02-28',
  })
  expect(chosenRange({ from: '2026-02-01', to: 'tomorrow' }, '2026-03-01')).toEqual({
    from: '2026-02-01',
    to: '2026-03-01',
  })
})

test('the presets are whole days, months and years, also in January of a leap year', () => {
  const ranges = Object.fromEntries(presets('2028-01-15').map(({ name, range }) => [name, `${range.from} ${range.to}`]))
  expect(ranges).toEqual({
    'Last 30 days': '2027-12-17 2028-01-15',
    'Last 90 days': '2027-10-18 2028-01-15',
    'This month': '2028-01-01 2028-01-15',
    'Last month': '2027-12-01 2027-12-31',
    'This year': '2028-01-01 2028-01-15',
  })
})
