// An account that has something of everything that the ledger knows, on three days. Each account has its own amounts, so whoever
// reads the entries of another one gets another result.
import { randomUUID } from 'node:crypto'
import { recordArchive } from '../../src/archive/queries.ts'
import type { Candidate } from '../../src/ledger/items.ts'
import type { AccountKey } from '../../src/ledger/queries.ts'
import { newId } from '../../src/lib/ids.ts'
import { cents } from '../../src/lib/money.ts'
import { type Book, type BookCompany, completed, failed, issue, service } from './book.ts'

/** What the entries of a full account belong to. */
export type Name = keyof Awaited<ReturnType<typeof fill>>
export interface FullAccount {
  readonly owner: BookCompany
  readonly key: AccountKey
  readonly ids: Readonly<Record<Name, string>>
}

/** The last entries of the first two days, and of all that is sealed. The first entry is sealed by itself. */
export const SEALED = [1, 10, 14, 31] as const
/** One deposit follows that is not sealed. */
export const NEWEST = 32
const FIRST_DAY = Date.parse('2024-05-01T12:00:00.000Z')
const DAY_MS = 86_400_000

/** What distinguishes one account from another: amounts are multiples of `unit`, and its first day is so many days earlier. */
interface Difference {
  readonly unit: number
  readonly daysEarlier: number
}

/** Fills both accounts of a new company. All entries of the live account are older than those of the sandbox account. */
export async function fillCompany(
  book: Book,
  { unit, daysEarlier }: Difference = { unit: 1, daysEarlier: 0 },
): Promise<{ sandbox: FullAccount; live: FullAccount }> {
  // An account has no entry from before it was opened.
  book.clock.set('2024-01-01T00:00:00.000Z')
  const { scope, holderId } = await book.addCompany()
  const liveScope = { ...scope, environment: 'live' as const }
  const owner = { scope: liveScope, holderId: await book.addHolder(liveScope) }
  const live = await fillAccount(book, owner, { unit: unit + 1, daysEarlier: daysEarlier + 10 })
  return { live, sandbox: await fillAccount(book, { scope, holderId }, { unit, daysEarlier }) }
}

async function fillAccount(book: Book, owner: BookCompany, difference: Difference): Promise<FullAccount> {
  return { owner, key: keyOf(owner), ids: await fill(book, owner, difference) }
}

const keyOf = ({ scope }: BookCompany): AccountKey => ({ company_id: scope.companyId, environment: scope.environment })

/** Records that the entries are archived, up to each of these numbers. */
export async function archive(book: Book, { key }: FullAccount, numbers: readonly number[]): Promise<void> {
  let first = 1
  for (const last of numbers) {
    const hash = (await readSeals(book, key)).get(last)?.toString('hex') ?? ''
    const file = { first, last, hash, fileName: `file ${last}`, fileDigest: '00'.repeat(32) }
    if (!(await recordArchive(book.db, key, book.clock.now(), file))?.recorded) throw new Error('not recorded')
    first = last + 1
  }
}

export async function readSeals(book: Book, key: AccountKey): Promise<Map<number, Buffer>> {
  const rows = await book.many<{ number: bigint; hash: Buffer }>(
    'select number, hash from seal where company_id = $1 and environment = $2 order by number',
    [key.company_id, key.environment],
  )
  return new Map(rows.map(({ number, hash }) => [Number(number), hash]))
}

async function fill(book: Book, owner: BookCompany, { unit, daysEarlier }: Difference) {
  const { companyId, environment } = owner.scope
  const run = (text: string, values: readonly unknown[]) => book.run(text, [companyId, environment, ...values])
  const now = () => book.clock.now()
  const begin = (day: number, second: number) =>
    book.clock.set(new Date(FIRST_DAY + (day - 1 - daysEarlier) * DAY_MS + second * 1000).toISOString())
  const seal = () => run('select seal_entries($1, $3, $2, 1000)', [now()])

  const fund = async (amount: number) => {
    await book.fund(owner, BigInt(amount * unit))
    const rows = await book.many<{ id: string }>(
      'select id from deposit where company_id = $1 and environment = $2 order by id desc limit 1',
      [companyId, environment],
    )
    return rows[0]?.id ?? ''
  }
  const credit = (id: string, type: 'inv' | 'rev', deposit: number, fee: number) =>
    run('select credit_account($1, $3, $2, $4, $5, $6, $7)', [now(), id, type, deposit, fee])
  const invoice = async (status: string, amount: number, fee: number) => {
    const [id, deposit] = [newId(now()), amount * unit]
    await run(
      `insert into invoice (company_id, environment, id, status, requested, deposit, fee, failure_code, idempotency_key, request_digest, created_at, status_at)
       values ($1, $2, $3, $4, $5, $5, $6, case when $4 = 'failed' then 'x' end, $7, '', $8, $8)`,
      [id, status, deposit, fee * unit, randomUUID(), now()],
    )
    if (status === 'completed') await credit(id, 'inv', deposit, fee * unit)
    // It has no address, so it is in review because its creation stayed unknown, and its request is not settled.
    if (status === 'manual_review') {
      await run(
        `insert into issuer_request (company_id, environment, id, kind, status, due_at, held) values ($1, $2, $3, 'invoice', $4, $5, 0)`,
        [id, status, now()],
      )
    }
    return id
  }
  const review = async (invoiceId: string, status: string, amount: number, fee: number) => {
    const id = newId(now())
    const [deposit, charged] = status === 'completed' ? [amount * unit, fee * unit] : [null, null]
    await run(
      `insert into payment_review (company_id, environment, id, invoice_id, payment_key, status, amount, deposit, fee, created_at, status_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10)`,
      [id, invoiceId, randomUUID(), status, amount * unit, deposit, charged, now()],
    )
    if (deposit !== null) await credit(id, 'rev', deposit, charged)
    return id
  }
  const price = { amount: cents(BigInt(1000 * unit)), fee: cents(BigInt(60 * unit)) }
  const accept = (more: Partial<Candidate> = {}) => book.accept(service(owner, { ...price, ...more }))
  /** As a claim and an outcome would do it. Claims are across companies. */
  const move = async (id: string, status: 'processing' | 'manual_review') => {
    await run('update operation set status = $4 where company_id = $1 and environment = $2 and id = $3', [id, status])
    await run('update issuer_request set status = $4 where company_id = $1 and environment = $2 and id = $3', [
      id,
      status,
    ])
  }
  const end = async (how: typeof completed | typeof failed, id: string, type: Candidate['type'] = 'service') => {
    await move(id, 'processing')
    await book.settleAll([how(owner, id, type)])
  }

  begin(1, 0)
  const oldFund = await fund(100_000)
  await seal()
  begin(1, 1)
  const oldInvoice = await invoice('completed', 500, 7)
  const oldCompleted = await accept()
  begin(1, 2)
  await end(completed, oldCompleted)
  const oldReview = await review(oldInvoice, 'completed', 300, 5)
  begin(1, 3)
  const [laterCompleted, laterFailed] = [await accept(), await accept()]
  await seal()

  begin(2, 0)
  await end(completed, laterCompleted)
  await end(failed, laterFailed)
  const secondFund = await fund(2000)
  await seal()

  begin(3, 0)
  const freeInvoice = await invoice('completed', 700, 0)
  const newInvoice = await invoice('completed', 900, 11)
  const newReview = await review(newInvoice, 'completed', 400, 3)
  const card = randomUUID()
  await run("select return_from_card($1, $3, $2, $4, 'card', $5)", [now(), card, 25 * unit])
  const openInvoice = await invoice('manual_review', 1100, 13)
  await invoice('failed', 1200, 14)
  await review(newInvoice, 'manual_review', 600, 0)
  await review(newInvoice, 'failed', 800, 0)
  const [newCompleted, newFailed, queued] = [
    await accept(),
    await accept(),
    await accept({ amount: cents(1n), fee: cents(0n) }),
  ]
  const [processing, inReview, issued] = [await accept(), await accept(), await book.accept(issue(owner, price))]
  await move(processing, 'processing')
  await move(inReview, 'manual_review')
  begin(3, 1)
  await end(completed, newCompleted)
  await end(failed, newFailed)
  await end(completed, issued, 'issue')
  await seal()
  const newestFund = await fund(40)
  const operations = { oldCompleted, laterCompleted, laterFailed, newCompleted, newFailed, issued }
  const open = { queued, processing, inReview }
  const deposits = { oldFund, oldInvoice, oldReview, secondFund, freeInvoice, newInvoice, newReview, newestFund }
  return { ...operations, ...open, ...deposits, openInvoice, card }
}
