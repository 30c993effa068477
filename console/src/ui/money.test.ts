// Amounts as people read them.
import { expect, test } from 'vitest'
import { formatMoney } from './money.tsx'

test.each([
  ['0.00', '0.00'],
  ['999.99', '999.99'],
  ['1000.00', '1,000.00'],
  ['1234567890.05', '1,234,567,890.05'],
  ['-28.05', '−28.05'],
  ['-1000000', '−1,000,000'],
  ['0.123456', '0.123456'],
  ['1000.000000', '1,000.00'],
  ['5.500000', '5.50'],
  ['5.120300', '5.1203'],
  ['100', '100'],
])('%s is shown as %s', (value, text) => {
  expect(formatMoney(value)).toBe(text)
})

test('a movement has a sign, except when it is zero', () => {
  expect(['5.00', '-5.00', '0.00'].map((value) => formatMoney(value, true))).toEqual(['+5.00', '−5.00', '0.00'])
})
