// The cost of a claim or a settlement does not depend on the number of operations, even if its plan was made on an empty table: a
// worker's first claim is on an empty queue, and it keeps that plan.
import pg from 'pg'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createPool, type Pool } from '../../src/db/pool.ts'
import { claimLookUps } from '../../src/issuer/requests/queries.ts'
import { AT_ONCE } from '../../src/issuer/sandbox.ts'
import {
  type ClaimedOperation,
  claimOperations,
  completeOperations,
  listClaimedOperations,
} from '../../src/operations/queries.ts'
import { settleOperations } from '../../src/ledger/queries.ts'
import { createTurns, summarise } from '../../src/operations/turns.ts'
import { Book, LEASE_MS, service } from '../ledger/book.ts'
import { onCitus } from '../support/on-citus.ts'

const FEW = 250
const MANY = 3_000
const CLAIM_SIZE = 200
/** A claim reads each row by three indexes, and dead index entries of earlier claims. Reading the whole queue would be far more. */
const READ_MAX = 8 * CLAIM_SIZE

// Each test has a ledger of its own: claims leave dead index entries, and PostgreSQL cannot mark them while another connection,
// such as that of an automatic analyze, has an old snapshot. The next test would read them again.
let book: Book
beforeEach(async () => {
  book = await Book.open()
})
afterEach(() => book.close())

/** Index entries of operations that were returned so far. */
async function entriesRead(): Promise<number> {
  await book.many('select pg_stat_force_next_flush()')
  const [row] = await book.many<{ read: number }>(
    `select sum(idx_tup_read)::int as read from pg_stat_user_indexes where relname in ('operation', 'issuer_request')`,
  )
  return row?.read ?? 0
}

it.each([
  ['nothing was queued', 0],
  ['the statistics said that little was queued', FEW],
])('claims and look-ups read only the rows that they take, if planned while %s', async (_, planned) => {
  const company = await book.addCompany(100_000_000n)
  const terms = () => {
    const now = book.clock.now()
    const leaseUntil = new Date(now.getTime() + LEASE_MS)
    return { environment: 'sandbox', now, leaseUntil, limit: CLAIM_SIZE } as const
  }
  const claim = () => claimOperations(book.db, terms(), createTurns().next(CLAIM_SIZE))
  const lookUp = async () => {
    const due = await claimLookUps(book.db, terms(), ['service'])
    const claimed = { companyIds: due.map(({ company_id }) => company_id), ids: due.map(({ id }) => id) }
    return listClaimedOperations(book.db, 'sandbox', claimed)
  }
  const queue = async (count: number) => {
    for (let queued = 0; queued < count; queued += FEW) {
      expect(await book.acceptBatch(Array.from({ length: FEW }, () => service(company)))).toEqual([])
    }
  }
  await queue(planned)
  // After this, plans are made again and kept.
  if (planned > 0) await book.many('analyze operation, issuer_request')
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

it.each([
  ['new', 'select 1'],
  ['known to be empty', 'vacuum analyze operation, issuer_request'],
])('claims and settlements read what they take, planned while the table was %s', async (_, prepare) => {
  const company = await book.addCompany(100_000_000n)
  // One connection, which keeps the plans of its first claims.
  const db = createPool(book.connection, { size: 1, onError: () => {} })
  const now = book.clock.now()
  const terms = {
    environment: 'sandbox',
    now,
    leaseUntil: new Date(now.getTime() + LEASE_MS),
    limit: CLAIM_SIZE,
  } as const
  const claim = () => claimOperations(db, terms, createTurns().next(CLAIM_SIZE))
  await book.run(prepare)
  const settle = async (rows: readonly ClaimedOperation[]) => {
    const items = rows.map(({ id }) => ({ scope: company.scope, id, status: 'completed', receipt: 'R' }) as const)
    expect(await settleOperations(db, now, items)).toEqual([])
  }
  await book.accept(service(company))
  const first = await claim()
  expect(first).toHaveLength(1)
  await settle(first)
  for (let queued = 0; queued < MANY; queued += FEW) {
    expect(await book.acceptBatch(Array.from({ length: FEW }, () => service(company)))).toEqual([])
  }
  const flush = () => db.many({ name: undefined, text: 'select pg_stat_force_next_flush()', values: [] })
  const before = await entriesRead()
  const rows = await claim()
  expect(rows).toHaveLength(CLAIM_SIZE)
  await flush()
  const claimed = await entriesRead()
  expect(claimed - before).toBeLessThan(READ_MAX)
  await settle(rows)
  await flush()
  expect((await entriesRead()) - claimed).toBeLessThan(READ_MAX)
  await db.close()
})

it.skipIf(onCitus('plans'))('completing a few reads only those, planned before there were statistics', async () => {
  const few = 20
  const companies = await Promise.all(Array.from({ length: FEW }, () => book.addCompany(100_000_000n)))
  const completeFew = async (db: Pool) => {
    const terms = { environment: 'sandbox', now: book.clock.now(), limit: few } as const
    const completed = await completeOperations(db, terms, createTurns().next(few), AT_ONCE)
    await db.many({ name: undefined, text: 'select pg_stat_force_next_flush()', values: [] })
    return completed
  }
  for (let accepted = 0; accepted < MANY; accepted += FEW) {
    expect(await book.acceptBatch(companies.map((company) => service(company)))).toEqual([])
    // Each connection makes plans of its own, for a table of another size.
    const db = createPool(book.connection, { size: 1, onError: () => {} })
    await completeFew(db)
    const before = await entriesRead()
    expect(await completeFew(db)).toHaveLength(few)
    expect((await entriesRead()) - before).toBeLessThan(10 * few)
    await db.close()
  }
})

it.skipIf(onCitus('plans'))('a claim passes through many companies in one scan of the queue', async () => {
  const companies = await Promise.all(Array.from({ length: 24 }, () => book.addCompany(100_000n)))
  expect(await book.acceptBatch(companies.map((company) => service(company)))).toEqual([])
  const countScans = async () => {
    await book.many('select pg_stat_force_next_flush()')
    const [row] = await book.many<{ scans: number }>(
      `select idx_scan::int as scans from pg_stat_user_indexes where indexrelname = 'issuer_request_queued'`,
    )
    return row?.scans ?? 0
  }
  const now = book.clock.now()
  const leaseUntil = new Date(now.getTime() + LEASE_MS)
  const before = await countScans()
  const rows = await claimOperations(
    book.db,
    { environment: 'sandbox', now, leaseUntil, limit: CLAIM_SIZE },
    createTurns().next(CLAIM_SIZE),
  )
  expect(rows).toHaveLength(companies.length)
  // One to the last company, and one from the first company on.
  expect((await countScans()) - before).toBeLessThanOrEqual(2)
})

it('a live claim does not read what is queued in the sandbox', async () => {
  const company = await book.addCompany(100_000_000n)
  for (let queued = 0; queued < MANY; queued += FEW) {
    expect(await book.acceptBatch(Array.from({ length: FEW }, () => service(company)))).toEqual([])
  }
  const now = book.clock.now()
  const terms = { environment: 'live', now, leaseUntil: new Date(now.getTime() + LEASE_MS), limit: CLAIM_SIZE } as const
  const before = await entriesRead()
  expect(await claimOperations(book.db, terms, createTurns().next(CLAIM_SIZE))).toEqual([])
  expect((await entriesRead()) - before).toBe(0)
})

it('claims do not read again what earlier claims left dead in the index', async () => {
  const companies = [await book.addCompany(100_000_000n), await book.addCompany(100_000_000n)]
  for (let queued = 0; queued < MANY; queued += FEW) {
    // Give each group its own time: a claim reads rows with the time of the last claimed row again.
    book.clock.advance(1)
    for (const company of companies) {
      expect(await book.acceptBatch(Array.from({ length: FEW }, () => service(company)))).toEqual([])
    }
  }
  const turns = createTurns()
  const reads: number[] = []
  // An old snapshot keeps PostgreSQL from marking the entries, as any long query does.
  const snapshot = new pg.Client(book.connection)
  await snapshot.connect()
  await snapshot.query('begin isolation level repeatable read')
  await snapshot.query('select 1')
  for (let claimed = 0; claimed < 2 * MANY; claimed += CLAIM_SIZE) {
    const now = book.clock.now()
    const turn = turns.next(CLAIM_SIZE)
    const terms = {
      environment: 'sandbox',
      now,
      leaseUntil: new Date(now.getTime() + LEASE_MS),
      limit: CLAIM_SIZE,
    } as const
    const before = await entriesRead()
    const rows = await claimOperations(book.db, terms, turn)
    reads.push((await entriesRead()) - before)
    turns.record(turn, summarise(rows), now)
    expect(rows).toHaveLength(CLAIM_SIZE)
  }
  await snapshot.end()
  // Every few seconds a worker forgets its positions, and one claim reads everything. The median leaves such claims out.
  expect(reads.toSorted((a, b) => a - b)[Math.floor(reads.length / 2)]).toBeLessThan(READ_MAX)
})
