// The hash of statements is the SHA-256 of Node, for every length and for text in any script.
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toHex } from '../src/bytes.ts'
import { sha256 } from '../src/statements/sha256.ts'

/** Longer than two blocks, so that the padding begins at every place of a block. */
const LENGTH_MAX = 200

test('bytes of every length have the hash that Node computes', () => {
  for (let length = 0; length <= LENGTH_MAX; length += 1) {
    const bytes = Uint8Array.from({ length }, (_, index) => (index * 31 + length) % 256)
    expect(toHex(sha256(bytes)), `${length} bytes`).toBe(createHash('sha256').update(bytes).digest('hex'))
  }
})

test('values are hashed one after another, and text as UTF-8', () => {
  const value = fc.oneof(fc.string({ unit: 'binary' }), fc.uint8Array({ maxLength: LENGTH_MAX }))
  fc.assert(
    fc.property(fc.array(value, { maxLength: 4 }), (values) => {
      const hash = createHash('sha256')
      for (const one of values) hash.update(one)
      expect(toHex(sha256(...values))).toBe(hash.digest('hex'))
    }),
  )
})
