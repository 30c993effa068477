// The worker with an issuer that is told what to do: deadlines, late answers, suspended claimers, what a dossier says.
import { setTimeout as delay } from 'node:timers/promises'
import { cents } from '../../src/lib/money.ts'
import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Db } from '../../src/db/pool.ts'
import type { Issuer, IssuerOutcome, LookUpOutcome } from '../../src/issuer/port.ts'
import { createSettler } from '../../src/ledger/settle.ts'
import { createLog } from '../../src/lib/log.ts'
import { createProcessor, type Processor } from '../../src/operations/process.ts'
import { describeReview } from '../../src/operations/review.ts'
import { Book, type BookCompany, issue, service } from '../ledger/book.ts'

const book = await Book.open()
let company: BookCompany
beforeEach(async () => {
  company = await book.addCompany(10_000_000n)
})
afterEach(() => book.requireClean())
afterAll(() => book.close())

const log = createLog({ level: 'silent' })
const confirmed: IssuerOutcome = { kind: 'confirmed', receipt: 'R', last4: '4242' }
const notFound: LookUpOutcome = { kind: 'unknown', reason: 'not found' }
/** The lease is one and a half of the timeout. */
const LEASES_MS = 1_000_000

interface Script {
  send?: () => Promise<IssuerOutcome>
  lookUp?: () => Promise<LookUpOutcome>
  lookUpDelaysMs?: readonly number[]
}

function createIssuer({ send = async () => confirmed, lookUp = async () => notFound, lookUpDelaysMs = [] }: Script) {
  const calls = { sent: 0, lookedUp: 0 }
  const count = () => {
    calls.sent += 1
    return send()
  }
  const issuer: Issuer = {
    issueCard: count,
    topUpCard: count,
    orderService: count,
    setCardStatus: count,
    createInvoice: () => Promise.reject(new Error('not asked for here')),
    lookUpInvoice: () => Promise.reject(new Error('not asked for here')),
    invoiceMinimum: cents(1000n),
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
  issuerTimeoutMs?: number
  onRoom?: () => void
}

function start(issuer: Issuer, { db = book.db, issuerTimeoutMs = 60_000, onRoom = () => {} }: Options = {}): Processor {
  const settler = createSettler({ db: book.db, clock: book.clock })
  const issuers = { sandbox: issuer, live: undefined }
  return createProcessor({ db, clock: book.clock, log, settler, issuers, issuerTimeoutMs, onRoom })
}
const statusOf = async (id: string) => (await book.find(company, id)).status

it('an issuer that does not answer in time leaves the outcome open, and its late answer is not listened to', async () => {
  const id = await book.accept(issue(company))
  let answer: (outcome: IssuerOutcome) => void = () => {}
  const { issuer, calls } = createIssuer({ send: () => new Promise((resolve) => (answer = resolve)) })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const processor = start(issuer)
  await processor.claims.run()
  vi.advanceTimersByTime(60_000)
  vi.useRealTimers()
  await processor.idle()
  expect(await statusOf(id)).toBe('manual_review')
  answer(confirmed)
  await processor.idle()
  expect(await statusOf(id)).toBe('manual_review')
  expect(calls).toEqual({ sent: 1, lookedUp: 0 })
  const { dossier } = await describeReview(book, await book.find(company, id))
  expect(dossier.exchanges).toMatchObject([{ purpose: 'request', received: { reason: 'no answer within 60000 ms' } }])
})

it('a claimer that was suspended before it could send does not send, and the dossier says what is not known', async () => {
  const id = await book.accept(service(company))
  const { issuer, calls } = createIssuer({})
  const suspended: Db = {
    ...book.db,
    many: async (statement) => {
      const rows = await book.db.many<never>(statement)
      if (statement.text.includes('claim_operations')) await delay(100)
      return rows
    },
  }
  const slow = start(issuer, { db: suspended, issuerTimeoutMs: 60 })
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
  const { dossier } = await describeReview(book, await book.find(company, id))
  expect(dossier.note).toMatch(/may or may not have been sent/)
})

it('look-ups follow the schedule of the issuer, and a person decides when all were in vain', async () => {
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

it('the evidence of a look-up settles it', async () => {
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

it('what cannot be stored of an answer is replaced, and the operation ends all the same', async () => {
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

it('at most a thousand calls are under way; the rest is claimed when there is room', async () => {
  const candidates = Array.from({ length: 1_050 }, () => service(company))
  for (let from = 0; from < candidates.length; from += 210)
    expect(await book.acceptBatch(candidates.slice(from, from + 210))).toEqual([])
  let answer: () => void = () => {}
  const open = new Promise<void>((resolve) => (answer = resolve))
  const { issuer, calls } = createIssuer({ send: () => open.then(() => confirmed) })
  let hasRoom = 0
  const processor = start(issuer, { onRoom: () => (hasRoom += 1) })
  while (await processor.claims.run());
  expect(calls.sent).toBe(1_000)
  answer()
  await processor.idle()
  expect(hasRoom).toBe(1)
  await processor.claims.run()
  await processor.idle()
  expect(calls.sent).toBe(1_050)
  const rows = await book.many<{ status: string }>('select distinct status from operation where company_id = $1', [
    company.scope.companyId,
  ])
  expect(rows).toEqual([{ status: 'completed' }])
})

it('four workers at once send each operation once', async () => {
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
