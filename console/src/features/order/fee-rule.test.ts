// Rules of fees in words.
import type { Pricing } from '@cardstock/sdk'
import { expect, test } from 'vitest'
import { describeFee, describeLimits, toPercent } from './fee-rule.ts'

const FREE: Pricing = {
  flatFee: null,
  rate: null,
  minimumFee: null,
  fixedPrice: null,
  minimumAmount: null,
  maximumAmount: null,
}

test.each([
  [{}, 'none'],
  [{ flatFee: '3.00' }, '3.00'],
  [{ flatFee: '3.00', rate: '0.002' }, '3.00 + 0.2% of the amount'],
  [{ flatFee: '0.00', rate: '0.0100' }, '1% of the amount'],
  [{ rate: '0.015', minimumFee: '1250.00' }, '1.5% of the amount, at least 1,250.00'],
  [{ rate: '0.015', minimumFee: '0.00' }, '1.5% of the amount'],
  [{ fixedPrice: '10.00' }, 'included in the price'],
  [{ fixedPrice: '10.00', flatFee: '1.00' }, '1.00'],
] as const)('%j is %s', (pricing, words) => {
  expect(describeFee({ ...FREE, ...pricing })).toBe(words)
})

test.each([
  ['0.002', '0.2'],
  ['0.02', '2'],
  ['0.2', '20'],
  ['1', '100'],
  ['0.000001', '0.0001'],
  ['0.1050', '10.5'],
  ['0', '0'],
])('a rate of %s is %s percent', (rate, percent) => {
  expect(toPercent(rate)).toBe(percent)
})

test('limits are named if there are some', () => {
  expect(describeLimits({ ...FREE, minimumAmount: '10.00', maximumAmount: '5000.00' })).toBe(
    'From 10.00 to 5,000.00 USD',
  )
  expect(describeLimits({ ...FREE, minimumAmount: '10.00' })).toBe('At least 10.00 USD')
  expect(describeLimits({ ...FREE, maximumAmount: '10.00' })).toBe('At most 10.00 USD')
  expect(describeLimits(FREE)).toBeUndefined()
})
