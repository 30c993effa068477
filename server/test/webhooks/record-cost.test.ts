// What recording attempts costs does not depend on how many deliveries wait at the same endpoint: each delivery is looked up by its key.
import { randomUUID } from 'node:crypto'
import { expect, it, onTestFinished } from 'vitest'
import { createPool } from '../../src/db/pool.ts'
import { sql } from '../../src/db/sql.ts'
import { newId } from '../../src/lib/ids.ts'
import { recordAttempts } from '../../src/webhooks/queries.ts'
import { Book } from '../ledger/book.ts'
import { onCitus } from '../support/on-citus.ts'
import { QueueBook } from './queue-book.ts'

const STEP = 1_000
const STEPS = 6
const FEW = 20
/** For a delivery: down two indexes and to its row, for a new version of it, and for its attempt, with a margin. */
const PAGES_MAX = 20
const ATTEMPT = {
  number: 1,
  resend_count: 0,
  status: 'delivered' as const,
  status_code: 204,
  error: null,
  latency_ms: 1,
  response: null,
  due_at: null,
}

it.skipIf(onCitus('plans'))(
  'recording a few attempts looks at few pages, planned before there were statistics',
  async () => {
    const shared = await Book.open()
    onTestFinished(() => shared.close())
    const book = await QueueBook.start(shared)
    const worker = randomUUID()
    await book.addEndpoint('one')
    await book.setQueue('one', { worker_id: worker, not_before: book.at(3600) })
    const scope = [book.scope.companyId, book.scope.environment]
    for (let step = 0; step < STEPS; step += 1) {
      // Each is due at a time of its own, as when events come one after the other while an endpoint is down.
      const ids = Array.from({ length: STEP }, () => newId(book.now))
      await book.db.run(sql`
        insert into delivery (company_id, environment, endpoint_id, event_id, due_at)
        select ${scope[0]}, ${scope[1]}::environment, ${book.id('one')}, u.id, ${book.now}::timestamptz + (${step * STEP} + u.n) * interval '1 ms'
        from unnest(${ids}::uuid[]) with ordinality u (id, n)`)
      // Each connection makes plans of its own, for a table of another size.
      const db = createPool(book.book.connection, { size: 1, onError: () => {} })
      onTestFinished(() => db.close())
      const record = (from: number) => {
        const attempts = ids
          .slice(from, from + FEW)
          .map((event_id) => ({ ...ATTEMPT, event_id, id: newId(book.now), started_at: book.now }))
        const round = { queue: book.key('one'), attempts, until: null, hasSucceeded: true, failures: 0 }
        return recordAttempts(db, book.now, worker, book.at(-900), [round])
      }
      await record(0)
      const before = await pagesOf(db)
      await record(FEW)
      expect((await pagesOf(db)) - before).toBeLessThan(PAGES_MAX * FEW)
    }
    const delivered = await shared.many(`select from delivery where status = 'delivered'`)
    expect(delivered).toHaveLength(2 * FEW * STEPS)
  },
)

/** Pages of deliveries and of their indexes that were looked at so far. */
async function pagesOf(db: ReturnType<typeof createPool>): Promise<number> {
  await db.many({ name: undefined, text: 'select pg_stat_force_next_flush()', values: [] })
  const row = await db.find<{ pages: number }>(sql`
    select (heap_blks_hit + heap_blks_read + idx_blks_hit + idx_blks_read)::int as pages
    from pg_statio_user_tables where relname = 'delivery'`)
  return row?.pages ?? 0
}
