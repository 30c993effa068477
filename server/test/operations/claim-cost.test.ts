// The cost of a claim does not depend on the number of operations, even if its plan was made on an empty table: a worker's
// first claim is on an empty queue, and it keeps that plan.
import { afterAll, expect, it } from 'vitest'
import { claimLookUps, claimOperations, QUEUE_HEAD } from '../../src/operations/queries.ts'
import { Book, LEASE_MS, service } from '../ledger/book.ts'

const FEW = 250
const MANY = 3_000
const CLAIM_SIZE = 200
/** Each is found in the queue and by its key, beside entries that are dead since the last claims. Less than all there is. */
const READ_MAX = 8 * CLAIM_SIZE

const book = await Book.open()
afterAll(() => book.close())

/** Index entries of operations that were returned so far. */
async function entriesRead(): Promise<number> {
  await book.many('select pg_stat_force_next_flush()')
  const [row] = await book.many<{ read: number }>(
    `select sum(idx_tup_read)::int as read from pg_stat_user_indexes where relname = 'operation'`,
  )
  return row?.read ?? 0
}

it.each([
  ['nothing was queued', 0],
  ['little was queued, and known to be', FEW],
])('claims and look-ups read only the rows that they take, if planned while %s', async (_, planned) => {
  const company = await book.addCompany(100_000_000n)
  const terms = () => {
    const now = book.clock.now()
    const leaseUntil = new Date(now.getTime() + LEASE_MS)
    return { environment: 'sandbox', now, leaseUntil, limit: CLAIM_SIZE } as const
  }
  const claim = () => claimOperations(book.db, terms(), QUEUE_HEAD)
  const lookUp = () => claimLookUps(book.db, terms())
  const queue = async (count: number) => {
    for (let queued = 0; queued < count; queued += FEW) {
      expect(await book.acceptBatch(Array.from({ length: FEW }, () => service(company)))).toEqual([])
    }
  }
  await queue(planned)
  // After this, plans are made again and kept.
  if (planned > 0) await book.many('analyze operation')
  await lookUp()
  while ((await claim()).length > 0);
  await queue(MANY)
  const before = await entriesRead()
  expect(await claim()).toHaveLength(CLAIM_SIZE)
  expect((await entriesRead()) - before).toBeLessThan(READ_MAX)
  while ((await claim()).length > 0);
  book.clock.advance(LEASE_MS + 1)
  const processing = await entriesRead()
  expect(await lookUp()).toHaveLength(CLAIM_SIZE)
  expect((await entriesRead()) - processing).toBeLessThan(READ_MAX)
})
