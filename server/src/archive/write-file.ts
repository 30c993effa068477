// Writes an archive file. The file gets its final name when it is complete and on the disk. Only some of its lines are in memory
// at a time.
import { closeSync, createWriteStream, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { Db } from '../db/pool.ts'
import type { AccountKey } from '../ledger/queries.ts'
import { must } from '../lib/invariant.ts'
import { formatHeader, type Header } from './format.ts'
import { readLines } from './queries.ts'

/** About a megabyte of text. */
const ENTRIES_PER_READ = 5_000

/** The suffix of the names of incomplete files. */
export const DRAFT_EXTENSION = '.partial'

export async function writeArchiveFile(db: Db, account: AccountKey, header: Header, path: string): Promise<void> {
  const draft = `${path}.${process.pid}${DRAFT_EXTENSION}`
  try {
    const lines = Readable.from(writeLines(db, account, header), { objectMode: false })
    await pipeline(lines, createGzip(), createWriteStream(draft, { mode: 0o600, flush: true }))
    renameSync(draft, path)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}

async function* writeLines(db: Db, account: AccountKey, header: Header): AsyncGenerator<string> {
  yield `${formatHeader(header)}\n`
  for (let first = header.firstNumber; first <= header.lastNumber; first += ENTRIES_PER_READ) {
    const last = Math.min(first + ENTRIES_PER_READ - 1, header.lastNumber)
    yield `${must(await readLines(db, account, first, last)).lines ?? ''}\n`
  }
}

/**
 * Puts a file and its name on the disk: a power cut after its entries are deleted must not undo either. Called for every file, because a
 * run that was killed may have left one whose name is not on the disk yet.
 */
export function flushFile(path: string): void {
  flush(path)
  flush(dirname(path))
}

/** Puts the names of new folders on the disk, from the innermost to the outermost. */
export function flushFolders(innermost: string, outermost: string): void {
  for (let folder = innermost; folder.length >= outermost.length; folder = dirname(folder)) flush(dirname(folder))
}

function flush(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
