// Scopes and the end of keys.
import { SCOPES, type ApiKey } from '@cardstock/sdk'
import { expect, test } from 'vitest'
import { KEY_SCOPES, READ_SCOPES } from './scopes.ts'
import { endOf } from './source.ts'

test('every scope of the API is explained, and a scope that writes is not offered as one that reads', () => {
  expect([...KEY_SCOPES].toSorted()).toEqual([...SCOPES].toSorted())
  for (const scope of KEY_SCOPES) expect(READ_SCOPES.includes(scope), scope).toBe(scope.endsWith(':read'))
})

test('a key ends when it is revoked, or at the instant of its expiry', () => {
  const key = (revokedAt: string | null, expiresAt: string | null) => ({ revokedAt, expiresAt }) as ApiKey
  const at = Date.parse('2026-01-31T12:00:00.000Z')
  expect(endOf(key(null, null), at)).toBeUndefined()
  expect(endOf(key(null, '2026-01-31T12:00:00.001Z'), at)).toBeUndefined()
  expect(endOf(key(null, '2026-01-31T12:00:00.000Z'), at)).toBe('expired')
  expect(endOf(key('2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z'), at)).toBe('revoked')
})
