// Batches of the intake and of the settler: one item that cannot be written does not fail the others, attempts wait longer each time,
// nobody is idle before all is answered, and only who repeats keys is looked up first.
import { afterAll, describe, expect, it } from 'vitest'
import type { Db } from '../../src/db/pool.ts'
import type { Statement } from '../../src/db/sql.ts'
import { createIntake } from '../../src/ledger/accept.ts'
import { createSettler } from '../../src/ledger/settle.ts'
import { createLog } from '../../src/lib/log.ts'
import { cents } from '../../src/lib/money.ts'
import { testGrouping } from '../support/on-citus.ts'
import { Book, completed, failed, ForgetfulDb, service } from './book.ts'

const book = await Book.open()
afterAll(async () => {
  await book.requireClean()
  await book.close()
})

const log = createLog({ level: 'silent' })
const open = (db: Db, onAccepted = () => {}) =>
  createIntake({ db, clock: book.clock, log, grouping: testGrouping(), onAccepted })
const isAccept = ({ text }: Statement) => text.includes('accept_operation')
const isLookUp = ({ text }: Statement) => text.includes('find_originals')
const outcomes = (results: readonly PromiseSettledResult<unknown>[]) => results.map(({ status }) => status)

/** Counts the look-ups, and delays the statements that `waits` names until it is released. */
class GatedDb implements Db {
  lookedUp: unknown[] = []
  release: () => void = () => {}
  readonly #gate = new Promise<void>((resolve) => (this.release = resolve))
  readonly #waits: (statement: Statement) => boolean

  constructor(waits: (statement: Statement) => boolean = () => false) {
    this.#waits = waits
  }
  async many<Row>(statement: Statement): Promise<Row[]> {
    if (isLookUp(statement)) this.lookedUp.push(...(statement.values[2] as unknown[]))
    if (this.#waits(statement)) await this.#gate
    return book.db.many<Row>(statement)
  }
  find = <Row>(statement: Statement) => book.db.find<Row>(statement)
  run = (statement: Statement) => book.db.run(statement)
}

describe('an item that cannot be written', () => {
  it('is refused alone by the intake, and the others are accepted', async () => {
    const company = await book.addCompany(100_000n)
    const candidates = [service(company), service(company, { recipient: null }), service(company)]
    let told = 0
    const intake = open(book.db, () => (told += 1))
    const results = await Promise.allSettled(candidates.map((candidate) => intake.accept(candidate)))
    expect(outcomes(results)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(await book.balance(company)).toEqual({ available: 97_880n, held: 2120n })
    expect(told).toBeGreaterThan(0)
  })
  it('is refused alone by the settler, and the others are settled', async () => {
    const company = await book.addCompany(100_000n)
    const ids = [
      await book.accept(service(company)),
      await book.accept(service(company)),
      await book.accept(service(company)),
    ]
    await book.claimAll()
    const [first = '', second = '', third = ''] = ids
    const settler = createSettler(book)
    const { receipt: _receipt, ...wrong } = completed(company, second, 'service')
    const results = await Promise.allSettled([
      settler.push(completed(company, first, 'service')),
      settler.push(wrong),
      settler.push(failed(company, third)),
    ])
    expect(outcomes(results)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect((await book.find(company, first)).status).toBe('completed')
    expect((await book.find(company, second)).status).toBe('processing')
    expect((await book.find(company, third)).status).toBe('failed')
  })
})

it('a batch whose answer is lost is neither divided nor sent again by the settler', async () => {
  const company = await book.addCompany(100_000n)
  const ids = [await book.accept(service(company)), await book.accept(service(company))]
  await book.claimAll()
  let calls = 0
  const db = new ForgetfulDb(book.db, ({ text }) => text.includes('settle_operations') && (calls += 1) > 0)
  const settler = createSettler({ db, clock: book.clock })
  const results = await Promise.allSettled(ids.map((id) => settler.push(failed(company, id))))
  expect([outcomes(results), calls]).toEqual([['rejected', 'rejected'], 1])
})

it('the intake waits longer before each further attempt', async () => {
  const company = await book.addCompany(100_000n)
  const attempts: number[] = []
  const db = new ForgetfulDb(book.db, (statement) => isAccept(statement) && attempts.push(performance.now()) < 4)
  expect((await open(db).accept(service(company))).kind).toBe('accepted')
  const waits = attempts.slice(1).map((at, index) => at - (attempts[index] ?? 0))
  expect(waits).toHaveLength(3)
  // A timer may be a moment early.
  for (const [index, least] of [45, 190, 950].entries()) expect(waits[index]).toBeGreaterThan(least)
})

describe('the intake is idle', () => {
  it('when every batch is answered', async () => {
    const company = await book.addCompany(100_000n)
    const db = new GatedDb(isAccept)
    const intake = open(db)
    const order: string[] = []
    const accepted = intake.accept(service(company)).then(() => order.push('accepted'))
    const idle = intake.idle().then(() => order.push('idle'))
    await book.many('select 1')
    db.release()
    await Promise.all([accepted, idle])
    expect(order).toEqual(['accepted', 'idle'])
  })
  it('when every look-up is answered', async () => {
    const company = await book.addCompany(100_000n)
    const db = new GatedDb(isLookUp)
    const intake = open(db)
    const known = service(company)
    await intake.accept(known)
    await intake.accept(known)
    const order: string[] = []
    const replayed = intake.accept(known).then(() => order.push('replayed'))
    const idle = intake.idle().then(() => order.push('idle'))
    await book.many('select 1')
    db.release()
    await Promise.all([replayed, idle])
    expect(order).toEqual(['replayed', 'idle'])
  })
})

describe('a company is looked up first', () => {
  it('after a conflict, but not after a refusal', async () => {
    const company = await book.addCompany(100_000n)
    const db = new GatedDb()
    const intake = open(db)
    const known = service(company)
    expect((await intake.accept(known)).kind).toBe('accepted')
    expect((await intake.accept(service(company, { amount: cents(1_000_000n) }))).kind).toBe('funds')
    expect((await intake.accept({ ...known, digest: 'bb' })).kind).toBe('conflict')
    expect(db.lookedUp).toEqual([])
    expect((await intake.accept(known)).kind).toBe('replay')
    expect(db.lookedUp).toEqual([known.idempotencyKey])
  })
  it('and not the companies whose requests were in the same batch', async () => {
    const [first, repeater, last] = [
      await book.addCompany(100_000n),
      await book.addCompany(100_000n),
      await book.addCompany(100_000n),
    ]
    const db = new GatedDb()
    const intake = open(db)
    const known = service(repeater)
    await intake.accept(known)
    const together = [service(first), known, service(last)].map((candidate) => intake.accept(candidate))
    expect((await Promise.all(together)).map(({ kind }) => kind)).toEqual(['accepted', 'replay', 'accepted'])
    for (const company of [first, last]) await intake.accept(service(company))
    expect(db.lookedUp).toEqual([])
    await intake.accept(known)
    expect(db.lookedUp).toEqual([known.idempotencyKey])
  })
})
