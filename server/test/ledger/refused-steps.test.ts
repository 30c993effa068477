// What is refused or repeated changes nothing, keys and objects of other accounts do not count, and neither a clock that goes back
// nor a request from before midnight disturbs what is there already.
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Candidate } from '../../src/ledger/items.ts'
import type { AcceptRow } from '../../src/ledger/queries.ts'
import { must } from '../../src/lib/invariant.ts'
import { cents } from '../../src/lib/money.ts'
import { type BookCompany, failed, issue, service, topup } from './book.ts'
import { type Account, candidateOf, Steps } from './steps.ts'

const steps = await Steps.open()
const { accounts, book, watch } = steps
const [acme, acmeLive, other] = accounts as readonly [Account, Account, Account]
beforeEach(() => steps.tick())
afterEach(() => book.requireClean())
afterAll(() => book.close())

type Accept = (candidates: readonly Candidate[]) => Promise<AcceptRow[]>
const oneByOne: Accept = async (candidates) => {
  const rows: AcceptRow[] = []
  for (const [index, candidate] of candidates.entries())
    for (const row of await book.acceptOne(candidate)) rows.push({ ...row, item: index + 1 })
  return rows
}
const together: Accept = (candidates) => book.acceptBatch(candidates)
const verdicts = (rows: readonly AcceptRow[]) =>
  rows.toSorted((a, b) => a.item - b.item).map(({ item, verdict, id }) => [item, verdict, id])

describe.each([
  ['one by one', oneByOne],
  ['together', together],
])('decided %s', (_path, accept) => {
  it('what is refused changes nothing, and the same key of another account is not a repetition', async () => {
    const idempotencyKey = randomUUID()
    const dear = { idempotencyKey, amount: cents(1_000_000n) }
    const [id] = await steps.accept([other], 'service', { idempotencyKey })
    let rows: AcceptRow[] = []
    const changes = await watch.changesOf(async () => {
      rows = await accept([service(acme, dear), service(acmeLive, dear), service(other, { idempotencyKey })])
    })
    expect(changes).toEqual({})
    expect(verdicts(rows)).toEqual([
      [1, 'funds', null],
      [2, 'funds', null],
      [3, 'replay', id],
    ])
  })

  it('what is refused changes nothing beside something that is accepted', async () => {
    const before = await steps.readFigures()
    await accept([service(acme, { amount: cents(1_000_000n) }), service(acmeLive)])
    const after = await steps.readFigures()
    expect([after[0], after[2]]).toEqual([before[0], before[2]])
    expect(must(after[1]).held - must(before[1]).held).toBe(1_060n)
    const rows = await book.many(
      'select from delivery d where not exists (select from event_log e where e.company_id = d.company_id and e.id = d.event_id)',
    )
    expect(rows).toEqual([])
  })

  it('one key in three accounts is three operations, and each is repeated in its own account', async () => {
    const key = { idempotencyKey: randomUUID() }
    const candidates = accounts.map((account) => service(account, key))
    expect(await accept(candidates)).toEqual([])
    const made = await Promise.all(
      accounts.map(async ({ scope }) => {
        const select = 'select id from operation where company_id = $1 and environment = $2 and idempotency_key = $3'
        const rows = await book.many<{ id: string }>(select, [scope.companyId, scope.environment, key.idempotencyKey])
        expect(rows).toHaveLength(1)
        return must(rows[0]).id
      }),
    )
    const different = { ...must(candidates[1]), digest: 'bb' }
    const rows = await accept([must(candidates[2]), different, must(candidates[0])])
    expect(verdicts(rows)).toEqual([
      [1, 'replay', made[2]],
      [2, 'conflict', made[1]],
      [3, 'replay', made[0]],
    ])
    const available = (await steps.readFigures()).map((figures) => figures.available)
    expect(rows.toSorted((a, b) => a.item - b.item).map((row) => row.available)).toEqual(available.toReversed())
  })

  it("the other environment's holders and cards do not exist", async () => {
    const rows = await accept([
      issue(acme, { holderId: acmeLive.holderId }),
      issue(acmeLive, { holderId: acme.holderId }),
      topup(acme, acmeLive.cardId),
      topup(acmeLive, other.cardId),
    ])
    expect(rows.map(({ verdict }) => verdict)).toEqual(['no_holder', 'no_holder', 'no_card', 'no_card'])
  })

  it('a card that is being changed cannot be topped up', async () => {
    await book.run(`update card set pending_status = 'frozen' where id = $1`, [acme.cardId])
    const rows = await accept([topup(acme, acme.cardId), topup(other, other.cardId)])
    await book.run('update card set pending_status = null where id = $1', [acme.cardId])
    expect(verdicts(rows)).toEqual([[1, 'card_inactive', null]])
  })

  it('a clock that goes back leaves the times of the account and of its entries in order', async () => {
    for (const type of ['service', 'issue', 'topup'] as const) {
      await steps.accept(accounts, type)
      const before = await steps.readFigures()
      book.clock.advance(-60_000)
      expect(await accept(accounts.map((account) => candidateOf(account, type)))).toEqual([])
      book.clock.advance(60_000)
      const after = await steps.readFigures()
      expect(after.map((row) => row.last_entry_at)).toEqual(before.map((row) => row.last_entry_at))
      const entries = await book.many<{ created_at: Date }>(
        `select e.created_at from entry e join account a on a.company_id = e.company_id and a.environment = e.environment
         and a.sequence = e.number where e.created_at <> a.last_entry_at`,
      )
      expect(entries).toEqual([])
    }
  })
})

describe.each([
  ['one by one', oneByOne],
  ['together', together],
])('decided %s, in and after a month', (_path, accept) => {
  const issuedBy = async ({ scope }: BookCompany) =>
    must(
      (
        await book.many<{ month: string; count: number }>(
          'select issued_month::text as month, issued_count as count from account where company_id = $1 and environment = $2',
          [scope.companyId, scope.environment],
        )
      )[0],
    )
  const at = async (instant: string, ...candidates: Candidate[]) => {
    book.clock.set(instant)
    return (await accept(candidates)).map(({ verdict }) => verdict)
  }

  it('an issue counts in the month of its request, and a service never does', async () => {
    const start = book.clock.now()
    const company = await book.addCompany(1_000_000n)
    const live = { ...company, scope: { ...company.scope, environment: 'live' as const } }
    const liveCompany = { ...live, holderId: await book.addHolder(live.scope) }
    await book.fund(liveCompany, 100_000n)
    const neighbour = await book.addCompany(100_000n)

    expect(await at('2026-04-30T23:59:59.999Z', issue(company))).toEqual([])
    expect(await issuedBy(company)).toEqual({ month: '2026-04-01', count: 1 })
    expect(await at('2026-05-01T00:00:00.000Z', service(company))).toEqual([])
    expect(await issuedBy(company)).toEqual({ month: '2026-04-01', count: 1 })
    expect(await at('2026-05-01T00:00:00.000Z', issue(company, { issuanceQuota: 1 }))).toEqual([])
    expect(await issuedBy(company)).toEqual({ month: '2026-05-01', count: 1 })
    expect(await at('2026-05-31T23:59:59.999Z', issue(company), issue(liveCompany), issue(neighbour))).toEqual([])
    const lost = await book.accept(issue(company))
    expect(await issuedBy(company)).toEqual({ month: '2026-05-01', count: 3 })
    await book.claimAll()
    await book.settleAll([failed(company, lost)])
    expect(await issuedBy(company)).toEqual({ month: '2026-05-01', count: 2 })
    expect(await at('2026-05-31T23:59:59.999Z', service(company, { issuanceQuota: 0 }))).toEqual([])
    expect(await at('2026-06-01T00:00:00.000Z', issue(company), issue(company), issue(company))).toEqual([])
    expect(await issuedBy(company)).toEqual({ month: '2026-06-01', count: 3 })

    // Requests from before midnight. Two issues of May have not failed.
    expect(await at('2026-05-31T23:59:59.999Z', issue(company, { issuanceQuota: 2 }))).toEqual(['quota'])
    expect(await at('2026-05-31T23:59:59.999Z', issue(company, { issuanceQuota: 3 }))).toEqual([])
    expect(await at('2026-05-31T23:59:59.999Z', issue(company, { issuanceQuota: 3 }))).toEqual(['quota'])
    expect(await at('2026-05-31T23:59:59.999Z', issue(company), service(company))).toEqual([])
    expect(await issuedBy(company)).toEqual({ month: '2026-06-01', count: 3 })
    expect(await at('2026-06-30T23:59:59.999Z', issue(company, { issuanceQuota: 3 }))).toEqual(['quota'])
    expect(await at('2026-06-30T23:59:59.999Z', issue(company, { issuanceQuota: 4 }))).toEqual([])
    expect(await at('2026-07-01T00:00:00.000Z', issue(company, { issuanceQuota: 1 }))).toEqual([])
    expect(await issuedBy(company)).toEqual({ month: '2026-07-01', count: 1 })
    book.clock.set(start.toISOString())
  })
})
