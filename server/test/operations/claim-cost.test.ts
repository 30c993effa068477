// What a claim reads does not depend on how much is queued, also when its plan was made while nothing was: a worker's first
// claim is on an empty queue, and it keeps that plan.
import { afterAll, expect, it } from 'vitest'
import { claimLookUps, claimOperations } from '../../src/operations/queries.ts'
import { Book, LEASE_MS, QUEUE_HEAD, service } from '../ledger/book.ts'

const QUEUED = 1_500
const CLAIM_SIZE = 100

const book = await Book.open()
afterAll(() => book.close())

/** Index entries that were returned so far, of both indexes that the worker reads. */
async function entriesRead(): Promise<number> {
  await book.many('select pg_stat_force_next_flush()')
  const [row] = await book.many<{ read: number }>(
    `select sum(idx_tup_read)::int as read from pg_stat_user_indexes where indexrelname in ('operation_queued', 'operation_processing')`,
  )
  return row?.read ?? 0
}

it('claims and look-ups read what they take', async () => {
  const company = await book.addCompany(100_000_000n)
  const leaseUntil = () => new Date(book.clock.now().getTime() + LEASE_MS)
  const claim = () => claimOperations(book.db, book.clock.now(), leaseUntil(), QUEUE_HEAD)
  const lookUp = () => claimLookUps(book.db, book.clock.now(), leaseUntil())
  // Plans are made on the empty queue, and kept.
  expect(await claim()).toEqual([])
  expect(await lookUp()).toEqual([])
  for (let queued = 0; queued < QUEUED; queued += 250) {
    expect(await book.acceptBatch(Array.from({ length: 250 }, () => service(company)))).toEqual([])
  }
  const before = await entriesRead()
  expect(await claim()).toHaveLength(CLAIM_SIZE)
  const claimed = await entriesRead()
  expect(claimed - before).toBeLessThan(2 * CLAIM_SIZE)
  while ((await claim()).length > 0);
  book.clock.advance(LEASE_MS + 1)
  const processing = await entriesRead()
  expect(await lookUp()).toHaveLength(CLAIM_SIZE)
  expect((await entriesRead()) - processing).toBeLessThan(2 * CLAIM_SIZE)
})
