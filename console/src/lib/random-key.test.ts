// Idempotency keys.
import { expect, test } from 'vitest'
import { newKey } from './random-key.ts'

test('a key has 128 random bits', () => {
  const keys = Array.from({ length: 100 }, newKey)
  expect(new Set(keys).size).toBe(100)
  for (const key of keys) expect(key).toMatch(/^[0-9a-f]{32}$/)
})
