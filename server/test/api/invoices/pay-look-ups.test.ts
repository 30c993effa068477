// The look-ups behind the payment page, which anybody can ask for: a few a second are fresh, the others share an answer that is at most
// a second old, or wait for one statement together.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { Db } from '../../../src/db/pool.ts'
import { createPayLinks } from '../../../src/funding/pay-link.ts'
import { createPayLookUps } from '../../../src/funding/pay-look-ups.ts'
import { Book } from '../../ledger/book.ts'
import { Cast } from '../../ledger/invoice-cast.ts'

const FRESH_PER_SECOND = 10
const RECENT_MAX = 1000
const payLinks = createPayLinks({ key: Buffer.alloc(32, 1), baseUrl: () => '' })

let book: Book
let cast: Cast
let nowMs: number
let minute: number
let statements: string[]
let find: ReturnType<typeof createPayLookUps>
beforeAll(async () => {
  book = await Book.open()
})
beforeEach(async () => {
  cast = await Cast.create(book)
  for (const scope of cast.scopes) {
    await cast.bring(scope, 'pending')
    await link(tokenOf(scope), scope)
  }
  nowMs = 5000
  minute = 100
  statements = []
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs)
  const many: Db['many'] = (statement) => {
    statements.push(statement.text.includes('pay_link') ? 'links' : 'invoices')
    return book.db.many(statement)
  }
  find = createPayLookUps({ db: { ...book.db, many }, clock: { now: () => cast.at(minute) }, payLinks })
})
afterEach(() => {
  vi.restoreAllMocks()
})
afterAll(() => book.close())

/** The cast's own links have no token, so every account gets another link. */
const link = (token: string, { companyId, environment } = cast.mine, id = cast.ids.subject) =>
  book.run('insert into pay_link (digest, company_id, environment, invoice_id) values ($1, $2, $3, $4)', [
    payLinks.findDigest(token),
    companyId,
    environment,
    id,
  ])
const tokenOf = (scope = cast.mine) => payLinks.urlOf(scope, cast.ids.subject).slice('/pay/'.length)
const unknownToken = (index: number) => String(index).padStart(43, '0')
const statusOf = async (token = tokenOf()) => (await find(token))?.row.status
/** Uses up the fresh look-ups of this second. */
const exhaust = async (token = tokenOf()) => {
  for (let used = 0; used < FRESH_PER_SECOND; used += 1) await find(token)
  statements = []
}
const complete = () => cast.pay(cast.mine, 'subject', 100, { amount: cast.payAmount(cast.mine) })

test('a link shows the invoice of its account, and one that is over is expired first', async () => {
  for (const scope of cast.scopes) {
    const found = await find(tokenOf(scope))
    expect(found?.companyName).toBe('Test company')
    expect(found?.row).toMatchObject({ company_id: scope.companyId, environment: scope.environment, status: 'pending' })
  }
  minute = 1000
  expect(await statusOf()).toBe('expired')
})

test('a text that is no token is not looked up, and an unknown one is looked up once', async () => {
  expect(await find('short')).toBeUndefined()
  expect(await find(`${unknownToken(1)}0`)).toBeUndefined()
  expect(statements).toEqual([])
  expect(await find(unknownToken(1))).toBeUndefined()
  expect(statements).toEqual(['links'])
})

test('a link without an invoice shows nothing', async () => {
  const token = 'x'.repeat(43)
  await link(token, cast.mine, cast.ids['later payment'])
  expect(await find(token)).toBeUndefined()
  expect(statements).toEqual(['links', 'invoices'])
})

test('the first look-ups of a second are fresh, and the next one shares the last answer', async () => {
  expect(await statusOf()).toBe('pending')
  await complete()
  for (let used = 1; used < FRESH_PER_SECOND; used += 1) expect(await statusOf()).toBe('completed')
  expect(statements).toHaveLength(2 * FRESH_PER_SECOND)
  await book.run(`update invoice set received = 1 where id = $1`, [cast.ids.subject])
  const shared = await find(tokenOf())
  expect([shared?.row.status, shared?.row.received]).toEqual(['completed', cast.payAmount(cast.mine)])
  expect(statements).toHaveLength(2 * FRESH_PER_SECOND)
})

test('an answer is shared for exactly a second', async () => {
  await exhaust()
  await complete()
  nowMs += 1000
  await exhaust(tokenOf(cast.scopes[2]))
  expect(await statusOf()).toBe('pending')
  expect(statements).toEqual([])
  nowMs += 1
  expect(await statusOf()).toBe('completed')
  expect(statements).toEqual(['links', 'invoices'])
})

test('look-ups that are fresh go out at once, and the others wait for each other', async () => {
  const others = cast.others.map(tokenOf)
  await Promise.all(others.map((token) => find(token)))
  expect(statements).toHaveLength(2 * others.length)
  nowMs += 1000
  await exhaust()
  nowMs += 999
  const found = await Promise.all(others.map((token) => find(token)))
  expect(found.map((payable) => payable?.row.environment)).toEqual(cast.others.map(({ environment }) => environment))
  expect(found.map((payable) => payable?.row.company_id)).toEqual(cast.others.map(({ companyId }) => companyId))
  expect(statements).toEqual(['links', 'invoices'])
})

test('a thousand answers are remembered, and one more makes it forget them all', async () => {
  await exhaust()
  const strangers = Array.from({ length: RECENT_MAX - 1 }, (_, index) => find(unknownToken(index)))
  expect(new Set(await Promise.all(strangers))).toEqual(new Set([undefined]))
  expect(statements).toEqual(['links'])
  expect(await statusOf()).toBe('pending')
  expect(statements).toEqual(['links'])
  await find(unknownToken(RECENT_MAX))
  expect(statements).toEqual(['links', 'links'])
  expect(await statusOf()).toBe('pending')
  expect(statements).toEqual(['links', 'links', 'links', 'invoices'])
})
