// Which typed texts are amounts.
import { expect, test } from 'vitest'
import { isAmount, USD, USDT } from './amount.ts'

test.each(['0', '25', '25.5', '25.50', '9999999999.99'])('%s is an amount', (text) => {
  expect(isAmount(text)).toBe(true)
  expect(USD.read(text)).toBe(text)
  expect(USD.findProblem(text)).toBeUndefined()
})

test.each(['', '.', '25.', '.5', '25.505', '-1', '+1', '1e3', '1 000', '12345678901', '25.00\n', '٢٥'])(
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
  expect(USD.read(typed)).toBe(amount)
  expect(USD.findProblem(typed)).toBeUndefined()
})

test.each([
  ['1,000', 'Enter 1000 or 1.00: “1,000” can mean either.'],
  ['1.000', 'Enter 1000 or 1.00: “1.000” can mean either.'],
  ['25.505', 'Enter 25505 or 25.50: “25.505” can mean either.'],
  ['1234.567', 'Enter at most two decimals, such as 25.50.'],
  ['1.000,505', 'Enter at most two decimals, such as 25.50.'],
  ['12345678901', 'Enter a smaller amount.'],
  ['12,345,678,901.00', 'Enter a smaller amount.'],
  ['1,00,00', 'Enter an amount such as 25 or 25.00.'],
  ['0.001', 'Enter at most two decimals, such as 25.50.'],
  ['0,001', 'Enter at most two decimals, such as 25.50.'],
  ['abc', 'Enter an amount such as 25 or 25.00.'],
])('%j is refused with a reason', (typed, problem) => {
  expect(isAmount(USD.read(typed))).toBe(false)
  expect(USD.findProblem(typed)).toBe(problem)
})

test('USDT has up to six decimals, and three may still be a thousand', () => {
  expect(USDT.read('1,250.004711')).toBe('1250.004711')
  expect(USDT.read('1.250,5')).toBe('1250.5')
  expect(USDT.read('100.00471')).toBe('100.00471')
  expect(['100.123', '1,000'].map((typed) => USDT.findProblem(typed))).toEqual([
    'Enter 100123 or 100.1230: “100.123” can mean either.',
    'Enter 1000 or 1.0000: “1,000” can mean either.',
  ])
  expect(['0.001', '0,001'].map((typed) => [USDT.read(typed), USDT.findProblem(typed)])).toEqual([
    ['0.001', undefined],
    ['0.001', undefined],
  ])
  expect(USDT.findProblem('0.1234567')).toBe('Enter at most six decimals, such as 25.50.')
})
