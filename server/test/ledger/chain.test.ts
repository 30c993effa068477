// The hash chain: the audit detects every change that someone with all rights in the database makes to the ledger.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { beginCardChange } from '../../src/card-changes/queries.ts'
import { beginInvoice } from '../../src/funding/queries.ts'
import { sealJob } from '../../src/ledger/seal.ts'
import { newId } from '../../src/lib/ids.ts'
import { onCitus, testGrouping } from '../support/on-citus.ts'
import { Book, type BookCompany, completed, failed, service } from './book.ts'

const book = await Book.open()
const newSealJob = () => sealJob({ db: book.db, clock: book.clock, grouping: testGrouping() })
let company: BookCompany
let other: BookCompany

beforeEach(async () => {
  company = await book.addCompany(1_000_000n)
  other = await book.addCompany(1_000_000n)
  for (const owner of [company, other]) await work(owner, 4)
})
afterAll(() => book.close())

/** Three entries per completed service, two per failed one. */
async function work(owner: BookCompany, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const id = await book.accept(service(owner))
    await book.claimAll()
    await book.settle([index % 2 === 0 ? completed(owner, id, 'service') : failed(owner, id)])
  }
}

async function beginOneInvoice({ scope }: BookCompany): Promise<string> {
  const [id, now] = [newId(book.clock.now()), book.clock.now()]
  const invoice = { id, amount: 1000n, fee: 15n, idempotencyKey: id, digest: '00', leaseUntil: now }
  const linkDigest = id.replaceAll('-', '').repeat(2)
  expect(await beginInvoice(book.db, scope, now, { ...invoice, linkDigest })).toMatchObject({ verdict: 'begun' })
  return id
}

async function beginOneCardChange(owner: BookCompany): Promise<string> {
  const [id, now] = [newId(book.clock.now()), book.clock.now()]
  const change = { id, cardId: await book.makeCard(owner), wanted: 'closed', from: ['active'], dueAt: now } as const
  expect(await beginCardChange(book.db, owner.scope, now, change)).toEqual({ verdict: 'begun' })
  return id
}

const seal = (owner: BookCompany, limit: number) =>
  book.many<{ sealed: bigint }>('select seal_entries($1, $2, $3, $4) as sealed', [
    owner.scope.companyId,
    book.clock.now(),
    'sandbox',
    limit,
  ])
const seals = () =>
  book.many<{ number: bigint; hash: Buffer }>('select number, hash from seal where company_id = $1 order by number', [
    company.scope.companyId,
  ])

/** As a superuser who switches the guards off. */
async function tamper(text: string, values: readonly unknown[] = []): Promise<void> {
  await book.switchGuards('disable', 'entry')
  await book.switchGuards('disable', 'seal')
  expect(await book.run(text, values)).toBeGreaterThan(0)
}

describe('sealing', () => {
  it('covers all entries in ranges, and adds nothing if there is nothing new', async () => {
    expect((await seal(company, 4))[0]?.sealed).toBe(4n)
    expect((await seal(company, 4))[0]?.sealed).toBe(4n)
    expect((await seal(company, 100))[0]?.sealed).toBe(3n)
    expect((await seal(company, 100))[0]?.sealed).toBe(0n)
    expect((await seals()).map(({ number }) => number)).toEqual([4n, 8n, 11n])
    expect(await book.differencesOf(company)).toEqual([])
  })
  it('gives the same last value however the entries are divided into ranges', async () => {
    await seal(company, 3)
    await seal(company, 8)
    const cut = (await seals()).at(-1)
    const [whole] = await book.many<{ hash: Buffer }>(
      "select chain_over($1, 'sandbox', 0, chain_start($1, 'sandbox'), 11) as hash",
      [company.scope.companyId],
    )
    expect(cut?.hash.equals(whole?.hash ?? Buffer.alloc(0))).toBe(true)
  })
  it('by ten concurrent jobs gives the same result as by one', async () => {
    await Promise.all(Array.from({ length: 10 }, () => seal(company, 5)))
    while (((await seal(company, 5))[0]?.sealed ?? 0n) > 0n);
    expect((await seals()).at(-1)?.number).toBe(11n)
    expect(await book.differencesOf(company)).toEqual([])
  })
  it('is done by the job for every account', async () => {
    await newSealJob().run()
    const rows = await book.many<{ number: bigint }>('select number from seal where company_id in ($1, $2)', [
      company.scope.companyId,
      other.scope.companyId,
    ])
    expect(rows.map(({ number }) => number)).toEqual([11n, 11n])
  })
  it('is repeated for an account after ten seconds, or immediately if a thousand entries are waiting', async () => {
    const sealed = async () => (await seals()).at(-1)?.number
    const job = newSealJob()
    await job.run()
    await book.fund(company, 1n)
    book.clock.advance(10_000)
    await job.run()
    expect(await sealed()).toBe(11n)
    book.clock.advance(1)
    await job.run()
    expect(await sealed()).toBe(12n)
    for (let count = 0; count < 1000; count += 1) await book.fund(company, 1n)
    await job.run()
    expect(await sealed()).toBe(1012n)
  })
  it('of one account is not delayed by another account that was tampered with', async () => {
    await tamper('delete from entry where company_id = $1 and number = 3', [company.scope.companyId])
    await newSealJob().run()
    const rows = await book.many<{ number: bigint }>('select number from seal where company_id = $1', [
      other.scope.companyId,
    ])
    expect(rows).toEqual([{ number: 11n }])
    expect(await seals()).toEqual([])
    expect(await book.differencesOf(company)).toContain('numbering breaks before entry 4')
  })
})

describe.skipIf(onCitus('one company'))('accounts that are sealed together', () => {
  const numbersOf = async ({ scope }: BookCompany) =>
    (await book.many<{ number: bigint }>('select number from seal where company_id = $1', [scope.companyId])).map(
      ({ number }) => number,
    )

  const countTransactions = async () => {
    const [row] = await book.many<{ count: bigint }>(
      'select count(distinct xmin::text) as count from seal where company_id in ($1, $2)',
      [company.scope.companyId, other.scope.companyId],
    )
    return row?.count
  }

  it('have one transaction', async () => {
    await newSealJob().run()
    expect(await countTransactions()).toBe(1n)
  })
  const addEntries = async ({ scope }: BookCompany, count: number) => {
    await book.run(
      `insert into entry (company_id, environment, number, kind, reference, reference_type, available_delta, held_delta, balance, held, created_at)
       select company_id, environment, sequence + n, 'deposit', gen_random_uuid(), 'fund', 1, 0, available + held + n, held, last_entry_at
       from account, generate_series(1, $2::int) n where company_id = $1 and environment = 'sandbox'`,
      [scope.companyId, count],
    )
    await book.run(
      `update account set sequence = sequence + $2, available = available + $2 where company_id = $1 and environment = 'sandbox'`,
      [scope.companyId, count],
    )
  }
  it('have another transaction after a thousand entries, so that none takes long', async () => {
    await addEntries(company, 1000)
    await newSealJob().run()
    expect([await numbersOf(company), await numbersOf(other)]).toEqual([[1011n], [11n]])
    expect(await countTransactions()).toBe(2n)
  })
  it('have another run after twenty thousand entries, which goes on with the next account', async () => {
    const others = []
    for (let count = 0; count < 3; count += 1) others.push(await book.addCompany(1_000_000n))
    // In the order of the job, and each as much as is sealed of an account in one run.
    const many = [company, other, ...others]
    for (const owner of many.slice(0, 4)) await addEntries(owner, 5000)
    const job = newSealJob()
    expect(await job.run()).toBe(true)
    expect((await Promise.all(many.map(numbersOf))).map((numbers) => numbers.length)).toEqual([1, 1, 1, 1, 0])
    expect(await job.run()).toBe(false)
    expect(await numbersOf(many.at(-1) as BookCompany)).toEqual([1n])
  })
  it('are sealed one by one when one of them cannot be, and the job says why', async () => {
    await book.run(`
      create function refuse_seal() returns trigger language plpgsql as $$ begin raise 'this seal is refused'; end $$;
      create trigger refuse_seal before insert on seal for each row
      when (new.company_id = '${company.scope.companyId}') execute function refuse_seal()`)
    try {
      await expect(newSealJob().run()).rejects.toThrow('this seal is refused')
      expect([await numbersOf(company), await numbersOf(other)]).toEqual([[], [11n]])
    } finally {
      await book.run('drop trigger refuse_seal on seal; drop function refuse_seal')
    }
  })
})

describe('the audit reports', () => {
  beforeEach(async () => {
    await seal(company, 4)
    await seal(company, 100)
    await seal(other, 100)
  })
  const own = () => [company.scope.companyId]

  it('a sealed entry whose amount was changed', async () => {
    await tamper('update entry set available_delta = available_delta + 1 where company_id = $1 and number = 1', own())
    const found = await book.differencesOf(company)
    expect(found).toContain('running figures are wrong at entry 1')
    expect(found).toContain('the hash chain breaks between entries 1 and 4')
  })
  it.each([
    ['its time', "created_at = timestamptz '2026-03-10T11:59:59.999Z'"],
    ['its reference', "reference = uuid '00000000-0000-7000-8000-000000000001'"],
    ['its running balance', 'balance = balance + 1'],
    ['its running held part', 'held = held + 1'],
  ])('an entry of which only %s was changed', async (_name, change) => {
    await tamper(`update entry set ${change} where company_id = $1 and number = 11`, own())
    expect(await book.differencesOf(company)).toContain('the hash chain breaks between entries 5 and 11')
  })
  it('a deleted entry', async () => {
    await tamper('delete from entry where company_id = $1 and number = 6', own())
    const found = await book.differencesOf(company)
    expect(found).toContain('numbering breaks before entry 7')
    expect(found).toContain('sequence is 11, entries are 10')
    expect(found).toContain('the hash chain breaks between entries 5 and 11')
  })
  it('a deleted last entry, although there is no gap in the numbers', async () => {
    await tamper('delete from entry where company_id = $1 and number = 11', own())
    const found = await book.differencesOf(company)
    expect(found).toContain('sequence is 11, entries are 10')
    expect(found).toContain('the hash chain breaks between entries 5 and 11')
  })
  it('an additional entry, even if the balance was changed to match it', async () => {
    await tamper(
      `with more as (
         insert into entry (company_id, environment, number, kind, reference, available_delta, held_delta, balance, held, created_at)
         select company_id, environment, sequence + 1, 'release', $2, 100, -100, available + held, held - 100 + 100, last_entry_at
         from account where company_id = $1 and environment = 'sandbox' returning 1
       ) update account set sequence = sequence + 1, available = available + 100
         where company_id = $1 and environment = 'sandbox'`,
      [company.scope.companyId, randomUUID()],
    )
    const found = await book.differencesOf(company)
    expect(found.some((text) => /^entries do not fit operation .* \(missing\)$/.test(text))).toBe(true)
    expect(found).toContain('running figures are wrong at entry 12')
  })
  it('entries rewritten so that all sums still agree', async () => {
    await book.fund(company, 500n)
    await seal(company, 100)
    // The entries refer to another deposit now. No figure changes, but the chain does.
    await tamper('update entry set reference = $2 where company_id = $1 and number = 12', [...own(), randomUUID()])
    const found = await book.differencesOf(company)
    expect(found).toContain('the hash chain breaks between entries 12 and 12')
    expect(found.filter((text) => text.startsWith('entries do not fit deposit'))).toHaveLength(2)
  })
  it('a forged seal', async () => {
    await tamper("update seal set hash = sha256('forged') where company_id = $1 and number = 4", own())
    const found = await book.differencesOf(company)
    expect(found).toContain('the hash chain breaks between entries 1 and 4')
    expect(found).toContain('the hash chain breaks between entries 5 and 11')
  })
  it('a balance that was increased', async () => {
    await tamper(
      "update account set available = available + 1 where company_id = $1 and environment = 'sandbox'",
      own(),
    )
    expect(await book.differencesOf(company)).toEqual([expect.stringMatching(/^available is \d+, entries say \d+$/)])
  })
  it('held money that nobody reserved', async () => {
    await tamper("update account set held = held + 1 where company_id = $1 and environment = 'sandbox'", own())
    expect(await book.differencesOf(company)).toEqual([
      'held is 1, entries say 0',
      'held is 1, unfinished operations reserve 0',
    ])
  })
  it('an operation whose status does not match its entries', async () => {
    const id = await book.accept(service(company))
    // Otherwise it stays due, and a later claim that asks its node of Citus for work may find none.
    await book.claimAll()
    await tamper("update operation set status = 'failed', failure_code = 'x' where id = $1", [id])
    expect(await book.differencesOf(company)).toContain(`entries do not fit operation ${id} (failed)`)
  })
  it('an operation without a reservation', async () => {
    const id = await book.accept(service(company))
    await tamper('delete from entry where reference = $1', [id])
    expect(await book.differencesOf(company)).toContain(`entries do not fit operation ${id} (queued)`)
  })
  it.each([
    ['is missing', 'delete from issuer_request where id = $1', 'nothing'],
    ['has another status', "update issuer_request set status = 'processing' where id = $1", 'processing'],
  ])('an operation that %s in the queue', async (_, change, found) => {
    const id = await book.accept(service(company))
    await tamper(change, [id])
    expect(await book.differencesOf(company)).toContain(`operation ${id} is queued, the queue says ${found}`)
  })
  it.each<[string, (owner: BookCompany) => Promise<string>]>([
    ['invoice', beginOneInvoice],
    ['card change', beginOneCardChange],
  ])('an open %s that has another status in the queue, or is missing there', async (name, begin) => {
    const id = await begin(company)
    expect(await book.differencesOf(company)).toEqual([])
    await tamper("update issuer_request set status = 'manual_review' where id = $1", [id])
    expect(await book.differencesOf(company)).toEqual([`${name} ${id} is processing, the queue says manual_review`])
    await tamper('delete from issuer_request where id = $1', [id])
    expect(await book.differencesOf(company)).toEqual([`${name} ${id} is processing, the queue says nothing`])
  })
  it('a request to the issuer about an invoice that does not exist', async () => {
    const id = await beginOneInvoice(company)
    await tamper('delete from invoice where id = $1', [id])
    expect(await book.differencesOf(company)).toEqual([`invoice ${id} is not open, the queue says processing`])
  })
  it('a wrong count of issues', async () => {
    await tamper(
      "update account set issued_month = '2026-03-01', issued_count = 7 where company_id = $1 and environment = 'sandbox'",
      own(),
    )
    expect(await book.differencesOf(company)).toEqual(['7 issues counted in 2026-03, operations say 0'])
  })
  it('only the account that was touched', async () => {
    await tamper('update entry set balance = balance + 1 where company_id = $1 and number = 2', own())
    expect(await book.differencesOf(other)).toEqual([])
  })
})
