// The audit of accounts that have something of everything, beside the other account of the company and those of another company,
// which have the same with other amounts. Whatever is changed, it reports exactly that. audit.test.ts has one rule at a time.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AccountKey } from '../../src/ledger/queries.ts'
import { onCitus } from '../support/on-citus.ts'
import { Book } from './book.ts'
import { archive, fillCompany, type FullAccount, readSeals } from './full-account.ts'

const book = await Book.open()
let other: FullAccount
beforeAll(async () => {
  const company = await fillCompany(book, { unit: 3, daysEarlier: 5 })
  other = company.sandbox
  for (const account of [company.sandbox, company.live]) await archive(book, account, [1, 10, 14])
})
afterAll(() => book.close())

/** A sandbox account whose first day is archived. That of live has another archive. */
async function makeAccount({ archived = true }: { archived?: boolean } = {}): Promise<FullAccount> {
  const { sandbox, live } = await fillCompany(book)
  if (archived) {
    await archive(book, sandbox, [1, 10])
    await archive(book, live, [1, 10, 14])
  }
  return sandbox
}

/** As a superuser who switches the guards off. $1 and $2 are the account, $3 what `about` names. */
async function tamper({ key }: FullAccount, text: string, values: readonly unknown[] = []): Promise<void> {
  for (const table of ['entry', 'seal', 'entry_archive'] as const) await book.switchGuards('disable', table)
  expect(await book.run(text, [key.company_id, key.environment, ...values])).toBe(1)
}
const find = ({ owner }: FullAccount) => book.differencesOf(owner)
const OWN = 'company_id = $1 and environment = $2'

describe('no difference is found', () => {
  it.each([false, true])('in full accounts (archived: %s)', async (archived) => {
    const account = await makeAccount({ archived })
    const live = { ...account.owner, scope: { ...account.owner.scope, environment: 'live' as const } }
    expect(await find(account)).toEqual([])
    expect(await book.differencesOf(live)).toEqual([])
    expect(await find(other)).toEqual([])
  })
  it.skipIf(onCitus('archive'))('when what is archived has been deleted', async () => {
    const account = await makeAccount()
    const { key } = account
    await book.run(`delete from entry where ${OWN} and number <= 10`, [key.company_id, key.environment])
    expect(await find(account)).toEqual([])
  })
  it('in an account without entries', async () => {
    expect(await book.differencesOf(await book.addCompany())).toEqual([])
  })
})

it('money of an account without entries is reported', async () => {
  const company = await book.addCompany()
  await book.run(`update account set available = 5, held = 3 where ${OWN}`, [company.scope.companyId, 'sandbox'])
  expect(await book.differencesOf(company)).toEqual([
    'available is 5, entries say 0',
    'held is 3, entries say 0',
    'held is 3, unfinished operations reserve 0',
  ])
})

interface Case {
  readonly what: string
  readonly change: string
  /** What $3 is, if it is the id of something in the account. */
  readonly about?: keyof FullAccount['ids']
  readonly expected: readonly string[]
}

/** `<id>` stands for what the case is about. */
async function expectReported(account: FullAccount, { change, about, expected }: Case): Promise<void> {
  const id = about === undefined ? undefined : account.ids[about]
  await tamper(account, change, id === undefined ? [] : [id])
  expect(await find(account)).toEqual(expected.map((text) => text.replace('<id>', id ?? '')))
}

const NO_ENTRIES = `insert into operation (company_id, environment, id, type, status, amount, fee, product_id, recipient, failure_code, idempotency_key, request_digest, created_at, status_at, due_at)
  values ($1, $2, '00000000-0000-7000-8000-000000000001', 'service', 'failed', 1, 0, 'prod_service_esim', 'a', 'x', 'k', '', now(), now(), now())`

describe('of an account without archives', () => {
  it.each<Case>([
    {
      what: 'an entry that is older than the one before it, but not than the one before that',
      change: `update entry set created_at = '2024-05-02T00:00:00Z' where ${OWN} and number = 12`,
      expected: ['entry 12 is older than the one before it', 'the hash chain breaks between entries 11 and 14'],
    },
    {
      what: 'a final operation that has no entries',
      change: NO_ENTRIES,
      expected: ['entries do not fit operation 00000000-0000-7000-8000-000000000001 (failed)'],
    },
    {
      what: 'a deposit that has no entry',
      change: `insert into deposit (company_id, environment, id, amount, idempotency_key, request_digest, created_at)
        values ($1, $2, '00000000-0000-7000-8000-000000000002', 1, 'k', '', now())`,
      expected: ['entries do not fit deposit 00000000-0000-7000-8000-000000000002'],
    },
    ...(['newInvoice', 'freeInvoice'] as const).map((about) => ({
      what: `the fee of an invoice that was charged another one (${about})`,
      change: `update invoice set fee = fee + 1 where ${OWN} and id = $3`,
      about,
      expected: ['entries do not fit deposit <id>'],
    })),
    {
      what: 'a review that was credited another amount',
      change: `update payment_review set deposit = deposit + 1 where ${OWN} and id = $3`,
      about: 'newReview',
      expected: ['entries do not fit deposit <id>'],
    },
    {
      what: 'a completed invoice that was not credited',
      change: `update invoice set status = 'completed' where ${OWN} and id = $3`,
      about: 'openInvoice',
      expected: ['invoice <id> is not open, the queue says manual_review', 'entries do not fit deposit <id>'],
    },
    {
      what: 'an operation in the queue with another amount',
      change: `update issuer_request set held = held + 1 where ${OWN} and id = $3`,
      about: 'processing',
      expected: ['operation <id> holds 1060, the queue says 1061'],
    },
    {
      what: 'an operation in the queue with another kind',
      change: `update issuer_request set kind = 'issue' where ${OWN} and id = $3`,
      about: 'processing',
      expected: ['operation <id> is of the kind service, the queue says issue'],
    },
    {
      what: 'an operation in the queue that is final',
      change: `insert into issuer_request (company_id, environment, id, kind, status, due_at, held) values ($1, $2, $3, 'service', 'queued', now(), 1060)`,
      about: 'newFailed',
      expected: ['operation <id> is not open, the queue says queued'],
    },
    {
      what: 'an operation that is gone',
      change: `delete from operation where ${OWN} and id = $3`,
      about: 'queued',
      expected: [
        'entries do not fit operation <id> (missing)',
        'held is 2121, unfinished operations reserve 2120',
        'operation <id> is not open, the queue says queued',
      ],
    },
    {
      what: 'a count of issues',
      change: `update account set issued_count = issued_count + 1 where ${OWN}`,
      expected: ['2 issues counted in 2024-05, operations say 1'],
    },
  ])('$what is reported', async (example) => {
    await expectReported(await makeAccount({ archived: false }), example)
  })

  it('the first of several entries that are older than the one before is reported', async () => {
    const account = await makeAccount({ archived: false })
    for (const [number, time] of [
      [12, '2024-05-02T00:00:00Z'],
      [16, '2024-05-03T00:00:00Z'],
    ])
      await tamper(account, `update entry set created_at = $4 where ${OWN} and number = $3`, [number, time])
    expect(await find(account)).toContain('entry 12 is older than the one before it')
  })

  it.each([
    ['capture', 'newCompleted', 'completed'],
    ['fee', 'newCompleted', 'completed'],
    ['release', 'newFailed', 'failed'],
  ] as const)('an operation without its %s is reported', async (kind, about, status) => {
    const account = await makeAccount({ archived: false })
    const id = account.ids[about]
    await tamper(account, `delete from entry where ${OWN} and reference = $3 and kind = $4`, [id, kind])
    expect(await find(account)).toContain(`entries do not fit operation ${id} (${status})`)
  })
})

describe('of an account whose first day is archived', () => {
  const CHAIN = 'the hash chain breaks between entries 11 and 14'
  it.each<Case>([
    {
      what: 'an entry that is older than what is archived',
      change: `update entry set created_at = '2024-05-01T12:00:02Z' where ${OWN} and number = 11`,
      expected: ['entry 11 is older than the one before it', CHAIN],
    },
    {
      what: 'a deposit that has no entry',
      change: `insert into deposit (company_id, environment, id, amount, idempotency_key, request_digest, created_at)
        values ($1, $2, '00000000-0000-7000-8000-000000000003', 1, 'k', '', now())`,
      expected: ['3 deposits are archived, 4 have no entries'],
    },
    {
      what: 'a deposit whose entry says that it was an invoice',
      change: `update entry set reference_type = 'inv' where ${OWN} and reference = $3`,
      about: 'secondFund',
      expected: ['entries do not fit deposit <id>', '3 deposits are archived, 4 have no entries'],
    },
    {
      what: 'a final operation of later that has no entries',
      change: NO_ENTRIES,
      expected: [
        'entries do not fit operation 00000000-0000-7000-8000-000000000001 (failed)',
        '3 reservations are archived, 4 operations have none',
      ],
    },
    {
      what: 'a forged seal of the archive',
      change: `update seal set hash = sha256('forged') where ${OWN} and number = 10`,
      expected: ['the archive up to entry 10 does not fit its seal'],
    },
  ])('$what is reported', async (example) => {
    await expectReported(await makeAccount(), example)
  })

  it.each<[string, number, (account: FullAccount) => AccountKey]>([
    ['another company', 10, () => other.key],
    ['the other environment', 10, ({ key }) => ({ ...key, environment: 'live' })],
    ['a later entry', 14, ({ key }) => key],
  ])('an archive with the seal of %s is reported', async (_whose, number, findKey) => {
    const account = await makeAccount()
    const hash = (await readSeals(book, findKey(account))).get(number)
    await tamper(account, `update entry_archive set hash = $3 where ${OWN} and number = 10`, [hash])
    expect(await find(account)).toEqual(['the archive up to entry 10 does not fit its seal', CHAIN])
  })
})

it('a forged seal of an archive with one entry is reported', async () => {
  const account = await makeAccount({ archived: false })
  await archive(book, account, [1])
  await tamper(account, `update seal set hash = sha256('forged') where ${OWN} and number = 1`)
  expect(await find(account)).toEqual(['the archive up to entry 1 does not fit its seal'])
})
