// The sandbox issuer answers every look-up with certainty: what it did, or that it did nothing and never will. A request is
// either carried out or fenced, whichever comes first and however many arrive at the same time.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createPool, type Db } from '../../src/db/pool.ts'
import { createSandboxIssuer } from '../../src/issuer/sandbox.ts'
import { newId } from '../../src/lib/ids.ts'
import { cents } from '../../src/lib/money.ts'
import { Book, type BookCompany } from '../ledger/book.ts'
import { findFreePort } from '../support/free-port.ts'

const book = await Book.open()
const issuer = createSandboxIssuer({ db: book.db, clock: book.clock, slowMs: 0 })
let company: BookCompany
beforeAll(async () => {
  company = await book.addCompany()
})
afterAll(() => book.close())

const newToken = () => newId(book.clock.now())
const order = (token: string, recipient = 'ada') =>
  issuer.orderService({ scope: company.scope, token, amount: cents(1_000n), productId: 'p', recipient })
const lookUp = (token: string) => issuer.lookUp({ scope: company.scope, token, amount: cents(1_000n), isLast: true })

it('a request that was carried out is found, and the look-up changes nothing', async () => {
  const token = newToken()
  const done = await order(token)
  expect(done.kind).toBe('confirmed')
  expect(await lookUp(token)).toEqual(done)
  expect(await lookUp(token)).toEqual(done)
})

it('a request that arrives after a look-up found nothing is refused', async () => {
  const token = newToken()
  expect((await lookUp(token)).kind).toBe('absent')
  expect(await order(token)).toMatchObject({ kind: 'declined', code: 'not_carried_out' })
  expect((await lookUp(token)).kind).toBe('absent')
})

it('of a hundred concurrent requests and look-ups, each request is carried out or ruled out, never both', async () => {
  const tokens = Array.from({ length: 100 }, newToken)
  const [done, found] = await Promise.all([
    Promise.all(tokens.map((token) => order(token))),
    Promise.all(tokens.toReversed().map((token) => lookUp(token))),
  ])
  const kinds = tokens.map((_, index) => `${done[index]?.kind} ${found[tokens.length - 1 - index]?.kind}`)
  expect(new Set([...kinds, 'confirmed confirmed', 'declined absent'])).toEqual(
    new Set(['confirmed confirmed', 'declined absent']),
  )
})

it('an outcome that the sandbox was told to leave unknown stays unknown after every look-up', async () => {
  const token = newToken()
  expect((await order(token, 'unknown')).kind).toBe('unknown')
  expect((await lookUp(token)).kind).toBe('unknown')
})

it('an invoice that was never created is ruled out, and a created one is found with its payment instructions', async () => {
  const [missing, made] = [newToken(), newToken()]
  const request = (token: string) => ({ scope: company.scope, token, amount: cents(1_000n), isLast: true })
  expect((await issuer.lookUpInvoice(request(missing))).kind).toBe('absent')
  expect((await issuer.createInvoice(request(missing))).kind).toBe('declined')
  const instructions = await issuer.createInvoice(request(made))
  expect(instructions.kind).toBe('confirmed')
  expect(await issuer.lookUpInvoice(request(made))).toEqual(instructions)
})

it('a change of a card is ruled out in the same way', async () => {
  const token = newToken()
  expect((await issuer.lookUp({ scope: company.scope, token, isLast: true })).kind).toBe('absent')
  const change = { scope: company.scope, token, cardId: newToken(), status: 'frozen' } as const
  expect((await issuer.setCardStatus(change)).kind).toBe('declined')
})

const failing = (message: string): Db => {
  const fail = () => Promise.reject(new Error(message))
  return { many: fail, find: fail, run: fail }
}

it('a look-up that the database did not answer reports it and does not rule the request out', async () => {
  const broken = createSandboxIssuer({ db: failing('Connection terminated'), clock: book.clock, slowMs: 0 })
  const outcome = await broken.lookUp({ scope: company.scope, token: newToken(), isLast: true })
  expect(outcome).toEqual({ kind: 'not_asked', reason: 'Connection terminated' })
})

const request = () => ({
  scope: company.scope,
  token: newToken(),
  amount: cents(1_000n),
  productId: 'p',
  recipient: 'ada',
})

it('a request that got no connection was not sent', async () => {
  const port = await findFreePort()
  const db = createPool({ host: '127.0.0.1', port, user: 'nobody' }, { size: 1, onError: () => {} })
  const unreachable = createSandboxIssuer({ db, clock: book.clock, slowMs: 0 })
  expect((await unreachable.orderService(request())).kind).toBe('not_sent')
  await db.close()
})

it('a request whose answer was lost may have been carried out, whatever the error says', async () => {
  const ordered = request()
  const error = new Error('timeout exceeded when trying to connect')
  const loses: Db = { ...book.db, many: (statement) => book.db.many(statement).then(() => Promise.reject(error)) }
  const forgetful = createSandboxIssuer({ db: loses, clock: book.clock, slowMs: 0 })
  await expect(forgetful.orderService(ordered)).rejects.toBe(error)
  expect((await lookUp(ordered.token)).kind).toBe('confirmed')
})
