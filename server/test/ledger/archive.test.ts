// Archiving in the database: which entries can be archived, what is refused, and what statements and the audit say afterwards.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { auditLedger } from '../../src/ledger/audit.ts'
import {
  deleteArchivedEntries,
  findArchivableRange,
  findNewestArchive,
  type RangeRow,
  recordArchive,
} from '../../src/archive/queries.ts'
import { findStatement, listDays, listEntries } from '../../src/card-account/queries.ts'
import { onCitus } from '../support/on-citus.ts'
import { Book, type BookCompany, completed, failed, service } from './book.ts'

const book = await Book.open()
let company: BookCompany
afterAll(() => book.close())

const DAY_MS = 86_400_000
const DIGEST = '00'.repeat(32)
const NEVER = new Date('2100-01-01')
const accountOf = ({ scope }: BookCompany) => ({ company_id: scope.companyId, environment: scope.environment })

const seal = (limit = 1000) =>
  book.run('select seal_entries($1, $2, $3, $4)', [company.scope.companyId, book.clock.now(), 'sandbox', limit])
const findRange = (before = NEVER, limit = 1000) => findArchivableRange(book.db, accountOf(company), before, limit)

async function record(range: RangeRow | undefined, more: { hash?: string; first?: number } = {}): Promise<boolean> {
  if (range === undefined) throw new Error('nothing can be archived')
  const row = await recordArchive(book.db, accountOf(company), book.clock.now(), {
    first: Number(range.first_number),
    last: Number(range.last_number),
    hash: range.hash_after.toString('hex'),
    fileName: 'a file',
    fileDigest: DIGEST,
    ...more,
  })
  return row?.recorded === true
}
const remove = (last: number, first = 1) => deleteArchivedEntries(book.db, accountOf(company), first, last)
const numbers = async () => {
  const rows = await book.many<{ number: bigint }>('select number from entry where company_id = $1 order by number', [
    company.scope.companyId,
  ])
  return rows.map(({ number }) => Number(number))
}
const refused = (attempt: Promise<unknown>, message: RegExp) => expect(attempt).rejects.toThrow(message)

/** Two operations, one that is completed and one that fails on the next day: entries 1 to 7, of three days. */
beforeEach(async () => {
  book.clock.set('2024-05-01T12:00:00.000Z')
  company = await book.addCompany(1_000_000n)
  book.clock.advance(1000)
  const [first, second] = [await book.accept(service(company)), await book.accept(service(company))]
  await book.claimAll()
  book.clock.advance(1000)
  await book.settleAll([completed(company, first, 'service')])
  await seal()
  book.clock.advance(DAY_MS)
  await book.settleAll([failed(company, second)])
  await seal()
  book.clock.advance(DAY_MS)
  await book.fund(company, 500n)
  await seal()
})

describe.skipIf(onCitus('archive'))('what can be archived', () => {
  it('is what is older than the date, up to a seal', async () => {
    expect(await findRange()).toMatchObject({ first_number: 1n, last_number: 7n, opening: 0n, closing: 999_440n })
    expect(await findRange(new Date('2024-05-03T12:00:02.000Z'))).toMatchObject({ last_number: 6n })
    expect(await findRange(new Date('2024-05-02'))).toMatchObject({
      last_number: 5n,
      closing: 998_940n,
      closing_held: 1060n,
    })
    expect(await findRange(new Date('2024-05-01T12:00:02.000Z'))).toBeUndefined()
  })

  it('is limited, and ends where the time changes', async () => {
    expect(await findRange(NEVER, 6)).toMatchObject({ last_number: 6n })
    // Entries 4 and 5, a capture and its fee, were written together.
    await book.run(
      'insert into seal select company_id, environment, 4, hash, sealed_at from seal where company_id = $1 and number = 5',
      [company.scope.companyId],
    )
    expect(await findRange(NEVER, 4)).toBeUndefined()
  })

  it('ends before the first reservation of an operation that is open', async () => {
    book.clock.advance(DAY_MS)
    await book.accept(service(company))
    await book.fund(company, 1n)
    await seal()
    const range = await findRange()
    expect(range).toMatchObject({ last_number: 7n })
    expect(await record(range)).toBe(true)
  })

  it('continues after the last archive', async () => {
    expect(await record(await findRange(NEVER, 5))).toBe(true)
    const range = await findRange()
    expect(range).toMatchObject({ first_number: 6n, last_number: 7n, opening: 998_940n, opening_held: 1060n })
    expect(await record(range)).toBe(true)
    expect(await findRange()).toBeUndefined()
    expect(await findNewestArchive(book.db, accountOf(company))).toMatchObject({ number: 7n, left_from: 1n })
  })
})

describe.skipIf(onCitus('archive'))('an archive is not recorded', () => {
  it('if another one has been recorded meanwhile', async () => {
    const range = await findRange(NEVER, 5)
    expect(await record(range)).toBe(true)
    expect(await record(range)).toBe(false)
    expect(await record(await findRange(), { first: 5 })).toBe(false)
  })

  it('if its value of the chain is not that of the seal', async () => {
    await refused(record(await findRange(), { hash: DIGEST }), /does not fit the seal/)
  })

  it('if an operation that it has is open, or the next entry has the same time', async () => {
    const range = await findRange()
    book.clock.set('2024-05-03T12:00:02.000Z')
    const id = await book.accept(service(company))
    await refused(record(range), /same time/)
    await seal()
    if (range !== undefined) range.last_number = 8n
    const [last] = await book.many<{ hash: Buffer }>('select hash from seal where company_id = $1 and number = 8', [
      company.scope.companyId,
    ])
    await refused(record(range, { hash: last?.hash.toString('hex') ?? '' }), /is not final/)
    await book.claimAll()
    await book.settleAll([failed(company, id)])
  })
})

describe.skipIf(onCitus('archive'))('entries', () => {
  it('can be deleted once they are archived, and not before', async () => {
    await refused(remove(5), /append-only; entry 1 is not archived/)
    await record(await findRange(NEVER, 5))
    await refused(remove(6), /append-only; entry 6 is not archived/)
    expect(await numbers()).toHaveLength(7)
    await remove(5, 3)
    expect(await numbers()).toEqual([1, 2, 6, 7])
    await remove(2)
    expect(await numbers()).toEqual([6, 7])
    await refused(
      book.run('delete from entry where company_id = $1', [company.scope.companyId]),
      /entry 6 is not archived/,
    )
  })

  it('of another account stay', async () => {
    const other = await book.addCompany(5n)
    await record(await findRange())
    await refused(deleteArchivedEntries(book.db, accountOf(other), 1, 1), /append-only/)
    const live = { ...accountOf(company), environment: 'live' as const }
    await deleteArchivedEntries(book.db, live, 1, 7)
    expect(await numbers()).toHaveLength(7)
  })
})

describe.skipIf(onCitus('archive')).each(['recorded', 'deleted'])('when entries are %s', (how) => {
  beforeEach(async () => {
    await record(await findRange(NEVER, 5))
    if (how === 'deleted') await remove(5)
  })

  it('the audit finds no difference, also with later entries and with everything archived', async () => {
    expect(await book.differencesOf(company)).toEqual([])
    const id = await book.accept(service(company))
    await book.claimAll()
    await book.settleAll([completed(company, id, 'service')])
    expect(await book.differencesOf(company)).toEqual([])
    book.clock.advance(DAY_MS)
    await seal()
    await record(await findRange())
    if (how === 'deleted') await remove(10, 6)
    expect(await book.differencesOf(company)).toEqual([])
  })

  it('a statement that begins later has the same opening balance and hashes as before', async () => {
    const statementOf = (from: string) =>
      findStatement(book.db, company.scope, { from: new Date(from), until: new Date('2024-05-04') }, 100)
    expect(await statementOf('2024-05-02')).toMatchObject({
      first_number: 6n,
      last_number: 7n,
      opening: 998_940n,
      opening_held: 1060n,
      closing: 999_440n,
      incoming: 500n,
    })
    const { hash_before: before, hash_after: after } = (await statementOf('2024-05-02')) ?? {}
    const seals = await book.many<{ hash: Buffer }>('select hash from seal where company_id = $1 order by number', [
      company.scope.companyId,
    ])
    expect([before, after]).toEqual([seals[0]?.hash, seals.at(-1)?.hash])
  })

  it('the history of a day without entries has the balance of the archive', async () => {
    // Two days after the first entries, the last of which are archived.
    await record(await findRange())
    if (how === 'deleted') await remove(7, 6)
    expect(await listDays(book.db, company.scope, new Date('2024-05-04'), 1)).toMatchObject([
      { balance: 999_440n, held: 0n },
    ])
  })

  it('lists leave them out', async () => {
    const list = async (filter: { kind?: string; reference?: string; from?: Date }) => {
      const all = { from: null, until: null, kind: undefined, reference: undefined, ...filter }
      return (await listEntries(book.db, company.scope, all, { below: 100n, limit: 10 })).map(({ number }) => number)
    }
    expect(await list({})).toEqual([7n, 6n])
    expect(await list({ from: new Date('2024-05-01') })).toEqual([7n, 6n])
    expect(await list({ kind: 'deposit' })).toEqual([7n])
    expect(await list({ kind: 'reservation' })).toEqual([])
    const [{ reference } = { reference: '' }] = await book.many<{ reference: string }>(
      "select id as reference from operation where company_id = $1 and status = 'failed'",
      [company.scope.companyId],
    )
    expect(await list({ reference })).toEqual([6n])
  })
})

describe.skipIf(onCitus('archive'))('the audit reports', () => {
  beforeEach(async () => {
    await record(await findRange(NEVER, 5))
    await remove(5)
  })
  /** As a superuser who switches the guards off. */
  async function tamper(text: string): Promise<string[]> {
    for (const table of ['entry', 'seal', 'entry_archive'] as const) await book.switchGuards('disable', table)
    expect(await book.run(text, [company.scope.companyId])).toBe(1)
    for (const table of ['entry', 'seal', 'entry_archive'] as const) await book.switchGuards('enable', table)
    return book.differencesOf(company)
  }

  it.each([
    [
      'another balance',
      'balance = balance + 1',
      ['available is 999440, entries say 999441', 'running figures are wrong at entry 6'],
    ],
    [
      'another held amount',
      'held = held - 1',
      ['available is 999440, entries say 999441', 'held is 0, entries say -1', 'running figures are wrong at entry 6'],
    ],
    ['a later time', "last_at = last_at + interval '10 days'", ['entry 6 is older than the one before it']],
    ['another number of reservations', 'reservations = 1', ['1 reservations are archived, 2 operations have none']],
    ['another number of deposits', 'deposits = 2', ['2 deposits are archived, 1 have no entries']],
    [
      'another hash',
      'hash = sha256(hash)',
      ['the archive up to entry 5 does not fit its seal', 'the hash chain breaks between entries 6 and 6'],
    ],
  ])('an archive with %s', async (_what, change, differences) => {
    expect(await tamper(`update entry_archive set ${change} where company_id = $1`)).toEqual(differences)
  })

  it('an entry that is missing and was not archived', async () => {
    expect(await tamper('delete from entry where company_id = $1 and number = 6')).toContain(
      'numbering breaks before entry 7',
    )
  })

  it('an archived operation that is open again', async () => {
    const found = await tamper(
      "update operation set status = 'processing', receipt = null where company_id = $1 and status = 'completed'",
    )
    expect(found.some((text) => /^entries do not fit operation .* \(processing\)$/.test(text))).toBe(true)
  })

  it('an operation of later that has no entries', async () => {
    const later = "created_at = created_at + interval '10 days'"
    const found = await tamper(`update operation set ${later} where company_id = $1 and status = 'completed'`)
    expect(found).toEqual([expect.stringMatching(/^entries do not fit operation .* \(completed\)$/)])
  })

  it('a deposit that was credited once more after it was archived', async () => {
    const [{ id } = { id: '' }] = await book.many<{ id: string }>(
      'select id from deposit where company_id = $1 order by created_at limit 1',
      [company.scope.companyId],
    )
    await book.run("select credit_account($1, $2, 'sandbox', $3, 'fund', 1000000, 0)", [
      company.scope.companyId,
      book.clock.now(),
      id,
    ])
    expect(await book.differencesOf(company)).toEqual(['1 deposits are archived, 0 have no entries'])
  })

  it('a second capture of an archived operation', async () => {
    const held = await book.accept(service(company))
    const [{ id } = { id: '' }] = await book.many<{ id: string }>(
      "select id from operation where company_id = $1 and status = 'completed'",
      [company.scope.companyId],
    )
    // The function that captures refuses it, because the operation is final.
    expect(await book.settle([completed(company, id, 'service')])).toEqual([{ item: 1, status: 'completed' }])
    await book.run(
      `with moved as (
         update account set held = held - 1000, sequence = sequence + 1 where company_id = $1 and environment = 'sandbox'
         returning sequence, available, held, last_entry_at
       )
       insert into entry (company_id, environment, number, kind, reference, available_delta, held_delta, balance, held, created_at)
       select $1, 'sandbox', sequence, 'capture', $2, 0, -1000, available + held, held, last_entry_at from moved`,
      [company.scope.companyId, id],
    )
    expect(held).not.toBe(id)
    expect(await book.differencesOf(company)).toContain('held is 60, unfinished operations reserve 1060')
  })
})

describe.skipIf(onCitus('archive'))('an archive', () => {
  it('has a record that can be neither changed nor removed, and needs a seal', async () => {
    await record(await findRange())
    for (const text of ['update entry_archive set number = 1', 'delete from entry_archive', 'truncate entry_archive'])
      await refused(book.run(text), /entry_archive is append-only/)
    await refused(
      book.run(
        `insert into entry_archive select company_id, environment, 100, hash, balance, held, last_at, reservations, deposits, $2, file_digest, archived_at
         from entry_archive where company_id = $1`,
        [company.scope.companyId, randomUUID()],
      ),
      /entry_archive_.*_fkey/,
    )
  })

  it('leaves the other entries for the audit to count', async () => {
    const before = await auditLedger(book.db)
    await record(await findRange(NEVER, 5))
    await remove(5)
    expect((await auditLedger(book.db)).entries).toBe(before.entries - 5)
  })
})
