// Fees: the prices of the specification, rounding, minimum fees, and which amounts are allowed.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ApiError } from '../errors.ts'
import { cents, formatCents, parseCents, ZERO } from '../lib/money.ts'
import { type Price, quote, requireAmountAllowed } from './pricing.ts'

const NONE: Price = {
  flatFee: ZERO,
  ratePpm: 0n,
  minimumFee: ZERO,
  minimumAmount: null,
  maximumAmount: null,
  fixedPrice: null,
}
const ISSUE: Price = { ...NONE, flatFee: parseCents('3.00'), ratePpm: 2000n, minimumAmount: parseCents('10.00') }
const TOPUP: Price = { ...ISSUE, flatFee: ZERO }
const BOUNDED: Price = { ...TOPUP, maximumAmount: parseCents('200.00') }
const FIXED: Price = { ...NONE, fixedPrice: parseCents('49.00') }

describe('quote', () => {
  it.each([
    ['issue', ISSUE, '10.00', '3.02', '13.02'],
    ['issue', ISSUE, '100.00', '3.20', '103.20'],
    ['issue', ISSUE, '12.49', '3.02', '15.51'],
    ['issue', ISSUE, '12.50', '3.03', '15.53'],
    ['topup', TOPUP, '10.00', '0.02', '10.02'],
    ['topup', TOPUP, '1000.00', '2.00', '1002.00'],
    ['topup with a minimum fee', { ...TOPUP, minimumFee: parseCents('10.00') }, '100.00', '10.00', '110.00'],
    ['topup above its minimum fee', { ...TOPUP, minimumFee: parseCents('0.10') }, '100.00', '0.20', '100.20'],
    ['fixed price', FIXED, '49.00', '0.00', '49.00'],
  ])('%s of %s', (_name, price, amount, fee, total) => {
    const quoted = quote(price, parseCents(amount))
    expect([formatCents(quoted.fee), formatCents(quoted.total)]).toEqual([fee, total])
  })

  it('the total is exactly the amount plus the fee, and a larger amount never costs less', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 11n }), fc.bigInt({ min: 0n, max: 1000n }), (amount, more) => {
        const one = quote(ISSUE, cents(amount))
        return one.total === one.amount + one.fee && quote(ISSUE, cents(amount + more)).fee >= one.fee
      }),
    )
  })
})

describe('requireAmountAllowed', () => {
  const codeOf = (price: Price, amount: string) => {
    try {
      requireAmountAllowed(price, parseCents(amount))
      return 'allowed'
    } catch (error) {
      return error instanceof ApiError ? error.code : error
    }
  }
  it.each([
    [ISSUE, '10.00', 'allowed'],
    [ISSUE, '9.99', 'amount_below_minimum'],
    [ISSUE, '0', 'amount_below_minimum'],
    [NONE, '0.01', 'allowed'],
    [NONE, '0.00', 'amount_below_minimum'],
    [BOUNDED, '200.00', 'allowed'],
    [BOUNDED, '200.01', 'amount_above_maximum'],
    [FIXED, '49.00', 'allowed'],
    [FIXED, '49', 'allowed'],
    [FIXED, '49.01', 'amount_not_price'],
    [FIXED, '48.99', 'amount_not_price'],
  ])('case %#: %s', (price, amount, expected) => expect(codeOf(price, amount)).toBe(expected))
})
