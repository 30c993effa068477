// Rates in per cent, and the fee on the example.
import { expect, test } from 'vitest'
import { feeOnExample, toFraction, toText } from './percent.ts'

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
