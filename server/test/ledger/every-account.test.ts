// What looks at every account, page by page: which accounts are to be sealed, how long entries have waited for a seal, the job that
// seals, and the audit.
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { auditLedger, FIRST_ACCOUNT } from '../../src/ledger/audit.ts'
import {
  type AccountKey,
  findBalance,
  listAccountsAfter,
  listUnsealedAfter,
  measureSealLag,
} from '../../src/ledger/queries.ts'
import { sealJob } from '../../src/ledger/seal.ts'
import { testGrouping } from '../support/on-citus.ts'
import { formatId } from '../../src/lib/ids.ts'
import { Book } from './book.ts'

const T0 = Date.parse('2026-03-10T12:00:00.000Z')
const at = (second: number) => new Date(T0 + second * 1000)
const idOf = (company: number) => `00000000-0000-7000-8000-${String(company).padStart(12, '0')}`
const keyOf = (company: number, environment: AccountKey['environment']): AccountKey => ({
  company_id: idOf(company),
  environment,
})

/** Companies number 1 to `count`, with accounts that have nothing. */
async function addCompanies(book: Book, count: number): Promise<void> {
  const ids = Array.from({ length: count }, (_, index) => idOf(index + 1))
  await book.run(
    "insert into company (id, name, kind, created_at) select id, 'Company', 'corporate', $2 from unnest($1::uuid[]) id",
    [ids, at(0)],
  )
  for (const environment of ['sandbox', 'live']) {
    await book.run(
      'insert into account (company_id, environment, last_entry_at) select id, $2, $3 from unnest($1::uuid[]) id',
      [ids, environment, at(0)],
    )
  }
}

describe('seals', () => {
  /** Per account: the seconds of its entries, and its seals as pairs of a number and the second when it was sealed. */
  const ACCOUNTS: readonly (readonly [entries: number[], seals: [number, number][]])[] = [
    [[], []],
    [[50], []],
    [[40, 41, 42], []],
    [[30, 31, 32], [[3, 60]]],
    [[30, 31, 32], [[2, 60]]],
    [[30, 31, 32], [[2, 61]]],
    [
      [20, 21, 22],
      [
        [1, 55],
        [2, 70],
      ],
    ],
    [[10, 11, 12, 13], [[1, 70]]],
    [[10, 11, 12], [[1, 70]]],
    [[25, 26, 27, 28, 29], [[1, 70]]],
    [[30], [[1, 60]]],
    [[], []],
  ]
  const keys = ACCOUNTS.map((_, index) => keyOf(Math.floor(index / 2) + 1, index % 2 === 0 ? 'sandbox' : 'live'))
  let book: Book
  beforeAll(async () => {
    book = await Book.open()
    await addCompanies(book, ACCOUNTS.length / 2)
    for (const [index, [entries, seals]] of ACCOUNTS.entries()) {
      const { company_id: company, environment } = keys[index] ?? FIRST_ACCOUNT
      for (const [place, second] of entries.entries()) {
        await book.run(
          `insert into entry (company_id, environment, number, kind, reference, reference_type, available_delta, held_delta, balance, held, created_at)
           values ($1, $2, $3, 'deposit', gen_random_uuid(), 'fund', 1, 0, $3, 0, $4)`,
          [company, environment, place + 1, at(second)],
        )
      }
      for (const [number, second] of seals) {
        await book.run('insert into seal values ($1, $2, $3, $4, $5)', [
          company,
          environment,
          number,
          randomBytes(32),
          at(second),
        ])
      }
      await book.run(
        'update account set sequence = $3, available = $4, held = 7 where company_id = $1 and environment = $2',
        [company, environment, entries.length, index],
      )
    }
  })
  afterAll(() => book.close())

  it('are due when entries wait, and the last seal is old enough or so many wait', async () => {
    const wanted = { sealedBefore: at(61), entries: 3, limit: 100 }
    const unsealed = [0n, 1n, 3n, 0n, 1n, 0n, 0n, 3n, 0n, 4n, 0n, 0n]
    const all = keys.map((key, index) => ({ ...key, unsealed: unsealed[index] ?? 0n, ends_page: false }))
    expect(await listUnsealedAfter(book.db, FIRST_ACCOUNT, wanted)).toEqual(all.filter((key) => key.unsealed > 0n))
    // The next page begins after the account that is given. The last account of a full page is there in any case, to go on from.
    for (const [index, key] of keys.entries()) {
      const page = all.slice(index + 1, index + 4)
      const expected = page.map((each, place) => ({ ...each, ends_page: place === 2 }))
      expect(await listUnsealedAfter(book.db, key, { ...wanted, limit: 3 })).toEqual(
        expected.filter(({ unsealed: waiting, ends_page }) => waiting > 0n || ends_page),
      )
    }
  })

  it('lag behind the oldest entry that has none', async () => {
    const oldest = [null, 50, 40, null, 32, 32, 22, 11, 11, 26, null, null].map((second) =>
      second === null ? null : at(second),
    )
    for (const [index, key] of keys.entries()) {
      const lag = await measureSealLag(book.db, keys[index - 1] ?? FIRST_ACCOUNT, 1)
      expect(lag).toEqual({ accounts: 1, last: key, oldest: oldest[index] })
    }
    expect(await measureSealLag(book.db, FIRST_ACCOUNT, 100)).toEqual({
      accounts: ACCOUNTS.length,
      last: keys.at(-1),
      oldest: at(11),
    })
    expect(await measureSealLag(book.db, FIRST_ACCOUNT, 3)).toEqual({ accounts: 3, last: keys[2], oldest: at(40) })
    expect(await measureSealLag(book.db, keys.at(-1) ?? FIRST_ACCOUNT, 3)).toEqual({
      accounts: 0,
      last: null,
      oldest: null,
    })
  })

  it('accounts are listed after the one that is given, and each has its own balance', async () => {
    expect(await listAccountsAfter(book.db, FIRST_ACCOUNT, 100)).toEqual(keys)
    for (const [index, key] of keys.entries()) {
      expect(await listAccountsAfter(book.db, key, 2)).toEqual(keys.slice(index + 1, index + 3))
      const scope = { companyId: key.company_id, environment: key.environment }
      expect(await findBalance(book.db, scope)).toEqual({ available: BigInt(index), held: 7n })
    }
  })
})

describe('more accounts than one page has', () => {
  const COMPANIES = 501
  /** On Citus the audit of each account takes a tenth of a second. */
  const timeout = 900_000
  const last = keyOf(COMPANIES, 'live')
  let book: Book
  beforeAll(async () => {
    book = await Book.open()
    await addCompanies(book, COMPANIES)
  })
  afterAll(() => book.close())
  const sealsOf = (key: AccountKey) =>
    book.many('select number from seal where company_id = $1 and environment = $2', [key.company_id, key.environment])
  const deposit = ({ company_id: company, environment }: AccountKey) =>
    book.run("select deposit_funds($1, $2, $3, gen_random_uuid(), gen_random_uuid()::text, '00', 100, 0, 1000)", [
      company,
      book.clock.now(),
      environment,
    ])

  it('are sealed in two runs, and then from the beginning', async () => {
    const first = keyOf(1, 'sandbox')
    for (const key of [first, last]) await deposit(key)
    const job = sealJob({ db: book.db, clock: book.clock, grouping: testGrouping() })
    expect(await job.run()).toBe(true)
    expect([await sealsOf(first), await sealsOf(last)]).toEqual([[{ number: 1n }], []])
    expect(await job.run()).toBe(false)
    expect(await sealsOf(last)).toEqual([{ number: 1n }])
    const second = keyOf(1, 'live')
    await deposit(second)
    expect(await job.run()).toBe(true)
    expect(await sealsOf(second)).toEqual([{ number: 1n }])
  })

  it.each([1, 3])('are all audited, %i at a time', { timeout }, async (atATime) => {
    expect(await auditLedger(book.db, atATime)).toEqual({ accounts: 2 * COMPANIES, entries: 3, differences: [] })
  })

  it('are not audited to the end once a thousand differences are found', { timeout }, async () => {
    const ids = Array.from({ length: 250 }, (_, index) => idOf(index + 1))
    await book.run(
      'update account set available = available + 1, sequence = sequence + 1 where company_id = any ($1::uuid[]) or company_id = $2',
      [ids, last.company_id],
    )
    const { accounts, differences } = await auditLedger(book.db, 3)
    expect(accounts).toBe(500)
    expect(differences).toHaveLength(1000)
    const found = ids.flatMap((id) => ['sandbox', 'live'].map((environment) => `${formatId('co', id)} ${environment}`))
    expect([...new Set(differences.map(({ companyId, environment }) => `${companyId} ${environment}`))]).toEqual(found)
    // With one difference less, the next pages are read too.
    await book.run('update account set available = available - 1 where company_id = $1', [ids[0]])
    const more = await auditLedger(book.db, 3)
    expect([more.accounts, more.differences.length]).toEqual([2 * COMPANIES, 1002])
  })
})
