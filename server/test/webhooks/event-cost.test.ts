// The cost of reading and removing events does not depend on their number. The test runs one statement at a time without a
// server, so that the counters include only these statements.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from '../../src/db/sql.ts'
import { listEvents } from '../../src/events/queries.ts'
import { pruneJob } from '../../src/webhooks/jobs.ts'
import { Book, type BookCompany, service } from '../ledger/book.ts'

const MANY = 5_000
const PAGE = { after: 'ffffffff-ffff-ffff-ffff-ffffffffffff', limit: 20 }
/** The rows of a page, and for each event the row of its object, with a margin. */
const READ_MAX = 100

const book = await Book.open()
let company: BookCompany
beforeAll(async () => {
  company = await book.addCompany(1_000_000n)
  await book.accept(service(company))
  await book.db.run(sql`
    insert into event (company_id, environment, id, type, object_id, sequence, data, created_at)
    select company_id, environment, gen_random_uuid(), 'card.updated', company_id, i, '{}', ${book.clock.now()}
    from account, generate_series(1, ${MANY}) i`)
  await book.db.run(sql`
    insert into event (company_id, environment, id, type, object_id, sequence, data, created_at)
    select company_id, environment, '00000000-0000-7000-8000-000000000001', 'invoice.expired', company_id, ${MANY + 1}, '{}', ${book.clock.now()}
    from account where environment = 'sandbox'`)
})
afterAll(() => book.close())

/** Index entries and rows of whole tables that were read so far. */
async function counters(): Promise<{ entries: number; scanned: number }> {
  await book.many('select pg_stat_force_next_flush()')
  const [row] = await book.many<{ entries: number; scanned: number }>(`
    select (select sum(idx_tup_read)::int from pg_stat_user_indexes where relname in ('event', 'operation')) as entries,
           (select sum(seq_tup_read)::int from pg_stat_user_tables where relname in ('event', 'operation', 'delivery')) as scanned`)
  return row ?? { entries: 0, scanned: 0 }
}

it.each([
  [undefined, 20],
  ['operation.queued', 1],
  ['invoice.expired', 1],
  ['api_key.expiring', 0],
])('a page of type %s reads only the rows of that page', async (type, count) => {
  const before = await counters()
  const filter = { type, from: new Date(0), until: null }
  expect(await listEvents(book.db, company.scope, filter, PAGE)).toHaveLength(count)
  const after = await counters()
  expect(after.entries - before.entries).toBeLessThan(READ_MAX)
  expect(after.scanned).toBe(before.scanned)
})

it('looking for old events does not read the newer ones', async () => {
  const before = await counters()
  await pruneJob(book.db, () => new Date(0)).run()
  expect((await counters()).scanned).toBe(before.scanned)
})
