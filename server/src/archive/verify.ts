// Verifies archive files together: each by itself, that the files of an account continue one another from its first entry on, and with
// the database also that no file is missing and that the entries left in it continue the last one. It only reads.
import { lstatSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Db } from '../db/pool.ts'
import { FIRST_ACCOUNT } from '../ledger/audit.ts'
import { type AccountKey, type ArchiveRow, auditAccount, listAccountsAfter, listArchives } from '../ledger/queries.ts'
import { formatId } from '../lib/ids.ts'
import { EXTENSION, fileNameOf, type Header } from './format.ts'
import { listSealsAfter } from './queries.ts'
import { AlteredFileError, type FindSeal, type ProvedFile, type Seal, verifyFile } from './verify-file.ts'

export interface Problem {
  /** The name of the file, or the account. */
  readonly where: string
  readonly problem: string
}

export interface Verdict {
  readonly files: number
  readonly accounts: number
  readonly entries: number
  /** Empty if nothing was altered. */
  readonly problems: readonly Problem[]
}

const ACCOUNTS_PER_PAGE = 500
const ROWS_PER_PAGE = 1_000

/** Returns the archive files among the paths and in the folders among them. */
export function listArchiveFiles(paths: readonly string[]): string[] {
  return paths.flatMap((path) => {
    if (!lstatSync(path).isDirectory()) return [path]
    const names = readdirSync(path).filter((name) => name.endsWith(EXTENSION))
    return names.toSorted().map((name) => join(path, name))
  })
}

/** `isWhole` says that the paths are all files there are, so that none may be missing. */
export async function verifyFiles(
  paths: readonly string[],
  { db, isWhole }: { db?: Db | undefined; isWhole: boolean },
): Promise<Verdict> {
  const proved = new Map<string, ProvedFile>()
  const altered = new Set<string>()
  const problems: Problem[] = []
  for (const path of paths) {
    const name = basename(path)
    try {
      if (proved.has(name)) throw new AlteredFileError('was given twice')
      proved.set(name, await verifyFile(path, db && sealsOf(db)))
    } catch (error) {
      if (!(error instanceof AlteredFileError)) throw error
      altered.add(name)
      problems.push({ where: name, problem: error.message })
    }
  }
  const accounts = groupByAccount(proved)
  const found: Found = { proved, altered, isWhole }
  for (const files of accounts.values()) problems.push(...checkOrder(files))
  if (db !== undefined) problems.push(...(await checkRecords(db, found)))
  else for (const files of accounts.values()) problems.push(...findMissing(files, found))
  const entries = [...proved.values()].reduce((sum, { header }) => sum + countEntries(header), 0)
  return { files: paths.length, accounts: accounts.size, entries, problems }
}

/** For one file, whose entries are asked for in their order. */
export function sealsOf(db: Db): FindSeal {
  let page: Seal[] = []
  return async ({ company, environment }, from) => {
    while (page[0] !== undefined && page[0].number < from) page.shift()
    if (page[0] !== undefined) return page[0]
    const rows = await listSealsAfter(db, { company_id: company, environment }, from - 1, ROWS_PER_PAGE)
    page = rows.map(({ number, hash }) => ({ number: Number(number), hash: hash.toString('hex') }))
    return page[0]
  }
}

function accountName({ company, environment }: Header): string {
  return `${formatId('co', company)} ${environment}`
}

function countEntries({ firstNumber, lastNumber }: Header): number {
  return lastNumber - firstNumber + 1
}

function groupByAccount(proved: ReadonlyMap<string, ProvedFile>): Map<string, Header[]> {
  const accounts = new Map<string, Header[]>()
  const headers = [...proved.values()].map(({ header }) => header)
  for (const header of headers.toSorted((a, b) => a.firstNumber - b.firstNumber)) {
    const files = accounts.get(accountName(header)) ?? []
    files.push(header)
    accounts.set(accountName(header), files)
  }
  return accounts
}

/** The files of an account that are proved, in the order of their entries. */
type Files = readonly Header[]

/** Checks that files of an account continue one another. */
function checkOrder(files: Files): Problem[] {
  return files.flatMap((file, index) => {
    const previous = files[index - 1]
    const where = fileNameOf(file)
    if (previous === undefined || file.firstNumber > previous.lastNumber + 1) return []
    if (file.firstNumber <= previous.lastNumber)
      return [{ where, problem: `has entries that ${fileNameOf(previous)} has` }]
    return continues(previous, file) ? [] : [{ where, problem: `does not continue ${fileNameOf(previous)}` }]
  })
}

/** Finds gaps between files, and before the first one if no file may be missing. Only the database knows whether the last one is there. */
function findMissing(files: Files, { altered, isWhole }: Found): Problem[] {
  return files.flatMap((file, index) => {
    const previous = files[index - 1]
    const firstNumber = previous === undefined ? 1 : previous.lastNumber + 1
    const where = fileNameOf({ ...file, firstNumber })
    if (file.firstNumber <= firstNumber || altered.has(where) || (previous === undefined && !isWhole)) return []
    return [
      { where, problem: `is missing: it has the entries ${firstNumber} to ${file.firstNumber - 1}, or some of them` },
    ]
  })
}

function continues(previous: Header, next: Header): boolean {
  return (
    next.hashBefore === previous.hashAfter &&
    next.openingBalance === previous.closingBalance &&
    next.openingHeld === previous.closingHeld
  )
}

interface Found {
  readonly proved: ReadonlyMap<string, ProvedFile>
  /** The names of files that exist and were altered. */
  readonly altered: ReadonlySet<string>
  readonly isWhole: boolean
}

/** Compares the files with what the database says about them, and audits the accounts that have archives. */
async function checkRecords(db: Db, found: Found): Promise<Problem[]> {
  const problems: Problem[] = []
  const recorded = new Set<string>()
  let after = FIRST_ACCOUNT
  for (;;) {
    const accounts = await listAccountsAfter(db, after, ACCOUNTS_PER_PAGE)
    for (const account of accounts) {
      let isArchived = false
      for await (const row of listRecords(db, account)) {
        isArchived = true
        recorded.add(row.file_name)
        problems.push(...compare(account, row, found))
      }
      if (isArchived) problems.push(...(await auditOne(db, account)))
    }
    const last = accounts.at(-1)
    if (last === undefined) break
    after = last
  }
  for (const name of found.proved.keys()) {
    const problem = 'is not recorded in the database; if a run was interrupted, run cardstock archive again'
    if (!recorded.has(name)) problems.push({ where: name, problem })
  }
  return problems
}

/** Above every number that the database can hold. */
const NUMBER_END = 2n ** 63n - 1n

async function* listRecords(db: Db, { company_id: companyId, environment }: AccountKey): AsyncGenerator<ArchiveRow> {
  let below = NUMBER_END
  for (;;) {
    const rows = await listArchives(db, { companyId, environment }, { below, limit: ROWS_PER_PAGE })
    yield* rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < ROWS_PER_PAGE) return
    below = last.number
  }
}

function compare({ company_id: company }: AccountKey, row: ArchiveRow, { proved, altered, isWhole }: Found): Problem[] {
  const where = row.file_name
  const file = proved.get(where)
  if (file === undefined) {
    if (!isWhole || altered.has(where)) return []
    return [{ where, problem: `is missing: it has entries up to ${row.number} of ${formatId('co', company)}` }]
  }
  if (file.digest !== row.file_digest.toString('hex')) {
    return [{ where, problem: 'is not the file that was written: the database has another SHA-256' }]
  }
  const { lastNumber, hashAfter, closingBalance, closingHeld, lastAt } = file.header
  const inFile = [lastNumber, hashAfter, closingBalance, closingHeld, lastAt].join(' ')
  const inDatabase = [row.number, row.hash.toString('hex'), row.balance, row.held, row.last_at.getTime()].join(' ')
  return inFile === inDatabase ? [] : [{ where, problem: 'does not have the figures that the database recorded' }]
}

async function auditOne(db: Db, account: AccountKey): Promise<Problem[]> {
  const where = `${formatId('co', account.company_id)} ${account.environment}`
  const rows = await auditAccount(db, account)
  return rows.flatMap(({ difference }) => (difference === null ? [] : [{ where, problem: difference }]))
}
