// Where a body stops being JSON.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { locateJsonError } from './json-error.ts'

describe('the place of the error', () => {
  it.each([
    ['{"a": 1,}', 1, 9, false],
    ['{"a": b}', 1, 7, false],
    ['{a: 1}', 1, 2, false],
    ["{'a': 1}", 1, 2, false],
    ['{"a" 1}', 1, 6, false],
    ['{"a": 1 "b": 2}', 1, 9, false],
    ['{"a": 01}', 1, 8, false],
    ['[1, 2', 1, 6, true],
    ['{"a": "b', 1, 9, true],
    ['{"a": "b\nc"}', 1, 9, false],
    ['{"a": "\\x"}', 1, 8, false],
    ['{\n  "a": 1\n  "b": 2\n}', 3, 3, false],
    ['{} {}', 1, 4, false],
    ['{"a": tru}', 1, 7, false],
    [']', 1, 1, false],
    ['{"a": [1, 2}', 1, 12, false],
  ])('%j: line %i, column %i', (text, line, column, isCut) => {
    expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError)
    expect(locateJsonError(text)).toEqual({ line, column, isCut })
  })

  it('is where a character that JSON allows nowhere was put, or where its number, name or escape begins', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), (json, seed) => {
        const at = seed % (json.length + 1)
        const text = `${json.slice(0, at)}\u0001${json.slice(at)}`
        expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError)
        const found = placeOf(text)
        expect(json.slice(found, at)).toMatch(/^(?:[-+.\w]*|\\u?[\da-f]*)$/i)
        if (!/[-+.\w\\]$/.test(json.slice(0, at))) expect(found).toBe(at)
      }),
      { numRuns: 1_000 },
    )
  })

  it('is the end of a text that was cut, or the number, name or escape that it was cut in', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), (json, seed) => {
        const text = json.slice(0, seed % json.length)
        expect(text.slice(placeOf(text))).toMatch(/^(?:[-+.\w]*|\\u?[\da-f]*)$/i)
      }),
      { numRuns: 1_000 },
    )
  })
})

/** The index in the text. */
function placeOf(text: string): number {
  const { line, column } = locateJsonError(text)
  const before = text.split('\n').slice(0, line - 1)
  return before.reduce((sum, each) => sum + each.length + 1, 0) + column - 1
}
