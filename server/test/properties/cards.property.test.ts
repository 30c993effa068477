// What is on a card and what it gives back, as a property: whatever the issuer reports and in whatever order, no report credits more than
// what all reports so far leave of the money that was loaded.
import fc from 'fast-check'
import { afterAll, expect, it } from 'vitest'
import { beginCardChange, reportCardStatus, settleCardChange } from '../../src/card-changes/queries.ts'
import { CARD_ACTIONS } from '../../src/card-changes/states.ts'
import { sql } from '../../src/db/sql.ts'
import { newId } from '../../src/lib/ids.ts'
import { ingestTransaction } from '../../src/transactions/ingest.ts'
import type { TransactionStatus } from '../../src/transactions/states.ts'
import { Book, type BookCompany, completed, topup } from '../ledger/book.ts'

/** About 10 s on two cores. */
const RUNS = 150
/** A busy machine takes five times as long; slowness is not failure. */
const SLOW_MACHINE_MS = 300_000
/** What Book.makeCard and its top-ups load. */
const LOAD = 1_000
const TOP_UPS = 2

const book = await Book.open()
afterAll(() => book.close())

/** What becomes of a payment, as the issuer reports it step by step. Amounts are in cents, and debits negative. */
type Payment = readonly (readonly [TransactionStatus, number])[]
type Report =
  | { readonly do: 'pay'; readonly id: number; readonly status: TransactionStatus; readonly amount: number }
  | { readonly do: 'top up'; readonly id: number }
  | { readonly do: 'close'; readonly by: 'company' | 'issuer'; readonly balance: number | null }

const debit = fc.integer({ min: -2 * LOAD, max: -1 })
const payment: fc.Arbitrary<Payment> = fc.oneof(
  debit.map((amount): Payment => [['pending', amount]]),
  debit.map((amount): Payment => [['settled', amount]]),
  fc.tuple(debit, fc.constantFrom('reversed', 'expired')).map(([amount, end]): Payment => [
    ['pending', amount],
    [end, amount],
  ]),
  fc.tuple(debit, debit).map(([amount, settled]): Payment => [
    ['pending', amount],
    ['settled', settled],
  ]),
  fc.tuple(debit, debit).map(([amount, settled]): Payment => [
    ['pending', amount],
    ['expired', amount],
    ['settled', settled],
  ]),
  fc.integer({ min: 1, max: 2 * LOAD }).map((amount): Payment => [['settled', amount]]),
)
const close = fc.record({
  do: fc.constant('close' as const),
  by: fc.constantFrom('company' as const, 'issuer' as const),
  balance: fc.option(fc.integer({ min: 0, max: 3 * LOAD })),
})
/** All reports about a card, each perhaps twice, in any order: the same payment's too. */
const reports = fc
  .tuple(fc.array(payment, { minLength: 1, maxLength: 5 }), fc.nat({ max: TOP_UPS }), fc.option(close))
  .chain(([payments, topUps, closing]) => {
    const all: Report[] = [
      ...payments.flatMap((steps, id) => steps.map(([status, amount]) => ({ do: 'pay' as const, id, status, amount }))),
      ...Array.from({ length: topUps }, (_, id) => ({ do: 'top up' as const, id })),
      ...(closing === null ? [] : [closing]),
    ]
    return fc.shuffledSubarray([...all, ...all], { minLength: all.length })
  })

interface Card {
  readonly company: BookCompany
  readonly id: string
  readonly topUps: readonly string[]
}

/** As many as were ordered, also if only the last one is reported. */
const countTopUps = (all: readonly Report[]) =>
  Math.max(0, ...all.map((report) => (report.do === 'top up' ? report.id + 1 : 0)))

/** A card whose top-ups the issuer has carried out, and their answers were lost. */
async function makeCard(count: number): Promise<Card> {
  const company = await book.addCompany(100_000n)
  const id = await book.makeCard(company)
  const topUps: string[] = []
  for (let n = 0; n < count; n += 1) topUps.push(await book.accept(topup(company, id)))
  await book.claimAll()
  return { company, id, topUps }
}

async function take(card: Card, report: Report): Promise<void> {
  const { id, topUps, company } = card
  const { scope } = company
  switch (report.do) {
    case 'top up':
      await book.settle([completed(company, topUps[report.id] ?? '', 'topup')])
      return
    case 'close': {
      const balance = report.balance === null ? null : BigInt(report.balance)
      if (report.by === 'company') await closeAsAsked(card, balance)
      else await reportCardStatus(book.db, scope, { cardId: id, status: 'closed', balance, now: book.clock.now() })
      return
    }
    case 'pay':
      await ingestTransaction(book, scope, {
        issuerId: `payment ${report.id}`,
        cardId: id,
        type: report.amount < 0 ? 'purchase' : 'refund',
        status: report.status,
        amount: BigInt(report.amount),
        currency: 'USD',
        occurredAt: book.clock.now(),
      })
  }
}

/** The company may not ask for it while a top-up is open. */
async function closeAsAsked({ company: { scope }, id: cardId }: Card, returned: bigint | null): Promise<void> {
  const now = book.clock.now()
  const id = newId(now)
  const change = { id, cardId, wanted: CARD_ACTIONS.close.to, from: CARD_ACTIONS.close.from, dueAt: now }
  const begun = await beginCardChange(book.db, scope, now, change)
  if (begun?.verdict !== 'begun') return
  const settlement = { status: 'completed', returned, failure: null, dueAt: null, lookUps: null } as const
  await settleCardChange(book.db, scope, id, now, settlement)
}

/** What was loaded, less what the payments took by all that was reported of them. */
function leftAfter(taken: readonly Report[]): number {
  const payments = new Map<number, number>()
  const ended = new Set<number>()
  const topUps = new Set<number>()
  for (const report of taken) {
    if (report.do === 'top up') topUps.add(report.id)
    if (report.do !== 'pay' || ended.has(report.id)) continue
    const { id, status, amount } = report
    const isKnown = payments.has(id)
    const isHeldAgain = isKnown && status === 'pending'
    if (isHeldAgain) continue
    payments.set(id, status === 'settled' || status === 'pending' ? amount : 0)
    // Only an authorisation that is open or expired goes on.
    if (status === 'settled' || status === 'reversed') ended.add(id)
  }
  return LOAD + topUps.size * LOAD + [...payments.values()].reduce((sum, amount) => sum + amount, 0)
}

interface Money {
  readonly status: string
  readonly balance: number
  readonly returned: number
  readonly unreported: number
}

async function read({ company, id }: Card): Promise<Money> {
  const row = await book.db.find<Record<'balance' | 'returned' | 'unreported', bigint> & { status: string }>(sql`
    select c.status, c.balance, coalesce(c.unreported, 0)::bigint as unreported, (
      select coalesce(sum(e.available_delta), 0)::bigint from entry e
      where e.company_id = c.company_id and e.environment = c.environment and e.kind = 'adjustment') as returned
    from card c where c.company_id = ${company.scope.companyId} and c.environment = 'sandbox' and c.id = ${id}`)
  if (row === undefined) throw new Error('no card')
  const { status, balance, returned, unreported } = row
  return { status, balance: Number(balance), returned: Number(returned), unreported: Number(unreported) }
}

it(
  'a card never has, and never gives back, more than what all that was reported leaves of what was loaded',
  async () => {
    await fc.assert(
      fc.asyncProperty(reports, async (all) => {
        const card = await makeCard(countTopUps(all))
        let before = await read(card)
        for (const [index, report] of all.entries()) {
          await take(card, report)
          const after = await read(card)
          const left = leftAfter(all.slice(0, index + 1))
          expect(after.balance + after.returned + after.unreported).toBe(left)
          if (after.status === 'closed') expect(after.balance).toBe(0)
          else expect(after).toMatchObject({ balance: Math.max(0, left), returned: 0 })
          // What is credited once is never taken back, so that only a report that credits something is held against what is left.
          expect(after.returned).toBeGreaterThanOrEqual(before.returned)
          if (after.returned > before.returned) expect(after.returned).toBeLessThanOrEqual(left)
          before = after
        }
        expect(await book.differencesOf(card.company)).toEqual([])
      }),
      { numRuns: RUNS },
    )
  },
  SLOW_MACHINE_MS,
)
