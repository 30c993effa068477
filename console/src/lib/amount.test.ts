// Which typed texts are amounts.
import { expect, test } from 'vitest'
import { findAmountProblem, isAmount, readTyped } from './amount.ts'

test.each(['0', '25', '25.5', '25.50', '9999999999999.99'])('%s is an amount', (text) => {
  expect(isAmount(text)).toBe(true)
  expect(readTyped(text)).toBe(text)
  expect(findAmountProblem(text)).toBeUndefined()
})

test.each(['', '.', '25.', '.5', '25.505', '-1', '+1', '1e3', '1 000', '12345678901234', '25.00\n', '٢٥'])(
  '%j is not an amount',
  (text) => {
    expect(isAmount(text)).toBe(false)
  },
)

test.each([
  [' 25,50 ', '25.50'],
  ['1,000.00', '1000.00'],
  ['1.000,00', '1000.00'],
  ['1 000,5', '1000.5'],
  ["1'000", '1000'],
  ['1,000,000', '1000000'],
  ['1.000.000,25', '1000000.25'],
])('%j is read as %s', (typed, amount) => {
  expect(readTyped(typed)).toBe(amount)
  expect(findAmountProblem(typed)).toBeUndefined()
})

test.each([
  ['1,000', 'Enter 1000 or 1.00: “1,000” can mean either.'],
  ['1.000', 'Enter 1000 or 1.00: “1.000” can mean either.'],
  ['25.505', 'Enter 25505 or 25.50: “25.505” can mean either.'],
  ['1234.567', 'Enter at most two decimals, such as 25.50.'],
  ['1,00,00', 'Enter an amount such as 25 or 25.00.'],
  ['abc', 'Enter an amount such as 25 or 25.00.'],
])('%j is refused with a reason', (typed, problem) => {
  expect(isAmount(readTyped(typed))).toBe(false)
  expect(findAmountProblem(typed)).toBe(problem)
})
