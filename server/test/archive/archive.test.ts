// `cardstock archive` and `cardstock verify` in processes of their own: whenever a run is killed, nothing is lost, the next run goes on,
// and whatever is altered in a file is named.
import { randomUUID } from 'node:crypto'
import {
  copyFileSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type ArchivedEntry,
  chainNext,
  chainStart,
  fileNameOf,
  formatEntry,
  formatHeader,
  type Header,
} from '../../src/archive/format.ts'
import { listArchiveFiles, verifyFiles } from '../../src/archive/verify.ts'
import { fillDeposits } from '../books/statements.ts'
import { cardstock } from '../cli/run.ts'
import { Book, type BookCompany, completed, failed, service } from '../ledger/book.ts'
import { toDatabaseUrl } from '../support/database-url.ts'

/** A URL, because NODE_OPTIONS is divided at spaces. */
const KILL_AT = new URL('kill-at.mjs', import.meta.url).href
const DAY_MS = 86_400_000
/** More than are read at a time, and more than two deletions. */
const MANY = 5_500

const book = await Book.open()
const base = mkdtempSync(join(tmpdir(), 'cardstock-archive-'))
const folder = join(base, 'files')
const environ = { DATABASE_URL: toDatabaseUrl(book.connection), DATA_DIR: base }
let large: BookCompany
let small: BookCompany

const archive = (before: string, more: Record<string, string> = {}) =>
  cardstock(['archive', '--before', before, '--to', folder, '--yes'], { ...environ, ...more })
const verify = (...args: string[]) => cardstock(['verify', ...args, '--json'], environ)

async function work(company: BookCompany): Promise<void> {
  const [first, second] = [await book.accept(service(company)), await book.accept(service(company))]
  await book.claimAll()
  book.clock.advance(1000)
  await book.settleAll([completed(company, first, 'service'), failed(company, second)])
}
const seal = ({ scope }: BookCompany) =>
  book.run('select seal_entries($1, $2, $3, 100000)', [scope.companyId, book.clock.now(), 'sandbox'])

/** Days 1 and 2 can be archived one after the other; what happens on day 3 stays. */
beforeAll(async () => {
  book.clock.set('2024-05-01T12:00:00.000Z')
  large = await book.addCompany(1_000_000n)
  small = await book.addCompany(1_000_000n)
  for (const day of [1, 2, 3]) {
    for (const company of [large, small]) await work(company)
    if (day === 1) await fillDeposits(book, { id: large.scope.companyId }, MANY, book.clock.now())
    for (const company of [large, small]) await seal(company)
    book.clock.advance(DAY_MS)
  }
})
afterAll(async () => {
  await book.requireClean()
  await book.close()
  rmSync(base, { recursive: true })
})

/** Every entry of the account is in the database, or in a file that is recorded there and whole. */
async function requireNothingLost(): Promise<void> {
  for (const { scope } of [large, small]) {
    const rows = await book.many<{ number: bigint }>('select number from entry where company_id = $1 order by number', [
      scope.companyId,
    ])
    const records = await book.many<{ number: bigint; file_name: string }>(
      'select number, file_name from entry_archive where company_id = $1 order by number',
      [scope.companyId],
    )
    const files = records.map(({ file_name: name }) => join(folder, name))
    expect((await verifyFiles(files, { isWhole: true })).problems).toEqual([])
    const inFiles = Number(records.at(-1)?.number ?? 0n)
    const left = rows.map(({ number }) => Number(number)).filter((number) => number > inFiles)
    const [account] = await book.many<{ sequence: bigint }>(
      "select sequence from account where company_id = $1 and environment = 'sandbox'",
      [scope.companyId],
    )
    expect(left).toEqual(
      Array.from({ length: Number(account?.sequence) - inFiles }, (_one, index) => inFiles + index + 1),
    )
  }
  expect(await book.differences()).toEqual([])
}

describe('a run that is killed', () => {
  it.each([
    ['while it writes a file', 'archive_lines:2', { drafts: 1, files: 0, records: 0 }],
    ['before the file gets its name', 'renameSync:1', { drafts: 1, files: 0, records: 0 }],
    ['before the name is on the disk', 'fsyncSync:1', { drafts: 0, files: 1, records: 0 }],
    ['before the file is recorded', 'record_archive:1', { drafts: 0, files: 1, records: 0 }],
    ['before it deletes anything', 'delete_archived_entries:1', { drafts: 0, files: 1, records: 1 }],
    ['while it deletes', 'delete_archived_entries:2', { drafts: 0, files: 1, records: 1 }],
    ['while it deletes what another one has left', 'delete_archived_entries:2', { drafts: 0, files: 1, records: 1 }],
  ])('%s loses nothing', async (_when, point, left) => {
    const { code, out } = await archive('2024-05-02', { NODE_OPTIONS: `--import=${KILL_AT}`, KILL_AT: point })
    expect({ code, out }).toEqual({ code: null, out: '' })
    const names = readdirSync(folder)
    const [count] = await book.many<{ records: bigint }>('select count(*) as records from entry_archive')
    expect({
      drafts: names.filter((name) => name.endsWith('.partial')).length,
      files: names.filter((name) => name.endsWith('.entries.gz')).length,
      records: Number(count?.records),
    }).toEqual(left)
    await requireNothingLost()
  })

  it('is completed by the next one, which archives the other accounts too', async () => {
    const { code, out, err } = await archive('2024-05-02')
    expect({ code, out }).toEqual({ code: 0, out: `${folder}: 1 new file with 6 entries of 1 account\n` })
    expect(err).toContain('which an earlier run has left')
    await requireNothingLost()
    const [left] = await book.many<{ first: bigint; count: bigint }>(
      'select min(number) as first, count(*) as count from entry where company_id = $1',
      [large.scope.companyId],
    )
    expect(left).toEqual({ first: BigInt(MANY) + 7n, count: 10n })
    expect(readdirSync(folder).filter((name) => name.endsWith('.partial'))).toEqual([])
  })
})

describe('a later run', () => {
  it('continues where the last one ended, and takes over a file that was written for another date', async () => {
    await archive('2024-05-03', { NODE_OPTIONS: `--import=${KILL_AT}`, KILL_AT: 'record_archive:1' })
    const earlier = await archive('2024-05-02')
    expect(earlier).toMatchObject({ code: 0, out: `${folder}: 0 new files with 0 entries of 0 accounts\n` })
    const { code, out } = await archive('2024-05-03')
    expect({ code, out }).toEqual({ code: 0, out: `${folder}: 2 new files with 10 entries of 2 accounts\n` })
    await requireNothingLost()
    expect(listArchiveFiles([folder])).toHaveLength(4)
  })

  it('refuses a date that is too young or none, and does nothing without a confirmation', async () => {
    const day = (ago: number) => new Date(Date.now() - ago * DAY_MS).toISOString().slice(0, 10)
    const [young, none, unasked] = await Promise.all([
      archive(day(399)),
      archive('2024-02-30'),
      cardstock(['archive', '--before', '2024-05-04', '--to', folder], environ),
    ])
    expect([young.code, none.code, unasked.code]).toEqual([2, 2, 2])
    expect(young.err).toContain(`The latest date is ${day(400)}.`)
    expect(none.err).toContain('must be a date')
    expect(unasked.err).toContain('Add --yes')
  })
})

describe('verify', () => {
  it('proves the folder, with the database and without it', async () => {
    const counts = { files: 4, accounts: 2, entries: MANY + 6 + 5 + 6 + 5 }
    for (const options of [[], ['--database']]) {
      const { code, out } = await verify(folder, ...options)
      expect({ code, ...JSON.parse(out) }).toEqual({ code: 0, valid: true, ...counts, problems: [] })
    }
  })

  it('exits with 1 and names the file that was altered', async () => {
    const [first = ''] = listArchiveFiles([folder])
    const copy = join(base, 'altered', first.slice(folder.length + 1))
    cpSync(first, copy)
    flip(copy, 2000)
    const { code, out, err } = await cardstock(['verify', copy], environ)
    expect({ code, err }).toEqual({ code: 1, err: '' })
    expect(out).toContain(first.slice(folder.length + 1))
  })
})

/** Changes one bit of a file. */
function flip(path: string, at: number): void {
  const bytes = readFileSync(path)
  bytes[at] = (bytes[at] ?? 0) ^ 1
  writeFileSync(path, bytes)
}

/** Changes the text of a file and compresses it again. */
function rewrite(path: string, change: (text: string) => string): void {
  const text = gunzipSync(readFileSync(path)).toString()
  const changed = change(text)
  expect(changed).not.toBe(text)
  writeFileSync(path, gzipSync(changed))
}

describe('an archive is not proved', () => {
  let names: string[]
  let copies: string
  let number = 0

  /** The files are those of the large account and then those of the small one, from the first entry on. */
  function copyAll(): string {
    number += 1
    copies = join(base, `copy-${number}`)
    cpSync(folder, copies, { recursive: true })
    names = readdirSync(copies).toSorted()
    return copies
  }
  const problemsOf = async (db = true) =>
    (await verifyFiles(listArchiveFiles([copies]), { db: db ? book.db : undefined, isWhole: true })).problems
  const at = (index: number) => join(copies, names[index] ?? '')

  it.each([
    ['a bit of the compressed data', (path: string) => flip(path, 3000), /is damaged|was altered/],
    ['a byte at the end', (path: string) => writeFileSync(path, 'x', { flag: 'a' }), /is damaged/],
    ['zeros at the end', (path: string) => writeFileSync(path, Buffer.alloc(20), { flag: 'a' }), /bytes after its end/],
    ['the end cut off', (path: string) => writeFileSync(path, readFileSync(path).subarray(0, -100)), /is damaged/],
    ['no content', (path: string) => writeFileSync(path, ''), /is damaged/],
    ['an amount', edit('"availableDelta":1,', '"availableDelta":2,'), /at entry 7: the balance is/],
    ['a held amount', edit('"held":1060', '"held":1061'), /was altered at entry/],
    ['a kind', edit('"kind":"release"', '"kind":"capture"'), /a capture does not move money like that/],
    ['a type of reference', edit('"referenceType":"fund"', '"referenceType":"op"'), /not in the format of an entry/],
    ['white space', edit('"kind":', '"kind": '), /not in the format of an entry/],
    ['a reference', edit('"reference":"0', '"reference":"1'), /hash chain does not lead|does not fit the seal/],
    [
      'a line less',
      (path: string) => rewrite(path, (text) => text.split('\n').toSpliced(3, 1).join('\n')),
      /it has the number 4/,
    ],
    ['a line more', (path: string) => rewrite(path, (text) => `${text}{}\n`), /lines after its last entry/],
    ['another environment', edit('"environment":"sandbox"', '"environment":"live"'), /start of the hash chain/],
    ['another end', edit('"closingHeld":0', '"closingHeld":1'), /closing figures/],
    ['a company that is none', edit('"company":"0', '"company":"x'), /does not begin as an archive/],
    ['another format', edit('entries 1"', 'entries 2"'), /does not begin as an archive/],
  ])('with %s changed', async (_what, change, problem) => {
    copyAll()
    change(at(0))
    for (const db of [true, false]) {
      const problems = await problemsOf(db)
      expect(problems).toEqual([{ where: names[0], problem: expect.stringMatching(problem) }])
    }
  })

  it('if a file is missing, wherever it is', async () => {
    copyAll()
    rmSync(at(0))
    expect(await problemsOf(false)).toEqual([
      { where: names[0], problem: `is missing: it has the entries 1 to ${MANY + 6}, or some of them` },
    ])
    copyAll()
    rmSync(at(1))
    // Only the database knows that there was a later file.
    expect(await problemsOf(false)).toEqual([])
    expect(await problemsOf()).toEqual([{ where: names[1], problem: expect.stringContaining('is missing') }])
  })

  it('if two files are exchanged', async () => {
    copyAll()
    renameSync(at(0), join(copies, 'other'))
    renameSync(at(2), at(0))
    renameSync(join(copies, 'other'), at(2))
    expect(await problemsOf(false)).toEqual([
      { where: names[0], problem: expect.stringContaining(`has the content of ${names[2]}`) },
      { where: names[2], problem: expect.stringContaining(`has the content of ${names[0]}`) },
    ])
  })

  it('if a file was written anew, with a chain that is right by itself', async () => {
    copyAll()
    forge(at(1), {})
    expect(await problemsOf(false)).toEqual([])
    expect(await problemsOf()).toEqual([{ where: names[1], problem: expect.stringContaining('does not fit the seal') }])
    copyAll()
    forge(at(0), {})
    expect(await problemsOf(false)).toEqual([
      { where: expect.any(String), problem: expect.stringContaining('does not continue') },
    ])
  })

  it('if a file was compressed anew, or the database does not know it', async () => {
    copyAll()
    writeFileSync(at(0), gzipSync(gunzipSync(readFileSync(at(0))), { level: 1 }))
    const stranger = { company: randomUUID() }
    copyFileSync(at(2), join(copies, 'stranger'))
    forge(join(copies, 'stranger'), stranger)
    const name = fileNameOf({ ...stranger, environment: 'sandbox', firstNumber: 1 })
    renameSync(join(copies, 'stranger'), join(copies, name))
    expect(await problemsOf(false)).toEqual([])
    expect(await problemsOf()).toEqual([
      { where: names[0], problem: expect.stringContaining('another SHA-256') },
      { where: name, problem: expect.stringContaining('is not recorded') },
    ])
  })
})

/** Writes the file with another header and another reference, and computes the chain anew. */
function forge(path: string, change: Partial<Header>): void {
  rewrite(path, (text) => {
    const [first = '', ...rest] = text.trimEnd().split('\n')
    const header = { ...(JSON.parse(first) as Header), ...change }
    const entries = rest.map((line) => JSON.parse(line) as ArchivedEntry)
    const forged = entries.map((entry, index) => (index === 2 ? { ...entry, reference: randomUUID() } : entry))
    const hashBefore = header.firstNumber === 1 ? chainStart(header) : Buffer.from(header.hashBefore, 'hex')
    const hashAfter = forged.reduce(chainNext, hashBefore).toString('hex')
    const lines = [
      formatHeader({ ...header, hashBefore: hashBefore.toString('hex'), hashAfter }),
      ...forged.map(formatEntry),
    ]
    return `${lines.join('\n')}\n`
  })
}

function edit(from: string, to: string): (path: string) => void {
  return (path) => rewrite(path, (text) => text.replace(from, to))
}
