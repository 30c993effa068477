// For which keys api_key.expiring is emitted: once for each key that expires soon, the first to expire first, and for no other.
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { findKey } from '../../../src/keys/queries.ts'
import { toKey } from '../../../src/keys/schema.ts'
import { emitExpiringKey } from '../../../src/events/queries.ts'
import { newId } from '../../../src/lib/ids.ts'
import { Book } from '../../ledger/book.ts'

const book = await Book.open()
afterAll(() => book.close())

const now = new Date('2026-03-10T12:00:00.000Z')
const until = new Date('2026-03-17T12:00:00.000Z')
const shift = (at: Date, ms: number) => new Date(at.getTime() + ms)
const emit = async () => (await emitExpiringKey(book.db, now, until))?.emitted

let companies: string[]
beforeEach(async () => {
  await book.run('delete from api_key')
  await book.run('delete from event')
  companies = [(await book.addCompany()).scope.companyId, (await book.addCompany()).scope.companyId]
})

interface Key {
  readonly id: string
  readonly company: string
  readonly environment: string
}
let made = 0
async function addKey(
  expiresAt: Date | null,
  { emittedAt = null, revoked = null }: { emittedAt?: Date | null; revoked?: Date | null } = {},
): Promise<Key> {
  const id = newId(now)
  made += 1
  const [company, environment] = [companies[made % 2] ?? '', made % 4 < 2 ? 'sandbox' : 'live']
  await book.run(
    `insert into api_key (company_id, id, environment, name, digest, prefix, last4, scopes, created_at, expires_at, expiry_told_at, revoked_at)
     values ($1, $2, $3, 'Key', $8, 'cstk_', 'abcd', '{holders:read}', $4, $5, $6, $7)`,
    [company, id, environment, now, expiresAt, emittedAt, revoked, randomBytes(32)],
  )
  return { id, company, environment }
}
const readEmissions = () =>
  book.many<{ id: string; expiry_told_at: Date | null }>('select id, expiry_told_at from api_key order by id')
const readEvents = () =>
  book.many<{ object_id: string; company_id: string; environment: string; type: string; data: unknown }>(
    'select object_id, company_id, environment, type, data from event order by data ->> $1',
    ['expiresAt'],
  )

it('the event is emitted for keys that expire within the time, one at a time, and for no others', async () => {
  const last = await addKey(until)
  const first = await addKey(shift(now, 1))
  const between = await addKey(shift(now, 5000))
  const before = shift(now, -1000)
  const others = [
    await addKey(now),
    await addKey(before),
    await addKey(shift(until, 1)),
    await addKey(null),
    await addKey(shift(now, 10), { emittedAt: before }),
    await addKey(shift(now, 10), { revoked: before }),
  ]
  const emissions = new Map((await readEmissions()).map(({ id, expiry_told_at: at }) => [id, at]))
  const expected = [first, between, last]
  for (const [index, key] of expected.entries()) {
    expect(await emit()).toBe(true)
    const events = await readEvents()
    expect(events.map(({ object_id: id }) => id)).toEqual(expected.slice(0, index + 1).map(({ id }) => id))
    const row = await findKey(book.db, key.company, key.id)
    expect(events.at(-1)).toEqual({
      object_id: key.id,
      company_id: key.company,
      environment: key.environment,
      type: 'api_key.expiring',
      data: row && toKey(row),
    })
    emissions.set(key.id, now)
    expect(new Map((await readEmissions()).map(({ id, expiry_told_at: at }) => [id, at]))).toEqual(emissions)
  }
  expect(await emit()).toBe(false)
  expect(await readEvents()).toHaveLength(expected.length)
  expect(emissions.size).toBe(expected.length + others.length)
})

it('a key for which another process is emitting the event is skipped, without waiting', async () => {
  const [first, second] = [await addKey(shift(now, 1)), await addKey(shift(now, 2))]
  const client = new pg.Client(book.connection)
  await client.connect()
  try {
    await client.query('begin')
    await client.query('select tell_expiring_key($1, $2)', [now, until])
    expect(await emit()).toBe(true)
    expect((await readEvents()).map(({ object_id: id }) => id)).toEqual([second.id])
    await client.query('commit')
  } finally {
    await client.end()
  }
  expect(await emit()).toBe(false)
  expect((await readEvents()).map(({ object_id: id }) => id)).toEqual([first.id, second.id])
})
