// accept_operation and accept_operations give the same verdicts, for one item and for many, whatever else is in the batch.
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import type { Candidate } from '../../src/ledger/items.ts'
import type { AcceptRow } from '../../src/ledger/queries.ts'
import { cents } from '../../src/lib/money.ts'
import { Book, type BookCompany, issue, service, topup } from './book.ts'

const book = await Book.open()
afterEach(() => book.requireClean())
afterAll(() => book.close())

type Accept = (candidate: Candidate) => Promise<AcceptRow[]>
const paths: [string, Accept][] = [
  ['accept_operation', (candidate) => book.acceptOne(candidate)],
  ['accept_operations', (candidate) => book.acceptBatch([candidate])],
  [
    'accept_operations beside another company',
    async (candidate) => {
      const neighbour = service(await book.addCompany(10_000n))
      const rows = await book.acceptBatch([neighbour, candidate])
      return rows.map((row) => ({ ...row, item: row.item - 1 }))
    },
  ],
]
const verdictOf = (rows: readonly AcceptRow[]) => rows[0]?.verdict ?? 'accepted'

const setStatus = (table: 'holder' | 'card', id: string, status: string) =>
  book.run(`update ${table} set status = $1 where id = $2`, [status, id])

const cases: [string, string, (company: BookCompany) => Promise<Candidate> | Candidate][] = [
  ['an issue', 'accepted', (company) => issue(company)],
  ['a service', 'accepted', (company) => service(company)],
  ['a top-up', 'accepted', async (company) => topup(company, await book.makeCard(company))],
  ['an issue without a holder', 'no_holder', (company) => issue(company, { holderId: randomUUID() })],
  [
    "an issue for another company's holder",
    'no_holder',
    async (company) => issue(company, { holderId: (await book.addCompany()).holderId }),
  ],
  [
    'an issue for a blocked holder',
    'holder_inactive',
    async (company) => issue(company, { holderId: await book.addHolder(company.scope, 'blocked') }),
  ],
  ['a top-up of no card', 'no_card', (company) => topup(company, randomUUID())],
  [
    "a top-up of another company's card",
    'no_card',
    async (company) => topup(company, await book.makeCard(await book.addCompany(10_000n))),
  ],
  [
    'a top-up of a frozen card',
    'card_inactive',
    async (company) => {
      const card = await book.makeCard(company)
      await setStatus('card', card, 'frozen')
      return topup(company, card)
    },
  ],
  ['an issue within the quota', 'accepted', (company) => issue(company, { issuanceQuota: 1 })],
  [
    'an issue above the quota',
    'quota',
    async (company) => {
      await book.accept(issue(company))
      return issue(company, { issuanceQuota: 1 })
    },
  ],
  [
    'a service above the quota of issues',
    'accepted',
    async (company) => {
      await book.accept(issue(company))
      return service(company, { issuanceQuota: 1 })
    },
  ],
  ['all there is', 'accepted', (company) => service(company, { amount: cents(99_940n), fee: cents(60n) })],
  ['a cent more than there is', 'funds', (company) => service(company, { amount: cents(99_941n), fee: cents(60n) })],
  [
    'a missing holder, before the funds',
    'no_holder',
    (company) => issue(company, { holderId: randomUUID(), amount: cents(1_000_000n) }),
  ],
  [
    'the quota, before the funds',
    'quota',
    (company) => issue(company, { issuanceQuota: 0, amount: cents(1_000_000n) }),
  ],
  [
    'the same again',
    'replay',
    async (company) => {
      const candidate = service(company)
      await book.accept(candidate)
      return candidate
    },
  ],
  [
    'the same key with another payload',
    'conflict',
    async (company) => {
      const candidate = service(company)
      await book.accept(candidate)
      return { ...candidate, digest: 'bb' }
    },
  ],
  [
    'the same again when it could no longer be accepted',
    'replay',
    async (company) => {
      const candidate = issue(company, { amount: cents(99_698n) })
      await book.accept(candidate)
      await setStatus('holder', company.holderId, 'blocked')
      return candidate
    },
  ],
]

describe.each(cases)('%s is %s', (_name, verdict, prepare) => {
  it.each(paths)('with %s, and only an accepted operation moves money', async (_path, accept) => {
    const company = await book.addCompany(100_000n)
    const candidate = await prepare(company)
    const before = await book.balance(company)
    const rows = await accept(candidate)
    expect(verdictOf(rows)).toBe(verdict)
    const total = candidate.amount + candidate.fee
    const moved = verdict === 'accepted' ? total : 0n
    expect(await book.balance(company)).toEqual({ available: before.available - moved, held: before.held + moved })
    if (verdict === 'funds') expect(rows[0]).toMatchObject({ item: 1, available: before.available })
    if (verdict === 'replay' || verdict === 'conflict') {
      const { type, amount, fee } = candidate
      expect(rows[0]).toMatchObject({ type, amount, fee, id: expect.any(String), created_at: expect.any(Date) })
    }
  })
})

describe('a batch', () => {
  it('with one key three times gives one operation and two replays', async () => {
    const company = await book.addCompany(100_000n)
    const candidate = service(company)
    const rows = await book.acceptBatch([candidate, candidate, { ...candidate, digest: 'bb' }])
    expect(rows.map(({ item, verdict }) => [item, verdict])).toEqual([
      [2, 'replay'],
      [3, 'conflict'],
    ])
    expect(rows[0]?.id).toBe(rows[1]?.id)
  })
  it('with one key twice, of which the first is refused, decides the second on its own', async () => {
    const company = await book.addCompany(1_060n)
    const dear = service(company, { amount: cents(5_000n), digest: 'bb' })
    const cheap = service(company, { idempotencyKey: dear.idempotencyKey })
    const rows = await book.acceptBatch([dear, cheap, dear, cheap])
    expect(rows.map(({ item, verdict }) => [item, verdict])).toEqual([
      [1, 'funds'],
      [3, 'conflict'],
      [4, 'replay'],
    ])
  })
  it('with one key twice and funds for one gives a replay, not insufficient funds', async () => {
    const company = await book.addCompany(1_302n)
    const candidate = issue(company)
    const rows = await book.acceptBatch([candidate, candidate])
    expect(rows.map((row) => [row.item, row.verdict])).toEqual([[2, 'replay']])
  })
  it('with one refused key several times answers each item', async () => {
    const company = await book.addCompany(5n)
    const candidate = service(company)
    const rows = await book.acceptBatch(Array.from({ length: 256 }, () => candidate))
    expect(rows.map(({ verdict }) => verdict)).toEqual(Array.from({ length: 256 }, () => 'funds'))
  })
  it('with a company without enough funds refuses only what that company cannot pay', async () => {
    const [rich, short, empty] = [
      await book.addCompany(100_000n),
      await book.addCompany(2_500n),
      await book.addCompany(),
    ]
    const rows = await book.acceptBatch([
      service(rich),
      service(short),
      service(empty),
      service(short),
      service(rich),
      service(short),
      service(short, { amount: cents(300n), fee: cents(53n) }),
      service(rich),
    ])
    expect(rows.map(({ item, verdict, available }) => [item, verdict, available])).toEqual([
      [3, 'funds', 0n],
      [6, 'funds', 380n],
    ])
    expect(await book.balance(rich)).toEqual({ available: 96_820n, held: 3_180n })
    expect(await book.balance(short)).toEqual({ available: 27n, held: 2_473n })
    expect(await book.balance(empty)).toEqual({ available: 0n, held: 0n })
  })
  it('reports what was available when the item was decided, not what later items left', async () => {
    const company = await book.addCompany(2_000n)
    const rows = await book.acceptBatch([service(company, { amount: cents(9_000n) }), service(company)])
    expect(rows.map(({ item, verdict, available }) => [item, verdict, available])).toEqual([[1, 'funds', 2_000n]])
  })
  it('stops issues at the quota and accepts operations that do not count', async () => {
    const company = await book.addCompany(100_000n)
    const limited = { issuanceQuota: 2 }
    const rows = await book.acceptBatch([
      issue(company, limited),
      issue(company, { ...limited, holderId: randomUUID() }),
      issue(company, limited),
      issue(company, limited),
      service(company, limited),
    ])
    expect(rows.map(({ item, verdict }) => [item, verdict])).toEqual([
      [2, 'no_holder'],
      [4, 'quota'],
    ])
  })
  it('numbers its entries without gaps and keeps the running figures', async () => {
    const company = await book.addCompany(100_000n)
    await book.acceptBatch([service(company), issue(company), service(company)])
    const rows = await book.many('select number, balance, held from entry where company_id = $1 order by number', [
      company.scope.companyId,
    ])
    expect(rows).toEqual([
      { number: 1n, balance: 100_000n, held: 0n },
      { number: 2n, balance: 100_000n, held: 1_060n },
      { number: 3n, balance: 100_000n, held: 2_362n },
      { number: 4n, balance: 100_000n, held: 3_422n },
    ])
  })
})

it('times of entries never decrease, even if a clock does', async () => {
  const company = await book.addCompany(100_000n)
  await book.accept(service(company))
  book.clock.advance(-60_000)
  await book.acceptBatch([service(company), service(company)])
  await book.fund(company, 5n)
  const rows = await book.many<{ created_at: Date }>(
    'select created_at from entry where company_id = $1 order by number',
    [company.scope.companyId],
  )
  const times = rows.map(({ created_at: at }) => at.getTime())
  expect(times).toEqual(times.toSorted((a, b) => a - b))
})
