// Money: what is an amount, how it is written, how a share is rounded.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cents, findCents, formatCents, formatRate, parseCents, shareHalfUp } from './money.ts'

describe('findCents', () => {
  it.each([
    ['0', 0n],
    ['0.00', 0n],
    ['10', 1000n],
    ['10.5', 1050n],
    ['10.05', 1005n],
    ['0.01', 1n],
    ['007.10', 710n],
    ['9999999999.99', 999_999_999_999n],
  ])('%s is %s cents', (text, value) => expect(findCents(text)).toBe(value))

  it.each([
    '',
    ' ',
    '.',
    '.5',
    '5.',
    '1.234',
    '-1',
    '+1',
    '1,00',
    '1e3',
    '0x10',
    ' 1',
    '1 ',
    '1\n',
    '١',
    'NaN',
    '10000000000.00',
    '1_000',
  ])('%j is no amount', (text) => expect(findCents(text)).toBeUndefined())

  it('parseCents throws where findCents gives undefined', () => {
    expect(parseCents('1.50')).toBe(150n)
    expect(() => parseCents('x')).toThrow(TypeError)
  })
})

describe('formatCents', () => {
  it.each([
    [0n, '0.00'],
    [1n, '0.01'],
    [-1n, '-0.01'],
    [10n, '0.10'],
    [-12_345n, '-123.45'],
    [999_999_999_999n, '9999999999.99'],
  ])('%s cents are %s', (value, text) => expect(formatCents(value)).toBe(text))

  it('is read back as the same amount', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 999_999_999_999n }), (value) => findCents(formatCents(value)) === value),
    )
  })
})

describe('shareHalfUp', () => {
  it.each([
    ['10.00', 2000n, 2n],
    ['12.49', 2000n, 2n],
    ['12.50', 2000n, 3n],
    ['1250.00', 2000n, 250n],
    ['0.00', 2000n, 0n],
    ['100.00', 15_000n, 150n],
    ['0.01', 500_000n, 1n],
    ['0.01', 499_999n, 0n],
    ['9999999999.99', 1_000_000n, 999_999_999_999n],
  ])('of %s at %s ppm is %s cents', (amount, rate, share) => expect(shareHalfUp(parseCents(amount), rate)).toBe(share))

  it('is never more than half a cent off', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 12n }), fc.bigInt({ min: 0n, max: 1_000_000n }), (amount, rate) => {
        const twiceError = 2n * (shareHalfUp(cents(amount), rate) * 1_000_000n - amount * rate)
        return twiceError > -1_000_000n && twiceError <= 1_000_000n
      }),
    )
  })
})

it.each([
  [0n, '0'],
  [2000n, '0.002'],
  [15_000n, '0.015'],
  [1n, '0.000001'],
  [1_000_000n, '1'],
])('a rate of %s ppm is written %s', (rate, text) => expect(formatRate(rate)).toBe(text))
