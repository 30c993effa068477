// Arrays reach the database unchanged, whatever they contain.
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { toPlainArray } from '../../src/db/array-literal.ts'
import { createPool, type Pool } from '../../src/db/pool.ts'
import { sql } from '../../src/db/sql.ts'
import { createDatabase } from '../support/harness.ts'

let db: Pool
let drop: () => Promise<void>
beforeAll(async () => {
  const database = await createDatabase()
  db = createPool(database.connection, { size: 1, onError: () => undefined })
  drop = database.drop
})
afterAll(async () => {
  await db.close()
  await drop()
})

/** What PostgreSQL cannot store in a text at all: the byte zero, and halves of surrogate pairs. */
const text = fc.string({ unit: 'binary' }).filter((value) => !value.includes('\0'))
const nasty = fc.constantFrom(
  '',
  'null',
  'NULL',
  'Null',
  '{}',
  '{a,b}',
  '"',
  '\\',
  '\\"',
  ',',
  ' ',
  ' a ',
  'a b',
  '\n',
  "'",
  '1e5',
  'é',
)

it('passes texts unchanged and uninterpreted', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(text, nasty, fc.constant(null)), { maxLength: 20 }), async (values) => {
      expect(await db.find(sql`select ${values}::text[] as values`)).toEqual({ values })
    }),
    { numRuns: 300 },
  )
})
it('passes numbers of every size, booleans, dates and bytes', async () => {
  const now = new Date('2026-03-01T12:00:00.123Z')
  const row = await db.find(sql`
    select ${[1n, -(2n ** 63n), null]}::bigint[]::text[] as bigints, ${[1, -2]}::integer[] as integers,
      ${[true, false, null]}::boolean[] as booleans, ${[now, null]}::timestamptz[] as dates,
      ${[Buffer.from([0, 255]), null]}::bytea[] as bytes, ${[['a', 'b']]}::text[] as nested`)
  expect(row).toEqual({
    bigints: ['1', '-9223372036854775808', null],
    integers: [1, -2],
    booleans: [true, false, null],
    dates: [now, null],
    bytes: [Buffer.from([0, 255]), null],
    nested: [['a', 'b']],
  })
})

it('passes plain arrays of ids, numbers and words', async () => {
  const ids = ['019cd79f-3c18-71bc-82b4-a4e200000007', '019cd79f-3c18-71bc-82b4-a4e200000000']
  const row = await db.find(sql`
    select ${toPlainArray(ids)}::uuid[] as ids, ${toPlainArray([1n, -(2n ** 63n)])}::bigint[]::text[] as bigints,
      ${toPlainArray([3, 0])}::integer[] as integers, ${toPlainArray(['sandbox', 'live'])}::environment[]::text[] as words,
      ${toPlainArray([])}::integer[] as empty`)
  expect(row).toEqual({
    ids,
    bigints: ['1', '-9223372036854775808'],
    integers: [3, 0],
    words: ['sandbox', 'live'],
    empty: [],
  })
})
