// Rates in per cent, and the fee on the example.
import { expect, test } from 'vitest'
import { feeOnExample, PERCENT, toFraction, toText } from './percent.ts'

test.each([
  ['0.2', '0.002'],
  ['1.5', '0.015'],
  ['20', '0.2'],
  ['100', '1'],
  ['0.0001', '0.000001'],
  ['0', '0'],
  ['1,5', '1,5'],
  ['', ''],
])('%s per cent is sent as %s', (percent, fraction) => {
  expect(toFraction(percent)).toBe(fraction)
})

test.each([
  ['0,2 %', '0.2'],
  [' 1.5', '1.5'],
  ['100', '100'],
  ['0.0001', '0.0001'],
])('%j is read as %s per cent', (typed, percent) => {
  expect(PERCENT.read(typed)).toBe(percent)
  expect(PERCENT.findProblem(typed)).toBeUndefined()
})

test.each(['100.1', '101', '0.00001', '-1', '1.2.3', 'two'])('%j is no rate', (typed) => {
  expect(PERCENT.findProblem(typed)).toBe('Enter per cent from 0 to 100 with at most four decimals, such as 0.2.')
})

test('a price is shown as it is today, with its rate in per cent', () => {
  const nothing = { minimumFee: null, fixedPrice: null, maximumAmount: null }
  expect(toText({ ...nothing, flatFee: '3.00', rate: '0.002', minimumAmount: '10.00' })).toEqual({
    flatFee: '3.00',
    rate: '0.2',
    minimumAmount: '10.00',
  })
  expect(toText(null)).toEqual({})
})

test.each([
  [{ flatFee: '3.00', rate: '0.2' }, '23.00'],
  [{ rate: '0.0001' }, '0.01'],
  [{ rate: '1.25', minimumFee: '150' }, '150.00'],
  [{}, '0.00'],
  [{ rate: 'x' }, undefined],
])('the fee of %j on 10,000 USD is %s', (pricing, fee) => {
  expect(feeOnExample(pricing)).toBe(fee)
})
