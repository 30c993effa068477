// accept_operation and accept_operations make the same decisions: any requests, one by one or in batches of any size, get
// the same verdicts and leave the same ledger.
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, expect, it } from 'vitest'
import type { Candidate } from '../../src/ledger/items.ts'
import { acceptOperation, acceptOperations, type AcceptRow } from '../../src/ledger/queries.ts'
import { cents } from '../../src/lib/money.ts'
import { Book, type BookCompany, issue, service, topup } from './book.ts'

const RUNS = 10
const book = await Book.open()
afterAll(async () => {
  await book.requireClean()
  await book.close()
})

interface Request {
  what: 'issue' | 'topup' | 'service'
  object: 'active' | 'inactive' | 'missing'
  amount: number
  /** Few keys, so that some requests repeat one. */
  key: number
  digest: 'aa' | 'bb'
  name: string | null
  quota: number | null
}

const request: fc.Arbitrary<Request> = fc.record({
  what: fc.constantFrom('issue', 'topup', 'service'),
  object: fc.constantFrom('active', 'active', 'active', 'inactive', 'missing'),
  amount: fc.integer({ min: 1, max: 4_000 }),
  key: fc.integer({ min: 0, max: 11 }),
  digest: fc.constantFrom('aa', 'aa', 'aa', 'bb'),
  name: fc.constantFrom(null, 'Travel'),
  quota: fc.constantFrom(null, 2, 2),
})
/** The requests in batches. */
const batches = fc.array(fc.array(request, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 4 })

interface Twin extends BookCompany {
  readonly holders: Record<Request['object'], string>
  readonly cards: Record<Request['object'], string>
}

async function addTwin(): Promise<Twin> {
  const company = await book.addCompany(12_000n)
  const [card, frozen] = [await book.makeCard(company), await book.makeCard(company)]
  await book.run(`update card set status = 'frozen' where id = $1`, [frozen])
  const blocked = await book.addHolder(company.scope, 'blocked')
  return {
    ...company,
    holders: { active: company.holderId, inactive: blocked, missing: randomUUID() },
    cards: { active: card, inactive: frozen, missing: randomUUID() },
  }
}

function toCandidate(twin: Twin, { what, object, amount, key, digest, name, quota }: Request): Candidate {
  const more = { amount: cents(BigInt(amount)), idempotencyKey: `key ${key}`, digest, issuanceQuota: quota }
  if (what === 'issue') return issue(twin, { ...more, holderId: twin.holders[object], name })
  return what === 'topup' ? topup(twin, twin.cards[object], more) : service(twin, more)
}

type Accept = (candidates: readonly Candidate[]) => Promise<{ id: string; row: AcceptRow | undefined }[]>
const oneByOne: Accept = async (candidates) => {
  const answers = []
  for (const candidate of candidates) {
    const item = book.newItem(candidate)
    answers.push({ id: item.id, row: (await acceptOperation(book.db, book.clock.now(), item))[0] })
  }
  return answers
}
const together: Accept = async (candidates) => {
  const items = candidates.map((candidate) => book.newItem(candidate))
  const rows = await acceptOperations(book.db, book.clock.now(), items)
  return items.map(({ id }, index) => ({ id, row: rows.find(({ item }) => item === index + 1) }))
}

/** Runs the batches for a new company. Returns each verdict, with the position of the original, and the book after it. */
async function runAll(accept: Accept, plan: readonly (readonly Request[])[]) {
  const twin = await addTwin()
  const ids: string[] = []
  const verdicts: unknown[] = []
  for (const requests of plan) {
    for (const { id, row } of await accept(requests.map((item) => toCandidate(twin, item)))) {
      ids.push(id)
      const original = row?.id == null ? undefined : ids.indexOf(row.id)
      verdicts.push(
        row === undefined ? 'accepted' : [row.verdict, row.available, original, row.type, row.amount, row.fee],
      )
    }
  }
  const { companyId } = twin.scope
  const operations = await book.many(
    `select o.type, o.amount, o.fee, o.name, o.recipient, o.status from operation o
     join entry e on e.company_id = o.company_id and e.environment = o.environment and e.reference = o.id and e.kind = 'reservation'
     where o.company_id = $1 order by e.number`,
    [companyId],
  )
  const entries = await book.many(
    'select number, kind, reference_type, available_delta, held_delta, balance, held from entry where company_id = $1 order by number',
    [companyId],
  )
  const [account] = await book.many(
    "select available, held, sequence, issued_month, issued_count from account where company_id = $1 and environment = 'sandbox'",
    [companyId],
  )
  return { verdicts, operations, entries, account }
}

it('requests get the same verdicts one by one and in batches, and leave the same ledger', async () => {
  await fc.assert(
    fc.asyncProperty(batches, async (plan) => {
      expect(await runAll(together, plan)).toEqual(await runAll(oneByOne, plan))
    }),
    { numRuns: RUNS },
  )
})

it.each([
  ['of exactly what is available is accepted', 0n, undefined],
  ['of one cent more than what is available is refused', 1n, 'funds'],
])('a request %s, alone and in a batch', async (_, excess, verdict) => {
  for (const accept of [oneByOne, together]) {
    const twin = await addTwin()
    const [account] = await book.many<{ available: bigint }>(
      "select available from account where company_id = $1 and environment = 'sandbox'",
      [twin.scope.companyId],
    )
    const amount = cents((account?.available ?? 0n) + excess)
    const [answer] = await accept([service(twin, { amount, fee: cents(0n) })])
    expect(answer?.row?.verdict).toBe(verdict)
  }
})
