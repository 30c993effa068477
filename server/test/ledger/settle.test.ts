// settle_operations: every pair of states, compared with the table of transitions, and batches of several operations.
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import type { Settlement } from '../../src/ledger/items.ts'
import { createSettler } from '../../src/ledger/settle.ts'
import { cents } from '../../src/lib/money.ts'
import { OPERATION_STATUSES, OPERATION_TRANSITIONS, type OperationStatus } from '../../src/operations/states.ts'
import { Book, type BookCompany, completed, failed, issue, service, topup } from './book.ts'

const book = await Book.open()
afterEach(() => book.requireClean())
afterAll(() => book.close())

function settlement(company: BookCompany, id: string, status: OperationStatus): Settlement {
  if (status === 'completed') return completed(company, id, 'service')
  if (status === 'failed') return failed(company, id)
  return { scope: company.scope, id, status, dueAt: book.clock.now() }
}

/** Returns the id of a service operation that reached this status by the usual steps. */
async function bringTo(company: BookCompany, status: OperationStatus): Promise<string> {
  const id = await book.accept(service(company))
  if (status === 'queued') return id
  await book.claimAll()
  if (status !== 'processing') expect(await book.settle([settlement(company, id, status)])).toEqual([])
  return id
}

const pairs = OPERATION_STATUSES.flatMap((from) => OPERATION_STATUSES.map((to) => [from, to] as const))

describe('the table of transitions', () => {
  it.each(pairs)('%s → %s: the database does what the table says', async (from, to) => {
    const company = await book.addCompany(100_000n)
    const id = await bringTo(company, from)
    const before = await book.balance(company)
    const kinds = await book.entryKinds(id)
    const rows = await book.settle([settlement(company, id, to)])
    // Staying in processing is not a transition: it only sets the time of the next look-up. Only a claim moves an operation out of queued.
    const isAllowed =
      from !== 'queued' && (OPERATION_TRANSITIONS[from].includes(to) || (from === to && to === 'processing'))
    expect(rows).toEqual(isAllowed ? [] : [{ item: 1, status: from }])
    expect((await book.find(company, id)).status).toBe(isAllowed ? to : from)
    if (!isAllowed) {
      expect(await book.balance(company)).toEqual(before)
      expect(await book.entryKinds(id)).toEqual(kinds)
    }
  })
  it('only a claim moves an operation out of queued, and a claim takes nothing else', async () => {
    const company = await book.addCompany(100_000n)
    const ids = new Map<OperationStatus, string>()
    for (const status of OPERATION_STATUSES.toReversed()) ids.set(status, await bringTo(company, status))
    // A later bringTo may have claimed the queued operation, so queue it again.
    for (const table of ['operation', 'issuer_request'])
      await book.run(`update ${table} set status = 'queued' where id = $1 and status = 'processing'`, [
        ids.get('queued'),
      ])
    await book.claimAll()
    for (const [status, id] of ids)
      expect((await book.find(company, id)).status).toBe(status === 'queued' ? 'processing' : status)
  })
  it('an operation that does not exist has no status', async () => {
    const company = await book.addCompany()
    const id = '019cd79f-3c18-71bc-82b4-a4e2e7ea624f'
    expect(await book.settle([failed(company, id)])).toEqual([{ item: 1, status: null }])
  })
  it('an operation is not found under another company', async () => {
    const [owner, stranger] = [await book.addCompany(100_000n), await book.addCompany(100_000n)]
    const id = await bringTo(owner, 'processing')
    expect(await book.settle([failed(stranger, id)])).toEqual([{ item: 1, status: null }])
    expect((await book.find(owner, id)).status).toBe('processing')
  })
})

describe('a batch', () => {
  it('with one operation twice settles it once, with the first outcome', async () => {
    const company = await book.addCompany(100_000n)
    const [a, b] = [await bringTo(company, 'processing'), await bringTo(company, 'processing')]
    const rows = await book.settle([
      completed(company, a, 'service'),
      failed(company, a),
      failed(company, b),
      completed(company, b, 'service'),
      completed(company, a, 'service'),
    ])
    expect(rows.toSorted((x, y) => x.item - y.item)).toEqual([
      { item: 2, status: 'completed' },
      { item: 4, status: 'failed' },
      { item: 5, status: 'completed' },
    ])
    expect(await book.entryKinds(a)).toEqual(['reservation', 'capture', 'fee'])
    expect(await book.entryKinds(b)).toEqual(['reservation', 'release'])
  })
  it('with three top-ups of one card adds all of them to it', async () => {
    const company = await book.addCompany(100_000n)
    const card = await book.makeCard(company)
    const amounts = [1_000n, 1_111n, 2_345n]
    const ids: string[] = []
    for (const amount of amounts) ids.push(await book.accept(topup(company, card, { amount: cents(amount) })))
    await book.claimAll()
    expect(await book.settle(ids.map((id) => completed(company, id, 'topup')))).toEqual([])
    const [row] = await book.many<{ balance: bigint }>('select balance from card where id = $1', [card])
    expect(row?.balance).toBe(1_000n + 4_456n)
  })
  it('of several companies moves each company’s money, and an item that cannot move does not delay the others', async () => {
    const companies = [await book.addCompany(10_000n), await book.addCompany(10_000n), await book.addCompany(10_000n)]
    const [a, b, c] = companies as [BookCompany, BookCompany, BookCompany]
    const ids = [await book.accept(issue(a)), await book.accept(service(b)), await book.accept(issue(c))] as const
    await book.claimAll()
    await book.settle([{ scope: b.scope, id: ids[1], status: 'manual_review' }])
    const rows = await book.settle([
      completed(a, ids[0], 'issue'),
      { scope: b.scope, id: ids[1], status: 'queued', dueAt: book.clock.now() },
      failed(c, ids[2]),
    ])
    expect(rows).toEqual([{ item: 2, status: 'manual_review' }])
    expect(await book.balance(a)).toEqual({ available: 8_698n, held: 0n })
    expect(await book.balance(b)).toEqual({ available: 8_940n, held: 1_060n })
    expect(await book.balance(c)).toEqual({ available: 10_000n, held: 0n })
    const [account] = await book.many<{ issued_count: number }>(
      "select issued_count from account where company_id = $1 and environment = 'sandbox'",
      [c.scope.companyId],
    )
    expect(account?.issued_count).toBe(0)
  })
  it('that cannot be written as a whole moves nothing', async () => {
    const company = await book.addCompany(100_000n)
    const [good, bad] = [await bringTo(company, 'processing'), await bringTo(company, 'processing')]
    const before = await book.balance(company)
    const wrong: Settlement = { scope: company.scope, id: bad, status: 'completed' }
    await expect(book.settle([completed(company, good, 'service'), wrong])).rejects.toThrow(/operation_check/)
    expect(await book.balance(company)).toEqual(before)
    expect((await book.find(company, good)).status).toBe('processing')
  })
})

describe('the settler', () => {
  it('tells each caller whether its operation moved', async () => {
    const company = await book.addCompany(100_000n)
    const settler = createSettler(book)
    const id = await bringTo(company, 'processing')
    const answers = await Promise.all([
      settler.push(completed(company, id, 'service')),
      settler.push(failed(company, id)),
      settler.push(completed(company, id, 'service')),
    ])
    expect(answers).toEqual([{ moved: true }, { moved: false }, { moved: false }])
    await settler.idle()
  })
  it('ten concurrent settlements of one operation, in ten processes, move it once', async () => {
    const company = await book.addCompany(100_000n)
    const id = await bringTo(company, 'processing')
    const outcomes = Array.from({ length: 10 }, (_, index) =>
      createSettler(book).push(index % 2 === 0 ? completed(company, id, 'service') : failed(company, id)),
    )
    expect((await Promise.all(outcomes)).filter(({ moved }) => moved)).toHaveLength(1)
  })
})
