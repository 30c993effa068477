// What a worker claims and serves at a time, and how it stops. The test answers each request, and sees each statement.
import { setImmediate } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { Db } from '../../src/db/pool.ts'
import type { Statement } from '../../src/db/sql.ts'
import { newId } from '../../src/lib/ids.ts'
import { createLog } from '../../src/lib/log.ts'
import { createWebhookBox } from '../../src/webhooks/assemble.ts'
import { createDeliverer } from '../../src/webhooks/deliver.ts'
import { createEndpoint } from '../../src/webhooks/queries.ts'
import type { Scope } from '../../src/lib/scope.ts'
import type { Job } from '../../src/worker/loop.ts'
import { Book } from '../ledger/book.ts'
import { toDispatcher } from '../support/dispatcher.ts'
import { until } from '../support/wait.ts'
import { QueueBook } from './queue-book.ts'

const secretBox = createWebhookBox({ secretKey: Buffer.alloc(32, 7) })

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
afterEach(() => {
  vi.useRealTimers()
})

/** Carries out all statements. It can keep the answers of those that record attempts. */
class WatchedDb implements Db {
  readonly statements: string[] = []
  isKeeping = false
  readonly kept: (() => void)[] = []

  many = <Row>(statement: Statement): Promise<Row[]> => this.#watch(statement, shared.db.many<Row>(statement))
  find = <Row>(statement: Statement): Promise<Row | undefined> => this.#watch(statement, shared.db.find<Row>(statement))
  run = (statement: Statement): Promise<number> => this.#watch(statement, shared.db.run(statement))

  count(text: string): number {
    return this.statements.filter((statement) => statement.includes(text)).length
  }

  async #watch<Value>({ text }: Statement, answer: Promise<Value>): Promise<Value> {
    this.statements.push(text)
    const value = await answer
    if (this.isKeeping && text.includes('record_attempts')) await new Promise<void>((go) => this.kept.push(go))
    return value
  }
}

function start() {
  const db = new WatchedDb()
  const held: (() => void)[] = []
  const request = async () => {
    await new Promise<void>((answer) => held.push(answer))
    return { statusCode: 200, headers: {}, body: [] }
  }
  const log = createLog({ level: 'silent' })
  const openAgent = async () => toDispatcher(request)
  const deliverer = createDeliverer({ db, clock: shared.clock, log, openAgent, secretBox, showOperation: () => ({}) })
  const [working, failing] = deliverer.jobs as [Job, Job]
  return {
    db,
    deliverer,
    working,
    failing,
    held,
    waitForRequests: (count: number) => until(`${count} requests are held`, () => held.length === count),
    answerAll: () => {
      for (const answer of held.splice(0)) answer()
    },
  }
}

async function addEndpoint(scope = book.scope): Promise<string> {
  const endpointId = newId(book.now)
  const place = { scope, endpointId, id: newId(book.now) }
  const secret = { id: place.id, ...secretBox.encrypt(place, 'whsec_AAAA') }
  const endpoint = { id: endpointId, url: 'https://example.com', events: ['*'], description: null, secret, limit: 1000 }
  await createEndpoint(book.db, scope, book.now, endpoint)
  return endpointId
}
const emit = (count = 1, scope = book.scope) =>
  shared.run(
    `select emit_event($1, $2, 'card.updated', gen_random_uuid(), '{}', $3) from generate_series(1, $4::int)`,
    [scope.companyId, scope.environment, book.now, count],
  )
const idsOf = (scopes: readonly Scope[]) => scopes.map(({ companyId }) => companyId)
const countPending = async (scopes: readonly Scope[] = [book.scope]) => {
  const rows = await shared.many(`select 1 from delivery where company_id = any($1) and status = 'pending'`, [
    idsOf(scopes),
  ])
  return rows.length
}
/** Lets everything go on that waits for nobody. */
const settle = async () => {
  for (let turn = 0; turn < 5; turn += 1) await setImmediate()
}

it('a queue that is claimed again while it is served is served again after that, and not at the same time', async () => {
  const { db, working, deliverer, waitForRequests, answerAll } = start()
  await addEndpoint()
  await emit()
  db.isKeeping = true
  expect(await working.run()).toBe(false)
  await waitForRequests(1)
  answerAll()
  // The queue is free again in the database, but this worker does not know that yet.
  await until('the attempt is recorded', () => db.kept.length === 1)
  await emit()
  expect(await working.run()).toBe(false)
  await settle()
  expect(db.count('take_deliveries')).toBe(1)
  db.isKeeping = false
  db.kept[0]?.()
  await waitForRequests(1)
  answerAll()
  await until('both are delivered', async () => (await countPending()) === 0)
  await until('both are recorded', () => db.count('record_attempts') === 2)
  await settle()
  expect(db.count('take_deliveries')).toBe(2)

  await emit()
  await until('the queue is claimed again', async () => {
    await working.run()
    return db.count('take_deliveries') === 3
  })
  await waitForRequests(1)
  answerAll()
  await until('the third is delivered', async () => (await countPending()) === 0)
  await deliverer.stop()
})

it('three hundred queues are served at a time, and as many that fail have places of their own', async () => {
  const { db, working, failing, deliverer, waitForRequests, answerAll } = start()
  const scopes: Scope[] = []
  for (let company = 0; company < 16; company += 1) {
    const { scope } = await shared.addCompany()
    scopes.push(scope)
    // A company has places for no more than it can have.
    for (let count = 0; count < (company < 15 ? 20 : 12); count += 1) await addEndpoint(scope)
    await emit(1, scope)
  }
  const fail = await shared.many<{ endpoint_id: string }>(
    `update delivery_queue set failures = 1 where company_id = any($1) and endpoint_id in (
       select endpoint_id from delivery_queue where company_id = any($1) and due_at is not null limit 1) returning endpoint_id`,
    [idsOf(scopes)],
  )
  expect(fail).toHaveLength(1)
  for (let count = 0; count < 30; count += 1) expect(await working.run()).toBe(true)
  await waitForRequests(300)
  const claims = db.count('claim_delivery_queues')
  expect(await working.run()).toBe(false)
  expect(db.count('claim_delivery_queues')).toBe(claims)
  expect(await failing.run()).toBe(false)
  await waitForRequests(301)
  answerAll()
  await until('they are delivered', async () => (await countPending(scopes)) === 11)
  await deliverer.stop()
})

it('a worker that stops waits for what is in flight, records it, and sends nothing more', async () => {
  const { working, deliverer, held, waitForRequests, answerAll } = start()
  await addEndpoint()
  await emit(17)
  await working.run()
  await waitForRequests(16)
  const stopped = deliverer.stop()
  await settle()
  answerAll()
  await stopped
  expect(await countPending()).toBe(1)
  expect(held).toEqual([])
})

it('a worker that has waited for five seconds gives up and records nothing', async () => {
  const { db, working, deliverer, waitForRequests, answerAll } = start()
  await addEndpoint()
  await emit()
  await working.run()
  await waitForRequests(1)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const stopped = deliverer.stop()
  await vi.advanceTimersByTimeAsync(5_000)
  await stopped
  vi.useRealTimers()
  answerAll()
  await settle()
  expect(db.count('record_attempts')).toBe(0)
  expect(await countPending()).toBe(1)
})
