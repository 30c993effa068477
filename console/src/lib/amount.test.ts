// Which typed texts are amounts.
import { expect, test } from 'vitest'
import { isAmount, readTyped } from './amount.ts'

test.each(['0', '25', '25.5', '25.50', '9999999999999.99'])('%s is an amount', (text) => {
  expect(isAmount(text)).toBe(true)
})

test.each(['', '.', '25.', '.5', '25.505', '-1', '+1', '1e3', '1 000', '12345678901234', '25.00\n', '٢٥'])(
  '%j is not an amount',
  (text) => {
    expect(isAmount(text)).toBe(false)
  },
)

test('a typed comma becomes a point, and spaces around the amount are removed', () => {
  expect(readTyped(' 25,50 ')).toBe('25.50')
  expect(isAmount(readTyped('1,000,00'))).toBe(false)
})
