// Leases: nobody looks up an operation while a request for it may still be sent or under way, a claimer that was suspended
// for too long sends nothing, and concurrent workers share the look-ups.
import pg from 'pg'
import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Db } from '../../src/db/pool.ts'
import { leaseUntil, sendWithinMs } from '../../src/issuer/lease.ts'
import type { IssuerOutcome, LookUpOutcome } from '../../src/issuer/port.ts'
import { createSettler } from '../../src/ledger/settle.ts'
import { createLog } from '../../src/lib/log.ts'
import { createOperationsWorker } from '../support/operations-worker.ts'
import type { RequestWorker } from '../../src/issuer/requests/worker.ts'
import { Book, type BookCompany, service } from '../ledger/book.ts'
import { createGates } from '../support/gates.ts'
import { onAllNodes, selectWaiting, testGrouping } from '../support/on-citus.ts'
import { until } from '../support/wait.ts'

const TIMEOUT_MS = 60_000
/** Longer than any lease. */
const LEASE_OVER_MS = 2 * TIMEOUT_MS

const book = await Book.open()
let company: BookCompany
beforeEach(async () => {
  company = await book.addCompany(10_000_000n)
})
afterEach(async () => {
  vi.useRealTimers()
  await book.requireClean()
})
afterAll(() => book.close())

/** Starts a worker whose requests are answered as given, and whose look-ups confirm unless told otherwise. Both are counted. */
function start(
  calls: { sent: number; lookedUp: number },
  send: () => Promise<IssuerOutcome>,
  db: Db = book.db,
  found: LookUpOutcome = { kind: 'confirmed', receipt: 'R' },
  callsMax = 1_000,
): RequestWorker {
  const count = () => {
    calls.sent += 1
    return send()
  }
  const lookUp = async () => {
    calls.lookedUp += 1
    return found
  }
  const script = { issueCard: count, topUpCard: count, orderService: count, lookUp, lookUpDelaysMs: [0], callsMax }
  const { clock } = book
  const gates = createGates(script, { clock, timeoutMs: TIMEOUT_MS })
  const grouping = testGrouping()
  const settler = createSettler({ db: book.db, clock, grouping })
  const log = createLog({ level: 'silent' })
  const processor = createOperationsWorker({
    db,
    clock,
    log,
    settler,
    gates,
    issuerTimeoutMs: TIMEOUT_MS,
    grouping,
    onRoom: () => {},
  })
  return { ...processor, claims: onAllNodes(processor.claims), lookUps: onAllNodes(processor.lookUps) }
}
const confirm = async (): Promise<IssuerOutcome> => ({ kind: 'confirmed', receipt: 'R' })

it('another worker looks an operation up only after the last moment at which its request could be under way', async () => {
  await book.accept(service(company))
  const calls = { sent: 0, lookedUp: 0 }
  let answer: (outcome: IssuerOutcome) => void = () => {}
  const first = start(calls, () => new Promise((resolve) => (answer = resolve)))
  await first.claims.run()
  const other = start(calls, confirm)
  book.clock.advance(sendWithinMs(TIMEOUT_MS) + TIMEOUT_MS)
  await other.lookUps.run()
  await other.idle()
  expect(calls).toEqual({ sent: 1, lookedUp: 0 })
  book.clock.advance(LEASE_OVER_MS)
  await other.lookUps.run()
  await other.idle()
  expect(calls).toEqual({ sent: 1, lookedUp: 1 })
  answer({ kind: 'confirmed', receipt: 'R' })
  await first.idle()
})

it('an answer that comes so late that it ends a review is kept as the evidence', async () => {
  const id = await book.accept(service(company))
  const calls = { sent: 0, lookedUp: 0 }
  let answer: (outcome: IssuerOutcome) => void = () => {}
  const suspended = start(calls, () => new Promise((resolve) => (answer = resolve)))
  await suspended.claims.run()
  const unknown = { kind: 'unknown', reason: 'not found', answered: true } as const
  const other = start(calls, confirm, book.db, unknown)
  book.clock.advance(LEASE_OVER_MS)
  await other.lookUps.run()
  await other.idle()
  expect((await book.find(company, id)).status).toBe('manual_review')
  answer({ kind: 'confirmed', receipt: 'R' })
  await suspended.idle()
  expect((await book.find(company, id)).status).toBe('completed')
  const kept = await book.many('select purpose, outcome from exchange where object_id = $1 order by id', [id])
  expect(kept).toEqual([
    { purpose: 'look_up', outcome: 'unknown' },
    { purpose: 'request', outcome: 'confirmed' },
  ])
})

it.each([
  ['just before its lease ends', 1, 0],
  ['when its lease ends', 0, 1],
])('an answer that completes an operation %s is kept as evidence only if it is late', async (_name, earlyMs, kept) => {
  const id = await book.accept(service(company))
  const end = leaseUntil(book.clock.now(), TIMEOUT_MS).getTime()
  const worker = start({ sent: 0, lookedUp: 0 }, () => {
    book.clock.set(new Date(end - earlyMs).toISOString())
    return confirm()
  })
  await worker.claims.run()
  await worker.idle()
  expect((await book.find(company, id)).status).toBe('completed')
  expect(await book.many('select from exchange where object_id = $1', [id])).toHaveLength(kept)
})

it('a worker that was suspended gives the place of its call back', async () => {
  await book.accept(service(company))
  const calls = { sent: 0, lookedUp: 0 }
  let isSuspended = true
  vi.useFakeTimers({ toFake: ['performance'] })
  const suspended: Db = {
    ...book.db,
    many: async (statement) => {
      const rows = await book.db.many<never>(statement)
      if (isSuspended && statement.text.includes('claim_operations'))
        vi.advanceTimersByTime(sendWithinMs(TIMEOUT_MS) + 1)
      return rows
    },
  }
  const worker = start(calls, confirm, suspended, undefined, 1)
  await worker.claims.run()
  await worker.idle()
  isSuspended = false
  const id = await book.accept(service(company))
  await worker.claims.run()
  await worker.idle()
  expect(calls.sent).toBe(1)
  expect((await book.find(company, id)).status).toBe('completed')
  // The first operation, which was not sent, is left to a look-up.
  book.clock.advance(LEASE_OVER_MS)
  await worker.lookUps.run()
  await worker.idle()
  expect(calls).toEqual({ sent: 1, lookedUp: 1 })
})

it.each([
  ['is sent', 0, 1],
  ['is not sent', 1, 0],
])('a request whose claimer was suspended for as long as allowed, and a little, %s', async (_name, moreMs, sent) => {
  await book.accept(service(company))
  const calls = { sent: 0, lookedUp: 0 }
  vi.useFakeTimers({ toFake: ['performance'] })
  const suspended: Db = {
    ...book.db,
    many: async (statement) => {
      const rows = await book.db.many<never>(statement)
      if (statement.text.includes('claim_operations')) vi.advanceTimersByTime(sendWithinMs(TIMEOUT_MS) + moreMs)
      return rows
    },
  }
  const worker = start(calls, confirm, suspended)
  await worker.claims.run()
  await worker.idle()
  expect(calls.sent).toBe(sent)
  // Whatever was not sent is left to a look-up.
  book.clock.advance(LEASE_OVER_MS)
  await worker.lookUps.run()
  await worker.idle()
  expect(calls).toEqual({ sent, lookedUp: 1 - sent })
})

it('a worker that waits for the claim of another worker does not look the operation up too', async () => {
  await book.accept(service(company))
  const calls = { sent: 0, lookedUp: 0 }
  const worker = start(calls, async () => ({ kind: 'unknown', reason: 'reset', answered: true }))
  await worker.claims.run()
  await worker.idle()
  const other = new pg.Client(book.connection)
  await other.connect()
  await other.query('begin')
  const now = book.clock.now()
  const leaseEnd = new Date(now.getTime() + LEASE_OVER_MS)
  const claimed = await other.query(`select id from claim_look_ups('sandbox', $1, $2, 200, '{service}')`, [
    now,
    leaseEnd,
  ])
  expect(claimed.rows).toHaveLength(1)
  const lookUps = worker.lookUps.run()
  await expect.poll(async () => (await book.db.many(selectWaiting())).length).toBe(1)
  await other.query('commit')
  await other.end()
  await lookUps
  await worker.idle()
  expect(calls).toEqual({ sent: 1, lookedUp: 0 })
})

it('four workers at once look up each operation once', async () => {
  expect(await book.acceptBatch(Array.from({ length: 150 }, () => service(company)))).toEqual([])
  const calls = { sent: 0, lookedUp: 0 }
  const sender = start(calls, async () => ({ kind: 'unknown', reason: 'reset', answered: true }))
  await sender.claims.run()
  await sender.idle()
  const workers = Array.from({ length: 4 }, () => start(calls, confirm))
  const lookUp = async () => {
    await Promise.all(workers.map((worker) => worker.lookUps.run()))
    await Promise.all(workers.map((worker) => worker.idle()))
  }
  // On Citus a worker finds nothing while the others take what it was about to take, and comes again later.
  await until('all are looked up', async () => {
    await lookUp()
    return calls.lookedUp >= 150
  })
  await lookUp()
  expect(calls).toEqual({ sent: 150, lookedUp: 150 })
})
