// What the request log keeps of a query.
import { expect, test } from 'vitest'
import { createCursorCodec } from '../lib/cursor.ts'
import { redactQuery } from './redact.ts'

const codec = createCursorCodec(() => [Buffer.alloc(32, 1)])
const id = '019cd79e-4600-7000-8000-0123456789ab'

test('a cursor by time is kept, and one by name is not, because it has the name of a person in it', () => {
  const byTime = codec.encode('list', { id, at: new Date('2026-03-10T12:00:00Z') })
  expect(redactQuery(`/api/v1/transactions?cursor=${byTime}`)).toBe(`?cursor=${byTime}`)
  const byName = codec.encode('list', { id, name: 'al' })
  expect(redactQuery(`/api/v1/holders?sort=name_asc&cursor=${byName}`)).toBe('?sort=name_asc&cursor=[redacted]')
})
