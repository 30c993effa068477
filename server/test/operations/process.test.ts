// The worker with an issuer that the test controls: deadlines, late answers, suspended workers, and what a review shows.
import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Db } from '../../src/db/pool.ts'
import { FAILURES_MAX, PAUSES_MS } from '../../src/issuer/circuit.ts'
import { sendWithinMs } from '../../src/issuer/lease.ts'
import type { IssuerOutcome, LookUpOutcome } from '../../src/issuer/port.ts'
import { createSettler } from '../../src/ledger/settle.ts'
import { createLog } from '../../src/lib/log.ts'
import { createOperationsWorker } from '../support/operations-worker.ts'
import type { RequestWorker } from '../../src/issuer/requests/worker.ts'
import { operationReviewKind } from '../../src/operations/review.ts'
import type { Job } from '../../src/worker/loop.ts'
import { createPolling, type Polling } from '../../src/worker/polling.ts'
import { Book, type BookCompany, issue, service } from '../ledger/book.ts'
import { createGates, type IssuerScript } from '../support/gates.ts'
import { onAllNodes, testGrouping } from '../support/on-citus.ts'

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

const log = createLog({ level: 'silent' })
const confirmed: IssuerOutcome = { kind: 'confirmed', receipt: 'R', last4: '4242' }
const noAnswer = { kind: 'unknown', reason: 'no answer' } as const
const notFound: LookUpOutcome = { kind: 'unknown', reason: 'not found', answered: true }
const TIMEOUT_MS = 60_000
/** The lease is one and a half of the timeout. */
const LEASES_MS = 1_000_000

interface Script {
  send?: () => Promise<IssuerOutcome>
  lookUp?: () => Promise<LookUpOutcome>
  lookUpDelaysMs?: readonly number[]
  callsMax?: number
}

function createIssuer(script: Script) {
  const { send = async () => confirmed, lookUp = async () => notFound, lookUpDelaysMs = [], callsMax = 1_000 } = script
  const calls = { sent: 0, lookedUp: 0 }
  const count = () => {
    calls.sent += 1
    return send()
  }
  const issuer: IssuerScript = {
    issueCard: count,
    topUpCard: count,
    orderService: count,
    callsMax,
    lookUp: () => {
      calls.lookedUp += 1
      return lookUp()
    },
    lookUpDelaysMs,
  }
  return { issuer, calls }
}

interface Options {
  db?: Db
  onRoom?: () => void
  polling?: Polling
}

/** On Citus a run of a job takes all the work that there is, as on PostgreSQL. */
function start(issuer: IssuerScript, options: Options = {}): RequestWorker {
  const processor = startOnOneNode(issuer, options)
  return { ...processor, claims: onAllNodes(processor.claims), lookUps: onAllNodes(processor.lookUps) }
}

function startOnOneNode(
  issuer: IssuerScript,
  { db = book.db, onRoom = () => {}, ...rest }: Options = {},
): RequestWorker {
  const { clock } = book
  const grouping = testGrouping()
  const settler = createSettler({ db: book.db, clock, grouping })
  const gates = createGates(issuer, { clock, timeoutMs: TIMEOUT_MS })
  const deps = { db, clock, log, settler, gates, issuerTimeoutMs: TIMEOUT_MS, grouping, onRoom, ...rest }
  return createOperationsWorker(deps)
}
const statusOf = async (id: string) => (await book.find(company, id)).status

it('an issuer that does not answer in time leaves the outcome unknown, and its late answer is ignored', async () => {
  const id = await book.accept(issue(company))
  let answer: (outcome: IssuerOutcome) => void = () => {}
  const { issuer, calls } = createIssuer({ send: () => new Promise((resolve) => (answer = resolve)) })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const processor = start(issuer)
  await processor.claims.run()
  vi.advanceTimersByTime(TIMEOUT_MS)
  vi.useRealTimers()
  await processor.idle()
  expect(await statusOf(id)).toBe('manual_review')
  answer(confirmed)
  await processor.idle()
  expect(await statusOf(id)).toBe('manual_review')
  expect(calls).toEqual({ sent: 1, lookedUp: 0 })
  const { dossier } = await operationReviewKind(book).describe(await book.find(company, id))
  expect(dossier.exchanges).toMatchObject([{ purpose: 'request', received: { reason: 'no answer within 60000 ms' } }])
})

it('a worker that was suspended before it could send does not send, and the review says what is not known', async () => {
  const id = await book.accept(service(company))
  const { issuer, calls } = createIssuer({})
  const suspended: Db = {
    ...book.db,
    many: async (statement) => {
      const rows = await book.db.many<never>(statement)
      if (statement.text.includes('claim_operations')) vi.advanceTimersByTime(sendWithinMs(TIMEOUT_MS) + 1)
      return rows
    },
  }
  vi.useFakeTimers({ toFake: ['performance'] })
  const slow = start(issuer, { db: suspended })
  await slow.claims.run()
  await slow.idle()
  expect(calls.sent).toBe(0)
  expect(await statusOf(id)).toBe('processing')

  const next = start(issuer)
  await next.lookUps.run()
  expect(calls.lookedUp, 'the lease still holds').toBe(0)
  book.clock.advance(LEASES_MS)
  await next.claims.run()
  await next.lookUps.run()
  await next.idle()
  expect(calls).toEqual({ sent: 0, lookedUp: 1 })
  expect(await statusOf(id)).toBe('manual_review')
  const { dossier } = await operationReviewKind(book).describe(await book.find(company, id))
  expect(dossier.note).toMatch(/may or may not have been sent/)
})

it('look-ups follow the issuer’s schedule, and a person decides if none finds the outcome', async () => {
  const id = await book.accept(service(company))
  const { issuer, calls } = createIssuer({
    send: async () => ({ kind: 'unknown', reason: 'reset' }),
    lookUpDelaysMs: [1_000, 5_000],
  })
  const processor = start(issuer)
  await processor.claims.run()
  await processor.idle()
  for (const [waitMs, lookedUp, status] of [
    [999, 0, 'processing'],
    [1, 1, 'processing'],
    [4_999, 1, 'processing'],
    [1, 2, 'manual_review'],
    [LEASES_MS, 2, 'manual_review'],
  ] as const) {
    book.clock.advance(waitMs)
    await processor.lookUps.run()
    await processor.idle()
    expect([calls.lookedUp, await statusOf(id)]).toEqual([lookedUp, status])
  }
  expect(calls.sent).toBe(1)
})

it('the last look-up is made again while it gets no answer, and its answer settles the operation', async () => {
  const id = await book.accept(service(company))
  const outcomes: LookUpOutcome[] = [noAnswer, noAnswer, { kind: 'confirmed', receipt: 'R' }]
  const { issuer, calls } = createIssuer({
    send: async () => noAnswer,
    lookUp: async () => outcomes.shift() ?? notFound,
    lookUpDelaysMs: [60_000],
  })
  const processor = start(issuer)
  await processor.claims.run()
  await processor.idle()
  for (const [waitMs, lookedUp, status] of [
    [60_000, 1, 'processing'],
    [29_999, 1, 'processing'],
    [1, 2, 'processing'],
    [45_000, 3, 'completed'],
  ] as const) {
    book.clock.advance(waitMs)
    await processor.lookUps.run()
    await processor.idle()
    expect([calls.lookedUp, await statusOf(id)]).toEqual([lookedUp, status])
  }
  expect(calls.sent).toBe(1)
})

it('both jobs look for work more often after one of them found some', async () => {
  let nowMs = 0
  const polling = createPolling(() => nowMs)
  const { issuer } = createIssuer({ send: async () => noAnswer, lookUpDelaysMs: [60_000] })
  const processor = start(issuer, { polling })
  const isIdleAfter = async (job: Job) => {
    nowMs += LEASES_MS
    await job.run()
    await processor.idle()
    return polling.isIdle
  }
  expect(await isIdleAfter(processor.claims)).toBe(true)
  await book.accept(service(company))
  expect(await isIdleAfter(processor.claims)).toBe(false)
  expect(await isIdleAfter(processor.lookUps)).toBe(true)
  book.clock.advance(60_000)
  expect(await isIdleAfter(processor.lookUps)).toBe(false)
})

it('the answer to a look-up settles the operation', async () => {
  const ids = [await book.accept(issue(company)), await book.accept(issue(company))]
  const outcomes: LookUpOutcome[] = [
    { kind: 'confirmed', receipt: 'R', last4: '0007' },
    { kind: 'declined', code: 'limit', message: 'Too much.' },
  ]
  const { issuer } = createIssuer({
    send: () => Promise.reject(new Error('socket hang up')),
    lookUp: async () => outcomes.shift() ?? notFound,
    lookUpDelaysMs: [0],
  })
  const processor = start(issuer)
  await processor.claims.run()
  await processor.idle()
  await processor.lookUps.run()
  await processor.idle()
  expect((await Promise.all(ids.map(statusOf))).toSorted()).toEqual(['completed', 'failed'])
})

it('parts of an answer that cannot be stored are replaced, and the operation still ends', async () => {
  const outcomes: IssuerOutcome[] = [
    { kind: 'declined', code: 'a\u0000b', message: 'half \ud83d of a pair', received: { 'k\u0000': ['\udc00'] } },
    { kind: 'confirmed', receipt: 'R\u0000', last4: '4242' },
  ]
  const ids = [await book.accept(issue(company)), await book.accept(issue(company))]
  const processor = start(createIssuer({ send: async () => outcomes.shift() ?? confirmed }).issuer)
  await processor.claims.run()
  await processor.idle()
  const rows = await Promise.all(ids.map((id) => book.find(company, id)))
  const failed = rows.find(({ status }) => status === 'failed')
  expect([failed?.failure_code, failed?.failure_message]).toEqual(['a\ufffdb', 'half \ufffd of a pair'])
  expect(rows.find(({ status }) => status === 'completed')?.receipt).toBe('R\ufffd')
})

it('a claim takes no more than can be carried out at the same time, and the rest is claimed later', async () => {
  expect(await book.acceptBatch(Array.from({ length: 120 }, () => service(company)))).toEqual([])
  let answer: () => void = () => {}
  const open = new Promise<void>((resolve) => (answer = resolve))
  const { issuer, calls } = createIssuer({ send: () => open.then(() => confirmed), callsMax: 50 })
  let hasRoom = 0
  const processor = start(issuer, { onRoom: () => (hasRoom += 1) })
  while (await processor.claims.run());
  expect(calls.sent).toBe(50)
  const count = async (status: string) =>
    (
      await book.many('select 1 from operation where company_id = $1 and status = $2', [
        company.scope.companyId,
        status,
      ])
    ).length
  expect([await count('processing'), await count('queued')]).toEqual([50, 70])
  answer()
  await processor.idle()
  expect(hasRoom).toBe(1)
  // A run takes 50 at least. On Citus it goes on until nothing is left or the limit is reached, so what it returns does not tell.
  for (let round = 0; round < 2; round += 1) {
    await processor.claims.run()
    await processor.idle()
  }
  expect(await count('completed')).toBe(120)
  expect(calls.sent).toBe(120)
})

it('companies take turns when only one call can be made at a time', async () => {
  const companies: BookCompany[] = []
  for (let added = 0; added < 3; added += 1) companies.push(await book.addNeighbour(100_000n))
  const served: string[] = []
  const { issuer } = createIssuer({ callsMax: 1 })
  const order = issuer.orderService
  const processor = startOnOneNode({
    ...issuer,
    orderService: (request) => {
      served.push(request.scope.companyId)
      return order(request)
    },
  })
  // Jobs that find nothing give their place back.
  for (const job of [processor.claims, processor.lookUps]) expect(await job.run()).toBe(false)
  for (const each of companies) expect(await book.acceptBatch([service(each), service(each)])).toEqual([])
  for (let call = 1; call <= 6; call += 1) {
    expect(await processor.claims.run(), 'as many were claimed as there are places').toBe(true)
    await processor.idle()
    expect(served).toHaveLength(call)
  }
  expect(await processor.claims.run()).toBe(false)
  const ids = new Set(companies.map(({ scope }) => scope.companyId))
  expect([new Set(served.slice(0, 3)), new Set(served.slice(3))]).toEqual([ids, ids])
})

it('a look-up that could not be made does not count, and is made later', async () => {
  const id = await book.accept(service(company))
  const outcomes: LookUpOutcome[] = [
    { kind: 'not_asked', reason: 'refused' },
    { kind: 'not_asked', reason: 'refused' },
    { kind: 'confirmed', receipt: 'R' },
  ]
  const { issuer, calls } = createIssuer({
    send: async () => ({ kind: 'unknown', reason: 'reset' }),
    lookUp: async () => outcomes.shift() ?? notFound,
    lookUpDelaysMs: [0],
  })
  const processor = start(issuer)
  await processor.claims.run()
  await processor.idle()
  for (const [waitMs, lookedUp, status] of [
    [0, 1, 'processing'],
    [999, 1, 'processing'],
    [1, 2, 'processing'],
    [1_000, 3, 'completed'],
  ] as const) {
    book.clock.advance(waitMs)
    await processor.lookUps.run()
    await processor.idle()
    expect([calls.lookedUp, await statusOf(id)]).toEqual([lookedUp, status])
  }
  const { exchanges } = (await operationReviewKind(book).describe(await book.find(company, id))).dossier
  expect(exchanges.map(({ purpose, outcome }) => `${purpose} ${outcome}`)).toEqual([
    'request unknown',
    'look_up confirmed',
  ])
})

it('while requests are not answered, look-ups go on, and their answers let no request out: one request is the trial', async () => {
  const calls: string[] = []
  let answer: (outcome: IssuerOutcome) => void = () => {}
  const { issuer } = createIssuer({
    send: async () => {
      calls.push('request')
      return calls.includes('look-up') ? new Promise((resolve) => (answer = resolve)) : noAnswer
    },
    lookUp: async () => {
      calls.push('look-up')
      return { kind: 'confirmed', receipt: 'R' }
    },
    lookUpDelaysMs: [0],
  })
  const processor = start(issuer)
  const run = async () => {
    await processor.claims.run()
    await processor.idle()
  }
  const acceptTwo = async () => expect(await book.acceptBatch([service(company), service(company)])).toEqual([])
  expect(await book.acceptBatch(Array.from({ length: FAILURES_MAX }, () => service(company)))).toEqual([])
  await run()
  await acceptTwo()
  // On Citus, where a run takes the work of one node, other nodes may have look-ups too.
  for (let round = 0; round < 3; round += 1) await run()
  expect(calls, 'every look-up is answered').toEqual([
    ...Array<string>(FAILURES_MAX).fill('request'),
    ...Array<string>(FAILURES_MAX).fill('look-up'),
  ])

  calls.splice(0, FAILURES_MAX)
  book.clock.advance(PAUSES_MS[0] ?? 0)
  for (let round = 0; round < 2; round += 1) await processor.claims.run()
  expect(calls.splice(FAILURES_MAX), 'the trial').toEqual(['request'])
  answer(confirmed)
  await processor.idle()
  await processor.claims.run()
  expect(calls.splice(FAILURES_MAX), 'the rest').toEqual(['request'])
  answer(confirmed)
  await processor.idle()
})

it('a look-up of a worker that dies meanwhile does not count', async () => {
  const id = await book.accept(service(company))
  const { issuer, calls } = createIssuer({ send: () => Promise.reject(new Error('reset')), lookUpDelaysMs: [0] })
  const sender = start(issuer)
  await sender.claims.run()
  await sender.idle()
  const dying = start(createIssuer({ lookUp: () => new Promise(() => {}), lookUpDelaysMs: [0] }).issuer)
  await dying.lookUps.run()
  const claimed = await book.find(company, id)
  const [open] = await book.many<{ due_at: Date }>('select due_at from issuer_request where id = $1', [id])
  expect([(open?.due_at ?? 0) > book.clock.now(), claimed.look_up_count]).toEqual([true, 0])
  book.clock.advance(LEASES_MS)
  const next = start(
    createIssuer({ lookUp: async () => ({ kind: 'confirmed', receipt: 'R' }), lookUpDelaysMs: [0] }).issuer,
  )
  await next.lookUps.run()
  await next.idle()
  expect([await statusOf(id), calls.sent]).toEqual(['completed', 1])
})

it('an operation that the issuer rules out fails, its funds are released, and it is never sent again', async () => {
  const id = await book.accept(service(company))
  const before = await book.balance(company)
  const { issuer, calls } = createIssuer({
    send: async () => ({ kind: 'unknown', reason: 'reset' }),
    lookUp: async () => ({ kind: 'absent', received: { outcome: 'absent' } }),
    lookUpDelaysMs: [0],
  })
  const processor = start(issuer)
  for (let round = 0; round < 3; round += 1) {
    await processor.claims.run()
    await processor.lookUps.run()
    await processor.idle()
    book.clock.advance(LEASES_MS)
  }
  const row = await book.find(company, id)
  expect([row.status, row.failure_code]).toEqual(['failed', 'not_carried_out'])
  expect(row.failure_message).toMatch(/order it again/)
  expect(calls).toEqual({ sent: 1, lookedUp: 1 })
  expect(await book.balance(company)).toEqual({ available: before.available + 1_060n, held: before.held - 1_060n })
})

it('a worker does not look up its own call in flight, however long it takes', async () => {
  const id = await book.accept(service(company))
  let answer: (outcome: IssuerOutcome) => void = () => {}
  const { issuer, calls } = createIssuer({
    send: () => new Promise((resolve) => (answer = resolve)),
    lookUp: async () => ({ kind: 'absent' }),
    lookUpDelaysMs: [0],
  })
  const processor = start({ ...issuer, isInProcess: true })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  await processor.claims.run()
  // An issuer in this process has no deadline: it answers, or dies with the worker.
  vi.advanceTimersByTime(LEASES_MS)
  vi.useRealTimers()
  book.clock.advance(LEASES_MS)
  await processor.lookUps.run()
  expect([calls.lookedUp, await statusOf(id)]).toEqual([0, 'processing'])
  answer(confirmed)
  await processor.idle()
  expect(await statusOf(id)).toBe('completed')
})

it('four concurrent workers send each operation once', async () => {
  for (let batch = 0; batch < 3; batch += 1)
    expect(await book.acceptBatch(Array.from({ length: 150 }, () => service(company)))).toEqual([])
  const { issuer, calls } = createIssuer({})
  const workers = Array.from({ length: 4 }, () => start(issuer))
  await Promise.all(
    workers.map(async (worker) => {
      for (let round = 0; round < 20; round += 1) await worker.claims.run()
      await worker.idle()
    }),
  )
  expect(calls.sent).toBe(450)
})
