// Moves old entries to files. A file is written, read back and verified against the seals, and recorded in the database; only then are
// its entries deleted. Whatever is interrupted, each entry is in the database or in a recorded file, and the next run goes on.
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Db } from '../db/pool.ts'
import { FIRST_ACCOUNT } from '../ledger/audit.ts'
import { type AccountKey, auditAccount, listAccountsAfter } from '../ledger/queries.ts'
import type { Clock } from '../lib/clock.ts'
import { formatId } from '../lib/ids.ts'
import { invariant, must } from '../lib/invariant.ts'
import { ArchiveError } from './error.ts'
import { EXTENSION, fileNameOf, FORMAT, type Header } from './format.ts'
import {
  deleteArchivedEntries,
  findArchivableRange,
  findNewestArchive,
  type RangeRow,
  recordArchive,
} from './queries.ts'
import { sealsOf } from './verify.ts'
import { AlteredFileError, type ProvedFile, verifyFile } from './verify-file.ts'
import { DRAFT_EXTENSION, flushFile, flushFolders, writeArchiveFile } from './write-file.ts'

export interface ArchiveOptions {
  db: Db
  clock: Clock
  /** Entries from then on stay. */
  before: Date
  folder: string
  /** Receives the progress, for people. */
  note(text: string): void
}

export interface Summary {
  readonly files: number
  readonly accounts: number
  readonly entries: number
}

const ACCOUNTS_PER_PAGE = 500
/** What a run that is killed has to write again at most: about 30 MB. */
const ENTRIES_PER_FILE = 1_000_000
/** Deleting so many takes the database less than a tenth of a second. */
const ENTRIES_PER_DELETION = 2_000

export async function archiveEntries(options: ArchiveOptions): Promise<Summary> {
  const firstMade = mkdirSync(options.folder, { recursive: true, mode: 0o700 })
  if (firstMade !== undefined) flushFolders(resolve(options.folder), firstMade)
  removeDrafts(options.folder)
  const summary = { files: 0, accounts: 0, entries: 0 }
  let after = FIRST_ACCOUNT
  for (;;) {
    const accounts = await listAccountsAfter(options.db, after, ACCOUNTS_PER_PAGE)
    for (const account of accounts) {
      const done = await archiveAccount(options, account)
      if (done.files > 0) summary.accounts += 1
      summary.files += done.files
      summary.entries += done.entries
    }
    const last = accounts.at(-1)
    if (last === undefined) return summary
    after = last
  }
}

/** Removes what runs that were killed have left. Their entries are still in the database. */
function removeDrafts(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (name.includes(EXTENSION) && name.endsWith(DRAFT_EXTENSION) && !isWritten(name)) rmSync(join(folder, name))
  }
}

/** Whether the process that writes the draft, whose number is in its name, is alive. */
function isWritten(draft: string): boolean {
  try {
    return process.kill(Number(draft.split('.').at(-2)), 0)
  } catch (error) {
    // A process of another user may not be asked, but it is alive.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

async function archiveAccount(options: ArchiveOptions, account: AccountKey): Promise<Omit<Summary, 'accounts'>> {
  const { db, before } = options
  await finishDeletion(options, account)
  const done = { files: 0, entries: 0 }
  for (;;) {
    const range = await findArchivableRange(db, account, before, ENTRIES_PER_FILE)
    if (range === undefined) return done
    if (done.files === 0) await requireClean(db, account)
    done.entries += await archiveRange(options, account, range)
    done.files += 1
  }
}

/** What is archived cannot be compared with the operations later, so it must be right now. */
async function requireClean(db: Db, account: AccountKey): Promise<void> {
  const rows = await auditAccount(db, account)
  const difference = rows.find((row) => row.difference !== null)?.difference
  if (difference === undefined) return
  throw new ArchiveError(
    `The audit of ${nameOf(account)} found a difference: ${difference}. Find the cause with cardstock admin audit first. ` +
      'Nothing of this account was archived.',
  )
}

/** Returns how many entries were archived. */
async function archiveRange(options: ArchiveOptions, account: AccountKey, range: RangeRow): Promise<number> {
  const { db, clock, folder, note } = options
  const header = toHeader(account, range)
  const fileName = fileNameOf(header)
  const path = join(folder, fileName)
  if (!existsSync(path)) {
    note(`Writing entries ${header.firstNumber} to ${header.lastNumber} of ${nameOf(account)}.`)
    await writeArchiveFile(db, account, header, path)
  }
  note(`Verifying ${fileName}.`)
  const proved = await requireProof(db, path)
  const { firstNumber: first, lastNumber: last, hashAfter: hash } = proved.header
  // A run that was interrupted may have written less. Then the next file has the rest.
  if (last > header.lastNumber) {
    throw new ArchiveError(
      `${path} has entries up to ${last}, but only those up to ${header.lastNumber} may be archived. ` +
        'It is not recorded in the database: move it away, or give the date for which it was written.',
    )
  }
  flushFile(path)
  const archive = { first, last, hash, fileName, fileDigest: proved.digest }
  if (!must(await recordArchive(db, account, clock.now(), archive)).recorded) {
    throw new ArchiveError(`Another run archives ${nameOf(account)} at the same time. Run the command again.`)
  }
  note(`Deleting entries ${first} to ${last} of ${nameOf(account)}.`)
  await deleteEntries(db, account, first, last)
  return last - first + 1
}

function toHeader({ company_id: company, environment }: AccountKey, range: RangeRow): Header {
  return {
    format: FORMAT,
    company,
    environment,
    firstNumber: toInteger(range.first_number),
    lastNumber: toInteger(range.last_number),
    hashBefore: range.hash_before.toString('hex'),
    hashAfter: range.hash_after.toString('hex'),
    openingBalance: toInteger(range.opening),
    openingHeld: toInteger(range.opening_held),
    closingBalance: toInteger(range.closing),
    closingHeld: toInteger(range.closing_held),
    lastAt: range.last_at.getTime(),
  }
}

/** An exact integer of JSON. The ledger has none that is larger: a balance is limited. */
function toInteger(value: bigint): number {
  const integer = Number(value)
  invariant(Number.isSafeInteger(integer), 'a figure of the ledger is too large for an archive')
  return integer
}

async function requireProof(db: Db, path: string): Promise<ProvedFile> {
  try {
    return await verifyFile(path, sealsOf(db))
  } catch (error) {
    if (!(error instanceof AlteredFileError)) throw error
    throw new ArchiveError(
      `${path} ${error.message}. Its entries are still in the database: move the file away and run the command again.`,
    )
  }
}

/** Deletes what is recorded and was left by a run that was interrupted, if its file is still as it was written. */
async function finishDeletion({ db, folder, note }: ArchiveOptions, account: AccountKey): Promise<void> {
  const newest = await findNewestArchive(db, account)
  if (newest === undefined || newest.left_from === null) return
  const { file_name: fileName, number, left_from: from } = newest
  const path = join(folder, fileName)
  const promise = `${fileName} of ${nameOf(account)} is recorded, but not all of its entries are deleted yet.`
  if (!existsSync(path))
    throw new ArchiveError(`${promise} It is not in ${folder}: run the command with its folder first.`)
  const proved = await requireProof(db, path)
  if (proved.digest !== newest.file_digest.toString('hex')) {
    throw new ArchiveError(`${promise} The file in ${folder} is another one: run the command with its folder first.`)
  }
  note(`Deleting entries ${from} to ${number} of ${nameOf(account)}, which an earlier run has left.`)
  await deleteEntries(db, account, Number(from), Number(number))
}

async function deleteEntries(db: Db, account: AccountKey, first: number, last: number): Promise<void> {
  for (let from = first; from <= last; from += ENTRIES_PER_DELETION) {
    await deleteArchivedEntries(db, account, from, Math.min(from + ENTRIES_PER_DELETION - 1, last))
  }
}

function nameOf({ company_id: company, environment }: AccountKey): string {
  return `${formatId('co', company)} (${environment})`
}
