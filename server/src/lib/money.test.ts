// Money: which texts are amounts, how amounts are written, and how a share is rounded.
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cents, findCents, formatCents, formatRate, parseCents, shareHalfUp } from './money.ts'

/** The SDK's tests read the same file. */
const vectors = JSON.parse(readFileSync(new URL('../../../vectors/amounts.json', import.meta.url), 'utf8')) as {
  amounts: { text: string; cents: string; formatted: string }[]
  refused: string[]
}

describe('findCents', () => {
  it.each(vectors.amounts)('$text is $cents cents', ({ text, cents: value, formatted }) => {
    expect(findCents(text)).toBe(BigInt(value))
    expect(formatCents(BigInt(value))).toBe(formatted)
  })

  it.each([...vectors.refused, '-1', '10000000000.00'])('%j is not an amount', (text) =>
    expect(findCents(text)).toBeUndefined(),
  )

  it('parseCents throws where findCents returns undefined', () => {
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
