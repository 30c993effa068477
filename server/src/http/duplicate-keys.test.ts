// Duplicate keys are found wherever they are, and nothing else is reported as one.
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { findDuplicateKey } from './duplicate-keys.ts'

const find = (text: string) => findDuplicateKey(text, JSON.parse(text))

describe('a duplicate key', () => {
  it.each([
    ['{"a":1,"a":1}', 'a'],
    ['{"a":1,"b":2,"a":3}', 'a'],
    ['{ "a" : {"b":1} , "a" :\n2 }', 'a'],
    ['{"a":{"b":1,"c":{"d":1,"d":2}}}', 'a.c.d'],
    ['[{"a":1},{"a":1,"a":2}]', 'a'],
    ['{"list":[[{"x":1,"x":2}]]}', 'list.x'],
    [String.raw`{"a":1,"\u0061":2}`, 'a'],
    [String.raw`{"q\"":1,"q\"":2}`, 'q"'],
    ['{"":1,"":2}', ''],
  ])('is found in %s', (text, path) => expect(find(text)).toBe(path))
})

describe('none is found in', () => {
  it.each([
    '{}',
    '[]',
    '"a:a"',
    'null',
    '{"a":"b:c","b":"{\\"a\\":1}"}',
    '{"a":{"a":{"a":1}}}',
    '[{"a":1},{"a":1}]',
    String.raw`{"a\\":"\\","b":"\\\""}`,
    '{"toString":1,"constructor":2}',
  ])('%s', (text) => expect(find(text)).toBeUndefined())
})

test('a serialised value has no duplicate key, and exactly one if a key is repeated', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.string(), fc.jsonValue(), (value, key, other) => {
      const written = JSON.stringify(value)
      expect(find(written)).toBeUndefined()
      if (key === '__proto__') return
      const name = JSON.stringify(key)
      expect(find(`{${name}:${written},${name}:${JSON.stringify(other)}}`)).toBe(key)
    }),
  )
})

test('the time grows linearly with the length of the body', () => {
  // 64 KB, the largest body there is, made of what would be slow for a search that starts over at every quote.
  const hard = `{"a":"${String.raw`\\`.repeat(32_000)}","a":1}`
  expect(find(hard)).toBe('a')
})
