// Checks an archive file with nothing but the file itself: its figures, its entries and the hash chain. It reads the file piece by
// piece and stops at the first problem, after which nothing else would fit. Must not need the database: whoever has seals passes
// them in.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import { createGunzip } from 'node:zlib'
import { describeEntry, fitsKind } from '@cardstock/sdk/statements'
import { findId, formatId } from '../lib/ids.ts'
import { ENVIRONMENTS } from '../lib/scope.ts'
import {
  type ArchivedEntry,
  chainNext,
  chainStart,
  fileNameOf,
  FORMAT,
  formatEntry,
  formatHeader,
  type Header,
} from './format.ts'

/** The value that the chain must have after an entry. */
export interface Seal {
  readonly number: number
  readonly hash: string
}

/** Returns the first seal at or after an entry of the account that the file says it is of. */
export type FindSeal = (header: Header, from: number) => Promise<Seal | undefined>

export interface ProvedFile {
  readonly header: Header
  /** The SHA-256 of the file, in hex. */
  readonly digest: string
}

/** What is wrong with a file. `message` is what follows the file's name in a sentence. */
export class AlteredFileError extends Error {
  override name = 'AlteredFileError'
}

/** Twice as long as any line that is written. */
const LINE_LENGTH_MAX = 1_024

export async function verifyFile(path: string, findSeal: FindSeal = async () => undefined): Promise<ProvedFile> {
  const digest = createHash('sha256')
  const file = createReadStream(path)
  let bytes = 0
  file.on('data', (chunk) => {
    digest.update(chunk)
    bytes += chunk.length
  })
  const content = createGunzip()
  file.on('error', (error) => content.destroy(error)).pipe(content)
  try {
    const header = await verifyContent(content, findSeal)
    if (content.bytesWritten !== bytes) throw new AlteredFileError('has bytes after its end')
    if (basename(path) !== fileNameOf(header)) {
      throw new AlteredFileError(
        `has the content of ${fileNameOf(header)}: it was renamed, or two files were exchanged`,
      )
    }
    return { header, digest: digest.digest('hex') }
  } catch (error) {
    throw isDamage(error) ? new AlteredFileError(`is damaged (${(error as Error).message})`) : error
  } finally {
    file.destroy()
  }
}

/** Whether it is an error of decompression. Errors of reading have other codes. */
function isDamage(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')
}

async function verifyContent(content: AsyncIterable<Buffer>, findSeal: FindSeal): Promise<Header> {
  let check: EntryCheck | undefined
  for await (const lines of readLines(content)) {
    for (const line of lines) {
      if (check === undefined) check = await EntryCheck.begin(parseHeader(line), findSeal)
      else await check.add(line)
    }
  }
  if (check === undefined) throw new AlteredFileError('is empty')
  return check.end()
}

/** Yields the lines of a text, some at a time. */
async function* readLines(content: AsyncIterable<Buffer>): AsyncGenerator<string[]> {
  let rest = ''
  for await (const chunk of content) {
    const lines = (rest + chunk.toString('latin1')).split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > LINE_LENGTH_MAX) throw new AlteredFileError('has a line that is too long')
    yield lines
  }
  if (rest !== '') throw new AlteredFileError('ends within a line')
}

class EntryCheck {
  readonly #header: Header
  readonly #findSeal: FindSeal
  #number: number
  #hash: Buffer
  #balance: number
  #held: number
  #at = Number.NEGATIVE_INFINITY
  #seal: Seal | undefined

  private constructor(header: Header, findSeal: FindSeal, seal: Seal | undefined) {
    this.#header = header
    this.#findSeal = findSeal
    this.#seal = seal
    this.#number = header.firstNumber - 1
    this.#hash = Buffer.from(header.hashBefore, 'hex')
    this.#balance = header.openingBalance
    this.#held = header.openingHeld
  }

  static async begin(header: Header, findSeal: FindSeal): Promise<EntryCheck> {
    return new EntryCheck(header, findSeal, await findSeal(header, header.firstNumber))
  }

  async add(line: string): Promise<void> {
    const number = this.#number + 1
    if (number > this.#header.lastNumber) throw new AlteredFileError('has lines after its last entry')
    const problem = this.#take(line, number)
    if (problem !== undefined) throw new AlteredFileError(`was altered at entry ${number}: ${problem}`)
    if (this.#seal?.number !== number) return
    if (this.#seal.hash !== this.#hash.toString('hex')) {
      throw new AlteredFileError(`does not fit the seal at entry ${number}: an entry up to there was altered`)
    }
    this.#seal = await this.#findSeal(this.#header, number + 1)
  }

  /** Returns what is wrong with the entry, or continues with it. */
  #take(line: string, number: number): string | undefined {
    const entry = parseJson(line) as ArchivedEntry
    if (!isEntry(entry, line)) return 'the line is not in the format of an entry'
    const { kind, availableDelta, heldDelta, balance, held, createdAt } = entry
    if (entry.number !== number) return `it has the number ${entry.number}`
    if (!fitsKind(kind, BigInt(availableDelta), BigInt(heldDelta))) return `a ${kind} does not move money like that`
    const expected = this.#balance + availableDelta + heldDelta
    if (balance !== expected) return `the balance is ${balance}, but the entries add up to ${expected}`
    if (held !== this.#held + heldDelta) return `held is ${held}, but the entries add up to ${this.#held + heldDelta}`
    if (held < 0 || held > balance) return 'held is negative or larger than the balance'
    if (createdAt < this.#at) return 'it is older than the one before it'
    this.#number = number
    this.#balance = balance
    this.#held = held
    this.#at = createdAt
    this.#hash = chainNext(this.#hash, entry)
    return undefined
  }

  end(): Header {
    const { lastNumber, hashAfter, closingBalance, closingHeld, lastAt } = this.#header
    if (this.#number < lastNumber)
      throw new AlteredFileError(`ends with entry ${this.#number} instead of ${lastNumber}`)
    if (this.#balance !== closingBalance || this.#held !== closingHeld || this.#at !== lastAt) {
      throw new AlteredFileError('has entries that do not lead to the closing figures in its first line')
    }
    if (this.#hash.toString('hex') !== hashAfter) {
      throw new AlteredFileError('was altered: the hash chain does not lead from hashBefore to hashAfter')
    }
    return this.#header
  }
}

/** The line must be exactly as it is written, so that every byte of it counts. */
function isEntry(entry: ArchivedEntry, line: string): boolean {
  return (
    isObject(entry) &&
    [entry.number, entry.availableDelta, entry.heldDelta, entry.balance, entry.held, entry.createdAt].every(
      Number.isSafeInteger,
    ) &&
    describeEntry(entry.kind, entry.referenceType) !== undefined &&
    formatEntry(entry) === line
  )
}

function parseHeader(line: string): Header {
  const header = parseJson(line) as Header
  const isWritten = isObject(header) && header.format === FORMAT && formatHeader(header) === line
  if (!isWritten || !isAccount(header) || typeof header.hashBefore !== 'string') {
    throw new AlteredFileError('does not begin as an archive of this version does')
  }
  const { firstNumber, lastNumber, openingBalance, openingHeld, closingBalance, closingHeld, lastAt } = header
  const figures = [firstNumber, lastNumber, openingBalance, openingHeld, closingBalance, closingHeld, lastAt]
  if (!figures.every(Number.isSafeInteger) || firstNumber < 1 || lastNumber < firstNumber || openingHeld < 0) {
    throw new AlteredFileError('has impossible figures in its first line')
  }
  const start = chainStart(header).toString('hex')
  if (firstNumber === 1 && (header.hashBefore !== start || openingBalance !== 0 || openingHeld !== 0)) {
    throw new AlteredFileError('does not begin at the start of the hash chain of its account')
  }
  return header
}

function isAccount({ company, environment }: Header): boolean {
  return (
    typeof company === 'string' &&
    findId('co', formatId('co', company)) === company &&
    ENVIRONMENTS.some((one) => one === environment)
  )
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
