// Which operations are claimed while the issuer does not answer requests of some type.
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { ZERO_ID } from '../../src/lib/ids.ts'
import { claimOperationsOf } from '../../src/operations/queries.ts'
import { Book, type BookCompany, issue, LEASE_MS, service } from '../ledger/book.ts'

const book = await Book.open()
afterAll(() => book.close())
let companies: BookCompany[]
beforeEach(async () => {
  await book.claimAll()
  companies = [await book.addNeighbour(100_000_000n), await book.addNeighbour(100_000_000n)]
})

async function queue(company: BookCompany, issues: number, services: number): Promise<void> {
  const candidates = [
    ...Array.from({ length: issues }, () => issue(company)),
    ...Array.from({ length: services }, () => service(company)),
  ]
  for (let from = 0; from < candidates.length; from += 500)
    expect(await book.acceptBatch(candidates.slice(from, from + 500))).toEqual([])
}

let after = ZERO_ID
async function claim(limit: number, limits: Record<string, number>, share = 200) {
  const now = book.clock.now()
  const terms = { environment: 'sandbox', now, leaseUntil: new Date(now.getTime() + LEASE_MS), limit } as const
  const { rows, reached } = await claimOperationsOf(book.db, terms, {
    share,
    after,
    limits: new Map(Object.entries(limits)),
  })
  after = reached
  return rows
}
const countOf = (rows: readonly { type: string; company_id: string }[], type: string, company?: BookCompany) =>
  rows.filter((row) => row.type === type && (company === undefined || row.company_id === company.scope.companyId))
    .length

describe('a claim of some types', () => {
  it('claims the types that are wanted, at most as many of each as wanted, from behind the others', async () => {
    const [company] = companies as [BookCompany]
    await queue(company, 30, 10)
    const rows = await claim(20, { issue: 1, service: 20 })
    expect([countOf(rows, 'issue'), countOf(rows, 'service')]).toEqual([1, 10])
    expect(await claim(20, { service: 20 })).toEqual([])
  })

  it('gives each company its share, and goes on where the last claim ended', async () => {
    const [one, two] = companies as [BookCompany, BookCompany]
    await queue(one, 0, 20)
    await queue(two, 0, 20)
    const first = await claim(4, { service: 4 }, 4)
    const second = await claim(4, { service: 4 }, 4)
    const both = [...first, ...second]
    expect([countOf(both, 'service', one), countOf(both, 'service', two)]).toEqual([4, 4])
    expect(new Set(both.map(({ id }) => id)).size).toBe(8)
  })

  it('reads at most 2,000 entries of a company, and those of others all the same', async () => {
    const [one, two] = companies as [BookCompany, BookCompany]
    await queue(one, 2_000, 0)
    book.clock.advance(1)
    await queue(one, 0, 1)
    await queue(two, 0, 1)
    const rows = [...(await claim(20, { service: 20 })), ...(await claim(20, { service: 20 }))]
    expect([countOf(rows, 'service', one), countOf(rows, 'service', two)]).toEqual([0, 1])
  })
})
