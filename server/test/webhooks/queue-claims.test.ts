// Which queues a worker may claim, and which of their deliveries it takes.
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { claimQueues, takeDeliveries } from '../../src/webhooks/queries.ts'
import { Book, issue } from '../ledger/book.ts'
import { selectWaiting } from '../support/on-citus.ts'
import { until } from '../support/wait.ts'
import { QueueBook } from './queue-book.ts'

let shared: Book
let book: QueueBook
beforeAll(async () => {
  shared = await Book.open()
})
afterAll(() => shared.close())
beforeEach(async () => {
  book = await QueueBook.start(shared)
  // The queues of earlier tests are at rest.
  await shared.run('update delivery_queue set due_at = null')
})

const worker = randomUUID()
const claim = (isFailing: boolean) => claimQueues(book.db, book.now, book.at(30), worker, isFailing)
const HEALTHY = 0
const FAILING = 1

describe('a claim', () => {
  it.each([HEALTHY, FAILING])(
    'takes the lease of the queues that are ready, with %i failures, and of no others',
    async (failures) => {
      const queues: Record<string, Record<string, unknown>> = {
        due: { due_at: book.now, not_before: book.at(-10), failures },
        rested: { due_at: book.at(-10), not_before: book.now, failures },
        idle: { due_at: null, not_before: book.at(-10), failures },
        early: { due_at: book.at(0.001), not_before: book.at(-10), failures },
        resting: { due_at: book.at(-10), not_before: book.at(0.001), failures },
        otherwise: {
          due_at: book.at(-10),
          not_before: book.at(-10),
          failures: failures === HEALTHY ? FAILING : HEALTHY,
        },
      }
      for (const [name, row] of Object.entries(queues)) {
        await book.addEndpoint(name)
        await book.setQueue(name, row)
      }
      let claimed: unknown[] = []
      const changes = await book.changesOf(async () => {
        claimed = await claim(failures > 0)
      })
      const leased = { worker_id: worker, not_before: book.at(30) }
      expect(changes).toEqual({ 'delivery_queue due': leased, 'delivery_queue rested': leased })
      expect(claimed).toEqual(['due', 'rested'].map((name) => ({ ...book.key(name), failures })))
      expect(await claim(failures > 0)).toEqual([])
    },
  )

  it.each([HEALTHY, FAILING])(
    'takes ten out of the forty that have been ready for longest, with %i failures',
    async (failures) => {
      await book.addEndpoint('one')
      const { companyId, environment } = book.scope
      // The recent ones have been due for longer, but rested until a moment ago.
      const add = async (dueAt: Date, notBefore: Date, count = failures) => {
        const text = `with e as (
        insert into webhook_endpoint (company_id, environment, id, url, events, created_at)
        select $1, $2, gen_random_uuid(), 'https://example.com', '{*}', $3 from generate_series(1, 40) returning *)
        insert into delivery_queue (company_id, environment, endpoint_id, due_at, not_before, failures)
        select company_id, environment, id, $4, $5, $6 from e returning endpoint_id`
        const rows = await shared.many<{ endpoint_id: string }>(text, [
          companyId,
          environment,
          book.now,
          dueAt,
          notBefore,
          count,
        ])
        return new Set(rows.map((row) => row.endpoint_id))
      }
      // Those of the other kind have been ready for longest of all.
      await add(book.at(-300), book.at(-300), failures === HEALTHY ? FAILING : HEALTHY)
      await add(book.at(-200), book.at(-10))
      const longest = await add(book.at(-100), book.at(-100))
      const claimed = await claim(failures > 0)
      expect(claimed).toHaveLength(10)
      expect(claimed.filter(({ endpoint_id: id }) => longest.has(id))).toHaveLength(10)
    },
  )

  it.each([
    ['is idle now', HEALTHY, 'due_at = null', 0],
    ['has been claimed', HEALTHY, `not_before = 'infinity'`, 0],
    ['is due later', HEALTHY, `due_at = 'infinity'`, 0],
    ['has failed', HEALTHY, 'failures = 1', 0],
    ['has succeeded', FAILING, 'failures = 0', 0],
    ['has become due at this moment', HEALTHY, 'due_at = not_before', 1],
    ['was only locked', HEALTHY, 'failures = failures', 1],
    ['was only locked while it fails', FAILING, 'failures = failures', 1],
  ])('looks again at a queue that somebody had locked: it %s', async (_what, failures, change, expected) => {
    await book.addEndpoint('one')
    await book.setQueue('one', { due_at: book.at(-10), not_before: book.now, failures })
    const other = new pg.Client(shared.connection)
    await other.connect()
    try {
      await other.query('begin')
      await other.query(`update delivery_queue set ${change} where endpoint_id = $1`, [book.id('one')])
      const claimed = claim(failures > 0)
      await until('the claim waits', async () => (await book.db.many(selectWaiting())).length > 0)
      await other.query('commit')
      expect(await claimed).toHaveLength(expected)
    } finally {
      await other.end()
    }
  })
})

it('a claim locks queues in the order of their keys, so that concurrent claims do not deadlock', async () => {
  await book.addEndpoint('one')
  await book.setQueue('one', { due_at: book.at(-10), not_before: book.now })
  await book.copyToOthers()
  const companyIds = [book.scope, ...book.others].map(({ companyId }) => companyId).toSorted()
  const other = new pg.Client(shared.connection)
  await other.connect()
  const lock = (companyId: string | undefined) =>
    other.query(`select from delivery_queue where company_id = $1 for update nowait`, [companyId])
  try {
    await other.query('begin')
    await lock(companyIds[0])
    const claimed = claim(false)
    await until('the claim waits', async () => (await book.db.many(selectWaiting())).length > 0)
    await lock(companyIds.at(-1))
    await other.query('rollback')
    expect(await claimed).toHaveLength(3)
  } finally {
    await other.end()
  }
})

describe('a worker takes', () => {
  const take = async (...requests: [string, number][]) => {
    const queues = requests.map(([name, size]) => ({ queue: book.key(name), size }))
    const rows = await takeDeliveries(book.db, book.now, worker, queues)
    return rows.toSorted((a, b) => a.item - b.item)
  }

  it('what is due, the oldest first, as many as it asked for, from each queue that it has the lease of', async () => {
    const queues: Record<string, Record<string, unknown>> = {
      first: { failures: 4 },
      failing: { failures: 5 },
      disabled: {},
      lost: { worker_id: randomUUID() },
      free: { worker_id: null },
      second: {},
    }
    for (const [name, row] of Object.entries(queues)) {
      await book.addEndpoint(name)
      await book.setQueue(name, { worker_id: worker, ...row })
    }
    await book.setEndpoint('disabled', { status: 'disabled', disabled_reason: 'request' })
    const events = { early: 0.001, now: 0, earlier: -5, oldest: -10, younger: -5, done: -20, over: -20 }
    for (const [event, seconds] of Object.entries(events)) {
      await book.addEvent(event)
      const status = { done: 'delivered', over: 'failed' }[event] ?? 'pending'
      for (const name of Object.keys(queues))
        await book.addDelivery(name, event, { due_at: book.at(seconds), status, attempt_count: 2, resend_count: 3 })
    }
    await book.copyToOthers()
    const rows = await take(['first', 3], ['failing', 3], ['disabled', 3], ['lost', 3], ['free', 3], ['second', 9])
    const shown = rows.map(({ item, id, url }) => [item, id, url])
    const urlOf = (name: string) => `https://${name}.example.com`
    expect(shown).toEqual([
      [1, book.id('oldest'), urlOf('first')],
      [1, book.id('earlier'), null],
      [1, book.id('younger'), null],
      [2, book.id('oldest'), urlOf('failing')],
      [6, book.id('oldest'), urlOf('second')],
      [6, book.id('earlier'), null],
      [6, book.id('younger'), null],
      [6, book.id('now'), null],
    ])
    expect(rows[0]).toMatchObject({ type: 'card.updated', sequence: 2, data: {}, attempt_count: 2, resend_count: 3 })
    expect(rows[0]).toMatchObject({
      company_id: book.scope.companyId,
      environment: 'sandbox',
      created_at: book.at(-500),
    })
  })

  it('sixty-four at most', async () => {
    await book.addEndpoint('one')
    await book.setQueue('one', { worker_id: worker })
    for (let count = 0; count < 65; count += 1) {
      await book.addEvent(`event ${count}`)
      await book.addDelivery('one', `event ${count}`)
    }
    expect(await take(['one', 100])).toHaveLength(64)
  })

  it("the endpoint's own secrets once, the newest first", async () => {
    for (const name of ['one', 'other']) await book.addEndpoint(name)
    await book.setQueue('one', { worker_id: worker })
    const { companyId, environment } = book.scope
    await shared.run(
      `insert into webhook_secret (company_id, environment, endpoint_id, id, ciphertext, key_id, created_at, expires_at)
       values ($1, $2, $3, 'ffffffff-0000-7000-8000-000000000000', 'newest', 'next key', $4, $4)`,
      [companyId, environment, book.id('one'), book.now],
    )
    for (const event of ['first', 'second']) {
      await book.addEvent(event)
      await book.addDelivery('one', event)
    }
    const toBase64 = (text: string) => Buffer.from(text).toString('base64')
    const [first, second] = await take(['one', 9])
    expect(first?.secrets).toMatchObject([
      { ciphertext: toBase64('newest'), keyId: 'next key', expiresAt: expect.stringContaining('2026') as string },
      { ciphertext: toBase64('one'), keyId: 'key', id: book.id("one's secret"), expiresAt: null },
    ])
    expect(second?.secrets).toBeNull()
  })

  it('an operation with its event, and no operation with an event of something else', async () => {
    await book.addEndpoint('one')
    await book.setQueue('one', { worker_id: worker })
    const operation = book.name('operation', await shared.accept(issue(book.company)))
    await shared.accept(issue(book.company))
    await shared.run('delete from delivery where company_id = $1 and event_id <> $2', [book.scope.companyId, operation])
    await book.addEvent('card', { object: operation })
    await book.addDelivery('one', 'card', { due_at: book.at(-1) })
    const rows = await take(['one', 9])
    expect(rows).toMatchObject([
      { id: book.id('card'), operation_type: null, amount: null, operation_created_at: null },
      { id: operation, type: 'operation.queued', operation_type: 'issue', amount: 1000n, fee: 302n },
    ])
    expect(rows).toHaveLength(2)
  })
})
