// Which invoices the worker takes: those that are being created and due, and those that are pending past their expiry. On Citus it
// takes those of one node at a time.
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findOverdueInvoice, listOverdueInvoices } from '../../src/funding/queries.ts'
import { claimLookUps } from '../../src/issuer/requests/queries.ts'
import { must } from '../../src/lib/invariant.ts'
import type { Environment } from '../../src/lib/scope.ts'
import { onCitus, selectWaiting } from '../support/on-citus.ts'
import { until } from '../support/wait.ts'
import { Book } from './book.ts'
import { Cast } from './invoice-cast.ts'

/** The shortest time that the database knows, in minutes. */
const MS = 1 / 60_000

let book: Book
let cast: Cast
beforeEach(async () => {
  book = await Book.open()
  cast = await Cast.create(book)
})
afterEach(() => book.close())

/** Returns which account of the cast a row is of. */
const ownerOf = ({ company_id, environment }: { company_id: string; environment: Environment }) =>
  cast.scopes.findIndex((scope) => scope.companyId === company_id && scope.environment === environment)

test.skipIf(onCitus('order'))(
  'look-ups are claimed of one environment, of invoices that are being created and due, the longest due first',
  async () => {
    const claim = (environment: Environment, minute: number, limit = 1) =>
      cast.watch(async () => {
        const times = { now: cast.at(minute), leaseUntil: cast.at(200) }
        const rows = await claimLookUps(book.db, { environment, ...times, limit }, ['invoice'])
        for (const { id } of rows) expect(id).toBe(cast.ids.subject)
        return rows.map(({ company_id }) => ownerOf({ company_id, environment }))
      })
    // The other company's is due at minute 81. Invoices that are not being created any more were due before.
    await cast.settle(cast.mine, 'subject', 82, { status: 'creating', dueAt: cast.at(83), lookUps: 2 })
    await cast.bring(must(cast.scopes[3]), 'pending')
    expect(await claim('sandbox', 100)).toEqual({
      value: [2],
      changes: { 'issuer_request subject of the other company': { due_at: 'minute 200' } },
    })
    expect(await claim('sandbox', 83 - MS, 100)).toEqual({ value: [], changes: {} })
    expect(await claim('sandbox', 83, 100)).toEqual({
      value: [0],
      changes: { 'issuer_request subject': { due_at: 'minute 200' } },
    })
    expect(await claim('live', 199, 100)).toEqual({
      value: [1],
      changes: { 'issuer_request subject of the other environment': { due_at: 'minute 200' } },
    })
    expect(await claim('sandbox', 199, 100)).toEqual({ value: [], changes: {} })
  },
)

test.skipIf(onCitus('order'))('pending invoices are overdue at their expiry, the longest overdue first', async () => {
  for (const scope of cast.scopes.slice(0, 3)) await cast.bring(scope, 'pending')
  await cast.bring(must(cast.scopes[3]), 'in review')
  const list = async (minute: number, limit = 100) =>
    (await listOverdueInvoices(book.db, cast.at(minute), limit)).map((row) => {
      expect(row.id).toBe(cast.ids.subject)
      return ownerOf(row)
    })
  expect(await list(140 - MS)).toEqual([])
  expect(await list(140)).toEqual([0])
  expect(await list(1000)).toEqual([0, 1, 2])
  expect(await list(1000, 2)).toEqual([0, 1])

  const find = async (owner: number, minute: number) =>
    (await findOverdueInvoice(book.db, must(cast.scopes[owner]), cast.at(minute)))?.id
  expect(await find(0, 140 - MS)).toBeUndefined()
  expect(await find(0, 140)).toBe(cast.ids.subject)
  expect(await find(1, 140)).toBeUndefined()
  expect(await find(2, 1000)).toBe(cast.ids.subject)
  expect(await find(3, 1000)).toBeUndefined()
})

test.each([
  ['claims', "update issuer_request set due_at = $1 where status = 'processing'"],
  [
    'ends',
    "update issuer_request set status = 'manual_review', due_at = least(due_at, $1) where status = 'processing'",
  ],
])('an invoice that another worker %s at the same moment is not claimed', async (_, statement) => {
  const client = new pg.Client(book.connection)
  await client.connect()
  try {
    await client.query('begin')
    await client.query(statement, [cast.at(200)])
    const times = { now: cast.at(100), leaseUntil: cast.at(300) }
    const claim = claimLookUps(book.db, { environment: 'sandbox', ...times, limit: 100 }, ['invoice'])
    await until('the claim waits', async () => (await book.db.many(selectWaiting())).length > 0)
    await client.query('commit')
    expect(await claim).toEqual([])
  } finally {
    await client.end()
  }
  expect(await book.many('select from issuer_request where due_at = $1', [cast.at(300)])).toEqual([])
})
