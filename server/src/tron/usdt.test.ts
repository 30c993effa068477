// Amounts of USDT are read, written and converted to cents without losing a digit.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cents } from '../lib/money.ts'
import { centsRoundedDown, findMicros, formatMicros, formatShortMicros, micros, microsOfCents } from './usdt.ts'

test('every amount survives being written and read, always with six decimals', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 999_999_999_999_999n }), (value) => {
      const text = formatMicros(value)
      expect(text).toMatch(/^\d+\.\d{6}$/)
      expect(findMicros(text)).toBe(value)
    }),
  )
})

test.each([
  [5_000_000n, '5.00'],
  [5_500_000n, '5.50'],
  [1_000_120_300n, '1000.1203'],
  [1n, '0.000001'],
  [0n, '0.00'],
])('%s millionths are shown to people as %s', (value, text) => {
  expect(formatShortMicros(value)).toBe(text)
})

test.each([
  ['10', 10_000_000n],
  ['10.5', 10_500_000n],
  ['0.000001', 1n],
  ['10.0000001', undefined],
  ['1e3', undefined],
  ['-1', undefined],
  ['1234567890', undefined],
  ['', undefined],
])('"%s" is read as %s', (text, value) => expect(findMicros(text)).toBe(value))

test('dollars convert to micro-USDT exactly, and fractions of a cent are dropped on the way back', () => {
  expect(microsOfCents(cents(1_000n))).toBe(10_000_000n)
  expect(centsRoundedDown(micros(10_009_999n))).toBe(1_000n)
  expect(centsRoundedDown(micros(9_999_999n))).toBe(999n)
})
