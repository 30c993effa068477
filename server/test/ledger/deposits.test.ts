// Deposits: once for each key of an account, up to the limit of its balance, and never back in time.
import { afterAll, beforeEach, expect, it } from 'vitest'
import { depositFunds } from '../../src/ledger/queries.ts'
import { newId } from '../../src/lib/ids.ts'
import type { Scope } from '../../src/lib/scope.ts'
import { Book, type BookCompany, service } from './book.ts'

const book = await Book.open()
afterAll(async () => {
  await book.requireClean()
  await book.close()
})

let company: BookCompany
let other: BookCompany
beforeEach(async () => {
  book.clock.set('2026-03-10T12:00:00.000Z')
  company = await book.addCompany(10_000n)
  other = await book.addCompany(20_000n)
})

interface Wanted {
  readonly key?: string
  readonly amount?: bigint
  readonly limit?: bigint
  readonly digest?: string
}
async function deposit(scope: Scope, { key = 'key', amount = 500n, limit = 1_000_000n, digest = 'aa' }: Wanted = {}) {
  const id = newId(book.clock.now())
  const wanted = { id, idempotencyKey: key, digest, amount, fee: 0n, limit }
  return { id, answer: await depositFunds(book.db, scope, book.clock.now(), wanted) }
}
const readAccounts = () =>
  book.many('select company_id, environment, available, held, sequence, last_entry_at from account order by 1, 2')

it('a key counts for one account, and gives the first deposit again', async () => {
  const live = { ...company.scope, environment: 'live' as const }
  const made: string[] = []
  for (const scope of [company.scope, live, other.scope]) {
    const { id, answer } = await deposit(scope)
    expect(answer).toEqual({ verdict: 'credited', original: id })
    made.push(id)
  }
  await deposit(company.scope, { key: 'another key' })
  const before = await readAccounts()
  for (const [index, scope] of [company.scope, live, other.scope].entries()) {
    expect((await deposit(scope)).answer).toEqual({ verdict: 'replay', original: made[index] })
    const conflict = await deposit(scope, { digest: 'bb' })
    expect(conflict.answer).toEqual({ verdict: 'conflict', original: made[index] })
  }
  expect(await readAccounts()).toEqual(before)
})

it('the limit is for the available and the held amount together, and may be reached', async () => {
  await book.accept(service(company))
  expect(await book.balance(company)).toEqual({ available: 8940n, held: 1060n })
  const before = await readAccounts()
  expect((await deposit(company.scope, { limit: 10_499n })).answer).toEqual({ verdict: 'limit', original: null })
  expect(await readAccounts()).toEqual(before)
  expect((await deposit(company.scope, { limit: 10_500n })).answer?.verdict).toBe('credited')
  expect(await book.balance(company)).toEqual({ available: 9440n, held: 1060n })
  expect(await book.balance(other)).toEqual({ available: 20_000n, held: 0n })
})

it('an entry is never older than the one before it, and the account knows the time of its newest', async () => {
  const read = () =>
    book.many(
      `select e.number, e.created_at, a.last_entry_at from entry e join account a on a.company_id = e.company_id and a.environment = e.environment
       where e.company_id = $1 order by e.number desc limit 1`,
      [company.scope.companyId],
    )
  const times = [
    ['2026-03-10T12:00:05.000Z', '2026-03-10T12:00:05.000Z'],
    ['2026-03-10T12:00:03.000Z', '2026-03-10T12:00:05.000Z'],
    ['2026-03-10T12:00:06.000Z', '2026-03-10T12:00:06.000Z'],
  ] as const
  for (const [index, [clock, expected]] of times.entries()) {
    book.clock.set(clock)
    await deposit(company.scope, { key: `key ${index}` })
    const at = new Date(expected)
    expect(await read()).toEqual([{ number: BigInt(index + 2), created_at: at, last_entry_at: at }])
  }
  // Money that a closed card returns counts the same way.
  for (const [index, clock, expected] of [
    [5, '2026-03-10T12:00:04.000Z', '2026-03-10T12:00:06.000Z'],
    [6, '2026-03-10T12:00:07.000Z', '2026-03-10T12:00:07.000Z'],
  ] as const) {
    await book.run("select return_from_card($1, $2, 'sandbox', gen_random_uuid(), 'card', 25)", [
      company.scope.companyId,
      new Date(clock),
    ])
    const at = new Date(expected)
    expect(await read()).toEqual([{ number: BigInt(index), created_at: at, last_entry_at: at }])
  }
})

it('a fee of one cent is an entry of its own', async () => {
  const scope = company.scope
  const id = newId(book.clock.now())
  const credit = 'select credit_account($1, $2, $3, $4, $5, 100, 1)'
  await book.run(
    `insert into invoice (company_id, environment, id, status, requested, deposit, fee, idempotency_key, request_digest, created_at, status_at)
     values ($1, 'sandbox', $2, 'completed', 100, 100, 1, 'k', '', now(), now())`,
    [scope.companyId, id],
  )
  await book.run(credit, [scope.companyId, book.clock.now(), 'sandbox', id, 'inv'])
  expect(
    await book.many('select number, kind, available_delta, balance from entry where reference = $1 order by number', [
      id,
    ]),
  ).toEqual([
    { number: 2n, kind: 'deposit', available_delta: 100n, balance: 10_100n },
    { number: 3n, kind: 'fee', available_delta: -1n, balance: 10_099n },
  ])
  expect(await book.balance(company)).toEqual({ available: 10_099n, held: 0n })
})
