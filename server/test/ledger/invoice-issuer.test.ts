// Creating invoices, looking them up and expiring them with an issuer that the test scripts: what it is asked, what is kept of its
// answers, and that every reserved call is used or given back.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Db } from '../../src/db/pool.ts'
import { createInvoice } from '../../src/funding/create.ts'
import type { FundingDeps } from '../../src/funding/deps.ts'
import { createPayLinks } from '../../src/funding/pay-link.ts'
import { settleInvoice } from '../../src/funding/queries.ts'
import { invoiceExpiryJob } from '../../src/funding/expire.ts'
import { invoiceKind } from '../../src/funding/request-kind.ts'
import type { CallSubject, Gate, Permits } from '../../src/issuer/gate.ts'
import { leaseUntil, sendWithinMs } from '../../src/issuer/lease.ts'
import { lookUpsOf } from '../../src/issuer/requests/look-up.ts'
import type { InvoiceLookUpOutcome, InvoiceOutcome, Issuer } from '../../src/issuer/port.ts'
import { createSettler } from '../../src/ledger/settle.ts'
import { findId } from '../../src/lib/ids.ts'
import { must } from '../../src/lib/invariant.ts'
import { createLog } from '../../src/lib/log.ts'
import { type Cents, cents } from '../../src/lib/money.ts'
import { makeUnownedAddress } from '../../src/tron/address.ts'
import { micros } from '../../src/tron/usdt.ts'
import { createGates } from '../support/gates.ts'
import { createOperationsWorker } from '../support/operations-worker.ts'
import { Book, type BookCompany } from './book.ts'

const DELAYS_MS = [1000, 5000]
const UNKNOWN = { kind: 'unknown', reason: 'time-out', answered: true } as const
const payLinks = createPayLinks({ key: Buffer.alloc(32, 1), baseUrl: () => 'https://pay.example' })
const log = createLog({ level: 'silent' })

let book: Book
let company: BookCompany
let answer: () => InvoiceOutcome & InvoiceLookUpOutcome
let asked: unknown[]
let subjects: CallSubject[]
let deps: FundingDeps
beforeAll(async () => {
  book = await Book.open()
})
beforeEach(async () => {
  // Nothing of an earlier test is due any more.
  await book.run(`update issuer_request set due_at = '2100-01-01'`)
  await book.run(`update invoice set status = 'expired' where status = 'pending'`)
  company = await book.addCompany()
  answer = () => confirmed()
  asked = []
  subjects = []
  deps = depsOf()
})
afterAll(() => book.close())

const confirmed = () => ({
  kind: 'confirmed' as const,
  address: makeUnownedAddress(company.scope.companyId),
  payAmount: micros(100_004_711n),
  expiresAt: later(3_600_000),
})
const later = (ms: number) => new Date(book.clock.now().getTime() + ms)
const gateOf = ({ gates }: FundingDeps) => must(gates.sandbox)
const inFlight = () => gateOf(deps).status().callsInFlight
const create = (key: string, amount = '100') => createInvoice(deps, company.scope, key, { amount })

function depsOf({
  db = book.db,
  callsMax = 2,
  minimum = cents(1_000n),
}: { db?: Db; callsMax?: number; minimum?: Cents } = {}) {
  const notScripted = () => Promise.reject(new Error('not scripted'))
  const ask = async (request: unknown) => {
    asked.push(request)
    return answer()
  }
  const script = { issueCard: notScripted, topUpCard: notScripted, orderService: notScripted, lookUp: notScripted }
  const calls: Pick<Issuer, 'createInvoice' | 'lookUpInvoice'> = { createInvoice: ask, lookUpInvoice: ask }
  const gates = createGates(
    { ...script, ...calls, callsMax, invoiceMinimum: minimum, lookUpDelaysMs: DELAYS_MS },
    { clock: book.clock, timeoutMs: 600_000 },
  )
  return {
    db,
    clock: book.clock,
    payLinks,
    gates: { ...gates, sandbox: note(must(gates.sandbox)) },
    issuerTimeoutMs: 600_000,
  }
}

/** A gate that notes what its calls are about. */
const note = (gate: Gate): Gate => {
  const noted = (permits: Permits): Permits => ({
    ...permits,
    call(subject, ...rest) {
      subjects.push(subject)
      return permits.call(subject, ...rest)
    },
  })
  return {
    ...gate,
    reserve: (...wanted) => noted(gate.reserve(...wanted)),
    reserveSoon: async (...wanted) => noted(await gate.reserveSoon(...wanted)),
  }
}

const expire = () => invoiceExpiryJob(deps).run()
const lookUpDue = async () => {
  const settler = createSettler(book)
  const worker = createOperationsWorker({ ...deps, log, settler, onRoom: () => {} }, [lookUpsOf(invoiceKind(deps))])
  const isMore = await worker.lookUps.run()
  await worker.idle()
  return isMore
}
const exchanges = async () =>
  book.many('select purpose, sent, received, outcome from exchange where company_id = $1 order by id', [
    company.scope.companyId,
  ])
const rowOf = async (wireId: string) => {
  const text = `select i.status, q.due_at, i.look_up_count, i.status_at from invoice i
    left join issuer_request q on q.company_id = i.company_id and q.id = i.id where i.id = $1`
  return must((await book.many<Record<string, unknown>>(text, [findId('inv', wireId)]))[0])
}

describe('a request for an invoice', () => {
  test('asks the issuer once, and repeats and refusals give their place back', async () => {
    const key = randomUUID()
    const first = await create(key)
    const token = findId('inv', first.invoice.id)
    expect(first).toMatchObject({ invoice: { status: 'pending', payAmount: '100.004711' }, replayed: false })
    expect(asked).toEqual([{ scope: company.scope, token, amount: 10_000n }])
    expect(subjects).toEqual([{ action: 'create_invoice', attempt: 1 }])
    expect(await exchanges()).toEqual([])
    expect(inFlight()).toBe(0)
    expect(await create(key)).toEqual({ invoice: first.invoice, replayed: true })
    expect(inFlight()).toBe(0)
    await expect(create(key, '200')).rejects.toMatchObject({ code: 'idempotency_conflict' })
    expect(inFlight()).toBe(0)
    await expect(create(randomUUID())).rejects.toMatchObject({
      code: 'invoice_unresolved',
      details: { invoiceId: first.invoice.id, status: 'pending' },
    })
    expect(inFlight()).toBe(0)
    expect(asked).toHaveLength(1)
  })

  test('sends nothing if its process was suspended after it recorded the invoice, which is then looked up', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    const find: Db['find'] = async (statement) => {
      const row = await book.db.find<never>(statement)
      if (statement.text.includes('begin_invoice')) vi.advanceTimersByTime(sendWithinMs(600_000) + 1)
      return row
    }
    deps = depsOf({ db: { ...book.db, find } })
    const { invoice } = await create(randomUUID())
    vi.useRealTimers()
    expect(invoice.status).toBe('creating')
    expect([asked, inFlight()]).toEqual([[], 0])
    book.clock.advance(leaseUntil(book.clock.now(), 600_000).getTime() - book.clock.now().getTime())
    await lookUpDue()
    expect(subjects).toEqual([{ action: 'look_up_invoice', attempt: 1 }])
  })

  test('is accepted from the moment when the last invoice expires', async () => {
    const { invoice } = await create(randomUUID())
    book.clock.advance(3_599_999)
    await expect(create(randomUUID())).rejects.toMatchObject({ code: 'invoice_unresolved' })
    expect(await rowOf(invoice.id)).toMatchObject({ status: 'pending' })
    book.clock.advance(1)
    answer = () => ({ ...confirmed(), payAmount: micros(100_000_001n) })
    const next = await create(randomUUID())
    expect([next.invoice.status, next.replayed]).toEqual(['pending', false])
    expect(await rowOf(invoice.id)).toMatchObject({ status: 'expired', status_at: book.clock.now() })
  })

  test('that was accepted gets its first answer even if it would be refused now', async () => {
    const key = randomUUID()
    const { invoice } = await create(key)
    deps = depsOf({ minimum: cents(20_000n) })
    expect(await create(key)).toEqual({ invoice, replayed: true })
    const conflict = { code: 'idempotency_conflict', details: { originalId: invoice.id } }
    await expect(create(key, '150')).rejects.toMatchObject(conflict)
    await expect(create(randomUUID())).rejects.toMatchObject({ code: 'amount_below_minimum' })
    const live = createInvoice(deps, { ...company.scope, environment: 'live' }, key, { amount: '100' })
    await expect(live).rejects.toMatchObject({ code: 'capability_not_activated' })
  })

  test('that is repeated is answered at once when the invoice is looked up, and with the outcome when there is one', async () => {
    answer = () => UNKNOWN
    const key = randomUUID()
    const { invoice } = await create(key)
    expect(invoice.status).toBe('creating')
    const id = findId('inv', invoice.id) ?? ''
    let reads = 0
    const find: Db['find'] = (statement) => {
      if (statement.text.includes('is_first')) reads += 1
      return book.db.find(statement)
    }
    deps = depsOf({ db: { ...book.db, find } })
    expect(await create(key)).toEqual({ invoice, replayed: true })
    expect(reads).toBe(1)
    // As if the process had died before it could answer.
    await book.run('update invoice set first_answer = null, look_up_count = 1 where id = $1', [id])
    expect(await create(key)).toMatchObject({ invoice: { id: invoice.id, status: 'creating' }, replayed: true })
    expect(reads).toBe(2)
    const now = book.clock.now()
    await settleInvoice(book.db, company.scope, id, now, { status: 'manual_review' }, 'https://pay.example/x')
    const repeat = await create(key)
    expect(repeat).toMatchObject({ invoice: { id: invoice.id, status: 'manual_review' }, replayed: true })
    await book.run(`update invoice set reasons = '{}' where id = $1`, [id])
    expect(await create(key)).toEqual(repeat)
  })
})

// On Citus a run takes the work of one node.
describe('look-ups', () => {
  const lookUp = lookUpDue

  test('follow the schedule of the issuer until a person decides', async () => {
    answer = () => UNKNOWN
    const { invoice } = await create(randomUUID())
    const created = book.clock.now()
    const due = new Date(created.getTime() + 1000)
    expect(await rowOf(invoice.id)).toEqual({ status: 'creating', due_at: due, look_up_count: 0, status_at: created })
    const sent = { token: invoice.id, type: 'invoice', amount: '100.00' }
    expect(await exchanges()).toMatchObject([{ purpose: 'request', sent, outcome: 'unknown' }])

    book.clock.advance(999)
    expect(await lookUp()).toBe(false)
    expect([asked.length, inFlight()]).toEqual([1, 0])
    book.clock.advance(1)
    expect(await lookUp()).toBe(false)
    expect(inFlight()).toBe(0)
    const request = { scope: company.scope, token: findId('inv', invoice.id), amount: 10_000n }
    expect(asked[1]).toEqual({ ...request, isLast: false })
    expect(subjects[1]).toEqual({ action: 'look_up_invoice', attempt: 1 })
    expect(await rowOf(invoice.id)).toMatchObject({ status: 'creating', due_at: later(5000), look_up_count: 1 })

    book.clock.advance(5000)
    await lookUp()
    expect(asked[2]).toEqual({ ...request, isLast: true })
    expect(subjects[2]).toEqual({ action: 'look_up_invoice', attempt: 2 })
    expect(await rowOf(invoice.id)).toMatchObject({ status: 'manual_review', status_at: book.clock.now() })
    expect(await exchanges()).toMatchObject([
      { purpose: 'request' },
      { purpose: 'look_up', sent: { token: invoice.id }, outcome: 'unknown' },
      { purpose: 'look_up' },
    ])
  })

  test('take as many invoices as there are permits, and say whether there may be more', async () => {
    answer = () => UNKNOWN
    await create(randomUUID())
    book.clock.advance(1000)
    answer = confirmed
    const idle = deps
    const busy = { ...gateOf(deps), reserve: () => gateOf(idle).reserve(0) }
    deps = { ...deps, gates: { sandbox: busy, live: undefined } }
    expect(await lookUp()).toBe(false)
    expect(asked).toHaveLength(1)
    deps = depsOf({ callsMax: 1 })
    expect(await lookUp()).toBe(true)
    expect(inFlight()).toBe(0)
    expect(asked).toHaveLength(2)
    expect(await lookUp()).toBe(false)
    expect([inFlight(), gateOf(idle).status().callsInFlight]).toEqual([0, 0])
  })

  test('keep a confirmation that cannot be shown to a payer, and do not act on it', async () => {
    answer = () => ({ ...confirmed(), payAmount: micros(100_000_000n) })
    const { invoice } = await create(randomUUID())
    expect(invoice).toMatchObject({ status: 'creating', address: null })
    const { address, expiresAt } = confirmed()
    const received = { address, payAmount: '100.000000', expiresAt: expiresAt.toISOString() }
    const reason = expect.stringContaining('malformed: the exact amount')
    expect(await exchanges()).toMatchObject([{ outcome: 'unknown', received: { reason, received } }])
    book.clock.advance(1000)
    answer = confirmed
    await lookUp()
    expect(await rowOf(invoice.id)).toMatchObject({ status: 'pending', status_at: book.clock.now() })
    expect(await exchanges()).toHaveLength(1)
  })
})

test('expiry takes a hundred invoices at a time and says whether there may be more', async () => {
  const id = findId('inv', (await create(randomUUID())).invoice.id)
  // Invoices that were reopened do not stand in each other's way.
  await book.run(
    `insert into invoice (company_id, environment, id, status, requested, deposit, fee, address, pay_amount, expires_at,
       idempotency_key, request_digest, created_at, status_at, reopened)
     select company_id, environment, gen_random_uuid(), status, requested, deposit, fee, address, pay_amount, expires_at,
       'copy ' || n, request_digest, created_at, status_at, true
     from invoice, generate_series(1, 99) n where id = $1`,
    [id],
  )
  const statuses = () =>
    book.many('select distinct status from invoice where company_id = $1', [company.scope.companyId])
  expect(await expire()).toBe(false)
  expect(await statuses()).toEqual([{ status: 'pending' }])
  book.clock.advance(3_600_000)
  expect(await expire()).toBe(true)
  expect(await statuses()).toEqual([{ status: 'expired' }])
  expect(await expire()).toBe(false)
})
