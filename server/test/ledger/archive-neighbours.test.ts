// Archiving an account that has something of everything, beside the other account of the company and those of another company. Theirs
// have the same entries with other amounts on earlier days, and are archived further. archive.test.ts has the rules.
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { deleteArchivedEntries, findArchivableRange, readLines, recordArchive } from '../../src/archive/queries.ts'
import { type AccountKey, listArchives } from '../../src/ledger/queries.ts'
import { onCitus } from '../support/on-citus.ts'
import { Book, completed, service } from './book.ts'
import { archive, fillCompany, type FullAccount, NEWEST, readSeals, SEALED } from './full-account.ts'

const book = await Book.open()
let others: FullAccount[]
let account: FullAccount
let live: FullAccount
beforeAll(async () => {
  const company = await fillCompany(book, { unit: 3, daysEarlier: 5 })
  others = [company.sandbox, company.live]
  for (const other of others) await archive(book, other, [1, 10, 14])
})
beforeEach(async () => {
  ;({ sandbox: account, live } = await fillCompany(book))
  others[2] = live
  await archive(book, live, [1, 10, 14])
})
afterAll(() => book.close())

interface Entry {
  number: bigint
  kind: string
  reference: string
  reference_type: string
  available_delta: bigint
  held_delta: bigint
  balance: bigint
  held: bigint
  created_at: Date
}
const readEntries = ({ key }: FullAccount) =>
  book.many<Entry>('select * from entry where company_id = $1 and environment = $2 order by number', [
    key.company_id,
    key.environment,
  ])
const sha256 = (...parts: (string | Buffer)[]) => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}
/** The values of the hash chain, as docs/ledger.md defines them. The first one is that before the first entry. */
async function readChain(owner: FullAccount): Promise<Buffer[]> {
  const { company_id: company, environment } = owner.key
  const values = [sha256(`cardstock ledger ${company} ${environment}`)]
  for (const e of await readEntries(owner)) {
    const fields = [
      e.number,
      e.kind,
      e.reference,
      e.available_delta,
      e.held_delta,
      e.balance,
      e.held,
      e.created_at.getTime(),
    ]
    values.push(sha256(values.at(-1) ?? '', fields.join('|')))
  }
  return values
}

/** A range as it must be, according to the entries. */
async function describeRange(first: number, last: number) {
  const [entries, chain] = [await readEntries(account), await readChain(account)]
  const [before, end] = [entries[first - 2], entries[last - 1]]
  return {
    first_number: BigInt(first),
    last_number: BigInt(last),
    hash_before: chain[first - 1],
    hash_after: chain[last],
    opening: before?.balance ?? 0n,
    opening_held: before?.held ?? 0n,
    closing: end?.balance,
    closing_held: end?.held,
    last_at: end?.created_at,
  }
}

const NEVER = '2100-01-01T00:00:00Z'
type RangeCase = [archived: number[], before: string, limit: number, found: [number, number] | undefined]
async function expectRange([archived, before, limit, found]: RangeCase): Promise<void> {
  await archive(book, account, archived)
  const range = await findArchivableRange(book.db, account.key, new Date(before), limit)
  expect(range).toEqual(found && (await describeRange(...found)))
}

const addSeal = async (owner: FullAccount, number: number) =>
  book.run('insert into seal values ($1, $2, $3, $4, now())', [
    owner.key.company_id,
    owner.key.environment,
    number,
    (await readChain(owner))[number],
  ])

describe('what can be archived', () => {
  it.each<RangeCase>([
    [[], NEVER, 1000, [1, 14]],
    [[], NEVER, 14, [1, 14]],
    [[], NEVER, 13, [1, 10]],
    [[], NEVER, 9, [1, 1]],
    [[], '2024-05-02T12:00:00.001Z', 1000, [1, 14]],
    [[], '2024-05-02T12:00:00.000Z', 1000, [1, 10]],
    [[], '2024-05-01T12:00:01.000Z', 1000, [1, 1]],
    [[], '2024-05-01T12:00:00.000Z', 1000, undefined],
    [[1], NEVER, 1000, [2, 14]],
    [[1], NEVER, 9, [2, 10]],
    [[1], NEVER, 8, undefined],
    [[1, 10], NEVER, 4, [11, 14]],
    [[1, 10], NEVER, 3, undefined],
    [[1, 10, 14], NEVER, 1000, undefined],
  ])('after archives up to %j, before %s, at most %i entries, is %j', (...example) => expectRange(example))

  it('ends where the time changes, and at the newest entry when no operation is open', async () => {
    const { queued, processing, inReview } = account.ids
    const seal = () =>
      book.run('select seal_entries($1, now(), $2, 1000)', [account.key.company_id, account.key.environment])
    await seal()
    book.clock.set('2024-05-04T12:00:00.000Z')
    await book.run("update operation set status = 'processing' where id = $1", [queued])
    await book.settleAll([completed(account.owner, queued, 'service'), completed(account.owner, processing, 'service')])
    const later = await book.accept(service(account.owner))
    await book.run("update operation set status = 'processing' where id = $1", [later])
    await seal()
    // One of the two that are open is older than the other.
    await expectRange([[], NEVER, 1000, [1, 14]])
    await book.settleAll([completed(account.owner, inReview, 'service')])
    await expectRange([[], NEVER, 1000, [1, NEWEST]])
    await book.settleAll([completed(account.owner, later, 'service')])
    await seal()
    const newest = (await readEntries(account)).length
    await expectRange([[], NEVER, 1000, [1, newest]])
    await expectRange([[], NEVER, newest - 1, [1, NEWEST]])
    // The entry after the seal at 31 has the same time.
    await expectRange([[], NEVER, 31, [1, 14]])
    // So has the one after 33. The entries 34 of two other accounts are later.
    await addSeal(account, 33)
    const { sandbox: another } = await fillCompany(book)
    book.clock.set('2024-05-05T12:00:00.000Z')
    for (const { owner } of [another, live]) for (const amount of [1n, 2n]) await book.fund(owner, amount)
    await expectRange([[], NEVER, 33, [1, NEWEST]])
  })

  it('does not end at a seal of the other environment', async () => {
    await addSeal(live, 8)
    await expectRange([[], NEVER, 9, [1, 1]])
  })
})

it.skipIf(onCitus('archive'))(
  'the record of each archive has the state of the account after it, and how many operations and deposits it has',
  async () => {
    book.clock.set('2024-06-01T12:00:00.000Z')
    // The live account has entries of the same kinds, which must not be counted instead.
    await deleteArchivedEntries(book.db, live.key, 2, 14)
    await archive(book, account, [1, 10, 14])
    const [entries, chain] = [await readEntries(account), await readChain(account)]
    const rows = await book.many(
      'select * from entry_archive where company_id = $1 and environment = $2 order by number',
      [account.key.company_id, account.key.environment],
    )
    const counts = [
      [1, 0n, 1n],
      [10, 3n, 3n],
      [14, 3n, 4n],
    ] as const
    expect(rows).toEqual(
      counts.map(([number, reservations, deposits]) => ({
        ...account.key,
        number: BigInt(number),
        hash: chain[number],
        balance: entries[number - 1]?.balance,
        held: entries[number - 1]?.held,
        last_at: entries[number - 1]?.created_at,
        reservations,
        deposits,
        file_name: `file ${number}`,
        file_digest: Buffer.alloc(32),
        archived_at: new Date('2024-06-01T12:00:00.000Z'),
      })),
    )
  },
)

it('the first archive begins with the first entry', async () => {
  const hash = (await readSeals(book, account.key)).get(10)?.toString('hex') ?? ''
  const file = { first: 2, last: 10, hash, fileName: 'file', fileDigest: '00'.repeat(32) }
  expect(await recordArchive(book.db, account.key, book.clock.now(), file)).toEqual({ recorded: false })
})

it('the archives of the account are listed, newest first', async () => {
  await archive(book, account, [1, 10])
  const list = async (below: bigint, limit: number) =>
    (await listArchives(book.db, account.owner.scope, { below, limit })).map(({ number }) => number)
  expect(await list(100n, 10)).toEqual([10n, 1n])
  expect(await list(100n, 1)).toEqual([10n])
  expect(await list(11n, 10)).toEqual([10n, 1n])
  expect(await list(10n, 10)).toEqual([1n])
})

it.each<[string, number, () => AccountKey | undefined]>([
  ['another company', 10, () => others[0]?.key],
  ['the other environment', 10, () => others[2]?.key],
  ['a later entry', 14, () => account.key],
])('an archive with the seal of %s is refused', async (_whose, number, findKey) => {
  const hash = (await readSeals(book, findKey() ?? account.key)).get(number)?.toString('hex') ?? ''
  const file = { first: 1, last: 10, hash, fileName: 'file', fileDigest: '00'.repeat(32) }
  await expect(recordArchive(book.db, account.key, book.clock.now(), file)).rejects.toThrow(/does not fit the seal/)
})

it('an operation that is open from the time of the last entry, or from before, prevents an archive', async () => {
  const hash = (await readSeals(book, account.key)).get(14)?.toString('hex') ?? ''
  const attempt = () =>
    recordArchive(book.db, account.key, book.clock.now(), {
      first: 1,
      last: 14,
      hash,
      fileName: 'file',
      fileDigest: '00'.repeat(32),
    })
  const redate = (time: string) =>
    book.run('update operation set created_at = $2 where id = $1', [account.ids.inReview, time])
  for (const time of ['2024-05-01T12:00:00.000Z', '2024-05-02T12:00:00.000Z']) {
    await redate(time)
    await expect(attempt()).rejects.toThrow('an operation from before entry 14 is not final')
  }
  await redate('2024-05-02T12:00:00.001Z')
  expect(await attempt()).toEqual({ recorded: true })
})

it('the lines of a file are those of the account, from the first number to the last', async () => {
  const { lines } = (await readLines(book.db, account.key, 3, 9)) ?? {}
  const entries = (await readEntries(account)).slice(2, 9)
  expect(lines?.split('\n').map((line) => JSON.parse(line) as unknown)).toEqual(
    entries.map((e) => ({
      number: Number(e.number),
      kind: e.kind,
      reference: e.reference,
      availableDelta: Number(e.available_delta),
      heldDelta: Number(e.held_delta),
      balance: Number(e.balance),
      held: Number(e.held),
      createdAt: e.created_at.getTime(),
      referenceType: e.reference_type,
    })),
  )
})

it.skipIf(onCitus('archive'))(
  'only the entries of the account are deleted, from the first number to the last',
  async () => {
    await archive(book, account, [1, 10])
    await deleteArchivedEntries(book.db, account.key, 3, 9)
    const left = (await readEntries(account)).map(({ number }) => Number(number))
    expect(left).toEqual(Array.from({ length: NEWEST }, (_, index) => index + 1).filter((n) => n < 3 || n > 9))
    for (const other of others) expect(await readEntries(other)).toHaveLength(NEWEST)
  },
)

describe('the hash chain', () => {
  const chainAt = async ({ key }: FullAccount, number: number) => {
    const values = [key.company_id, key.environment, number]
    return (await book.many<{ value: Buffer | null }>('select chain_at($1, $2, $3) as value', values))[0]?.value
  }

  it('has the documented value after every entry of every account', async () => {
    for (const each of [account, ...others]) {
      const chain = await readChain(each)
      expect(chain).toHaveLength(NEWEST + 1)
      const seals = await readSeals(book, each.key)
      expect([...seals]).toEqual(SEALED.map((number) => [number, chain[number]]))
      for (const [number, value] of chain.entries()) expect(await chainAt(each, number)).toEqual(value)
    }
  })
  it('has no value after an entry that does not exist, and none after one that is missing', async () => {
    expect(await chainAt(account, NEWEST + 1)).toBeNull()
    await book.switchGuards('disable', 'entry')
    await book.run('delete from entry where company_id = $1 and environment = $2 and number = $3', [
      account.key.company_id,
      account.key.environment,
      NEWEST,
    ])
    expect(await chainAt(account, NEWEST)).toBeNull()
    const seal = 'select seal_entries($1, now(), $2, 1000) as sealed'
    expect(await book.many(seal, [account.key.company_id, account.key.environment])).toEqual([{ sealed: 0n }])
    expect([...(await readSeals(book, account.key)).keys()]).toEqual(SEALED)
  })
})
