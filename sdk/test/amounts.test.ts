// Compares amounts with the shared vectors and with integer arithmetic.
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { amounts } from '../src/amounts.ts'

interface Vectors {
  amounts: { text: string; cents: string; formatted: string }[]
  refused: string[]
  sums: { a: string; b: string; sum: string; difference: string; order: number }[]
}

const vectors = JSON.parse(readFileSync(new URL('../../vectors/amounts.json', import.meta.url), 'utf8')) as Vectors

describe('amounts', () => {
  test.each(vectors.amounts)('$text is $cents cents', ({ text, cents, formatted }) => {
    expect(amounts.parse(text)).toBe(BigInt(cents))
    expect(amounts.format(BigInt(cents))).toBe(formatted)
  })

  test.each(vectors.refused)('%j is refused', (text) => {
    expect(() => amounts.parse(text)).toThrow(RangeError)
  })

  test.each(vectors.sums)('$a and $b', ({ a, b, sum, difference, order }) => {
    expect(amounts.add(a, b)).toBe(sum)
    expect(amounts.subtract(a, b)).toBe(difference)
    expect(amounts.compare(a, b)).toBe(order)
  })

  test('a number is refused, because it may not be exact', () => {
    const number = 0.1 as unknown as string
    for (const call of [
      () => amounts.parse(number),
      () => amounts.add('1', number),
      () => amounts.compare(number, '1'),
    ])
      expect(call).toThrow(TypeError)
    expect(() => amounts.format(5 as unknown as bigint)).toThrow(TypeError)
  })

  test('adding, subtracting and comparing agree with integers, for any number of decimals', () => {
    const amount = fc.tuple(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.integer({ min: 0, max: 6 }))
    fc.assert(
      fc.property(amount, amount, ([unitsA, decimalsA], [unitsB, decimalsB]) => {
        const [a, b] = [amounts.format(unitsA, decimalsA), amounts.format(unitsB, decimalsB)]
        const micro = (text: string) => amounts.parse(text, 6)
        expect(micro(amounts.add(a, b))).toBe(micro(a) + micro(b))
        expect(micro(amounts.subtract(a, b))).toBe(micro(a) - micro(b))
        expect(amounts.compare(a, b)).toBe(micro(a) < micro(b) ? -1 : micro(a) > micro(b) ? 1 : 0)
        expect(amounts.add(amounts.subtract(a, b), b)).toBe(amounts.add(a, amounts.subtract(b, b)))
      }),
    )
  })

  test('an empty sum is zero, and units may have other numbers of decimals', () => {
    expect(amounts.add()).toBe('0.00')
    expect(amounts.parse('100.004711', 6)).toBe(100_004_711n)
    expect(amounts.format(7n, 0)).toBe('7')
  })
})
