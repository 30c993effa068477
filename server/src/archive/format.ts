// The format of an archive file: compressed lines of JSON, the first about the file and each other one about an entry. docs/ledger.md
// describes it, so that anybody can check a file. Must not need anything but Node.
import { createHash } from 'node:crypto'
import { chainStartText, chainText } from '@cardstock/sdk/statements'
import { formatId } from '../lib/ids.ts'
import type { Environment } from '../lib/scope.ts'
import type { EntryKind } from '../card-account/rules.ts'

export const FORMAT = 'cardstock entries 1'

/** Amounts are in cents, and times in milliseconds since 1970. */
export interface Header {
  readonly format: string
  /** The company's UUID, as the hash chain has it. */
  readonly company: string
  readonly environment: Environment
  readonly firstNumber: number
  readonly lastNumber: number
  /** The value of the chain before the first and after the last entry, in hex. */
  readonly hashBefore: string
  readonly hashAfter: string
  /** The figures before the first and after the last entry. */
  readonly openingBalance: number
  readonly openingHeld: number
  readonly closingBalance: number
  readonly closingHeld: number
  /** The time of the last entry. */
  readonly lastAt: number
}

export interface ArchivedEntry {
  readonly number: number
  readonly kind: EntryKind
  readonly reference: string
  readonly availableDelta: number
  readonly heldDelta: number
  readonly balance: number
  readonly held: number
  readonly createdAt: number
  readonly referenceType: string
}

/** Returns the exact text of the line, so that a file has no byte that its content does not determine. */
export function formatHeader(header: Header): string {
  const { format, company, environment, firstNumber, lastNumber, hashBefore, hashAfter } = header
  const { openingBalance, openingHeld, closingBalance, closingHeld, lastAt } = header
  return JSON.stringify({
    format,
    company,
    environment,
    firstNumber,
    lastNumber,
    hashBefore,
    hashAfter,
    openingBalance,
    openingHeld,
    closingBalance,
    closingHeld,
    lastAt,
  })
}

/** Returns the exact text of the line. The SQL function archive_lines writes the same. */
export function formatEntry(entry: ArchivedEntry): string {
  const { number, kind, reference, availableDelta, heldDelta, balance, held, createdAt, referenceType } = entry
  return JSON.stringify({ number, kind, reference, availableDelta, heldDelta, balance, held, createdAt, referenceType })
}

/** Returns the first value of an account's hash chain. */
export function chainStart({ company, environment }: Pick<Header, 'company' | 'environment'>): Buffer {
  return createHash('sha256').update(chainStartText(company, environment)).digest()
}

/** Returns the value of the chain after an entry. */
export function chainNext(hash: Buffer, entry: ArchivedEntry): Buffer {
  return createHash('sha256').update(hash).update(chainText(entry)).digest()
}

/** The suffix of the names of archive files, by which they are found in a folder. */
export const EXTENSION = '.entries.gz'
/** So that the names of an account's files sort in the order of its entries. */
const NUMBER_DIGITS = 12

/** Returns the name of a file. It follows from the first entry, so that a run which is repeated finds what the last one wrote. */
export function fileNameOf({
  company,
  environment,
  firstNumber,
}: Pick<Header, 'company' | 'environment' | 'firstNumber'>) {
  const first = String(firstNumber).padStart(NUMBER_DIGITS, '0')
  return `${formatId('co', company)}-${environment}-${first}${EXTENSION}`
}
