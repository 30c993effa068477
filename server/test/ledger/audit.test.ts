// Each rule of the audit by itself: something is changed that only one of them can notice. chain.test.ts has the hash chain.
import { afterAll, beforeEach, expect, it } from 'vitest'
import { Book, type BookCompany, completed, failed, service } from './book.ts'

const book = await Book.open()
let company: BookCompany
/** An operation of each kind. */
let ids: { completed: string; failed: string; queued: string }
beforeEach(async () => {
  company = await book.addCompany(1_000_000n)
  const [first, second] = [await book.accept(service(company)), await book.accept(service(company))]
  await book.claimAll()
  await book.settleAll([completed(company, first, 'service'), failed(company, second)])
  ids = { completed: first, failed: second, queued: await book.accept(service(company)) }
})
afterAll(() => book.close())

/** As a superuser who switches the guards off. */
async function tamper(text: string, values: readonly unknown[]): Promise<void> {
  await book.switchGuards('disable', 'entry')
  expect(await book.run(text, values)).toBe(1)
}

it('an account that nobody touched has no differences', async () => {
  expect(await book.differencesOf(company)).toEqual([])
})

it.each([
  ['captured more than its amount', 'completed', 'held_delta = held_delta - 1', 'capture'],
  ['charged more than its fee', 'completed', 'held_delta = held_delta - 1', 'fee'],
  [
    'released more than it had reserved',
    'failed',
    'available_delta = available_delta + 1, held_delta = held_delta - 1',
    'release',
  ],
  [
    'reserved less than its total',
    'queued',
    'available_delta = available_delta + 1, held_delta = held_delta - 1',
    'reservation',
  ],
] as const)('an operation that %s is reported', async (_what, status, change, kind) => {
  await tamper(`update entry set ${change} where reference = $1 and kind = $2`, [ids[status], kind])
  const found = await book.differencesOf(company)
  expect(found.filter((text) => text.startsWith('entries do not fit operation'))).toEqual([
    `entries do not fit operation ${ids[status]} (${status})`,
  ])
})

it('an operation that reserved its total in two parts is reported', async () => {
  const { queued } = ids
  await tamper(
    `update entry set available_delta = available_delta + 1, held_delta = held_delta - 1 where reference = $1`,
    [queued],
  )
  await tamper(
    `insert into entry (company_id, environment, number, kind, reference, reference_type, available_delta, held_delta, balance, held, created_at)
     select company_id, environment, number + 1, kind, reference, reference_type, -1, 1, balance, held, created_at
     from entry where reference = $1`,
    [queued],
  )
  expect(await book.differencesOf(company)).toContain(`entries do not fit operation ${queued} (queued)`)
})

it.each([
  [
    'an operation whose amount and fee were exchanged',
    'update operation set amount = amount + 1, fee = fee - 1 where id = $1',
  ],
  [
    'an operation that is not completed any more',
    "update operation set status = 'manual_review', receipt = null where id = $1",
  ],
])('%s is reported', async (_what, change) => {
  await tamper(change, [ids.completed])
  const found = await book.differencesOf(company)
  expect(found.some((text) => text.startsWith(`entries do not fit operation ${ids.completed} (`))).toBe(true)
})

it('an entry that is older than the one before it is reported', async () => {
  const earlier = `timestamptz '2020-01-01T00:00:00.000Z'`
  await tamper(`update entry set created_at = ${earlier} where company_id = $1 and number = 3`, [
    company.scope.companyId,
  ])
  expect(await book.differencesOf(company)).toEqual(['entry 3 is older than the one before it'])
})

it.each(['balance = balance + 1', 'held = held + 1'])('running figures with %s are reported', async (change) => {
  await tamper(`update entry set ${change} where company_id = $1 and number = 3`, [company.scope.companyId])
  expect(await book.differencesOf(company)).toEqual(['running figures are wrong at entry 3'])
})

const FIRST = 'company_id = $1 and number = 1'
it.each([
  ['of another amount', 'update deposit set amount = amount + 1 where company_id = $1', 1],
  ['that is missing', 'delete from deposit where company_id = $1', 1],
  ['whose entry says that it was an invoice', `update entry set reference_type = 'inv' where ${FIRST}`, 2],
])('a deposit %s is reported', async (_what, change, count) => {
  await tamper(change, [company.scope.companyId])
  const found = await book.differencesOf(company)
  expect(found.filter((text) => text.startsWith('entries do not fit deposit'))).toHaveLength(count)
  expect(found).toHaveLength(count)
})

it('a deposit that was charged a fee is reported', async () => {
  await tamper(
    `insert into entry (company_id, environment, number, kind, reference, reference_type, available_delta, held_delta, balance, held, created_at)
     select e.company_id, e.environment, a.sequence + 1, 'fee', e.reference, e.reference_type, -1, 0, a.available + a.held - 1, a.held, a.last_entry_at
     from entry e join account a on a.company_id = e.company_id and a.environment = e.environment where e.company_id = $1 and e.number = 1`,
    [company.scope.companyId],
  )
  const found = await book.differencesOf(company)
  expect(found.filter((text) => text.startsWith('entries do not fit deposit'))).toHaveLength(1)
})
