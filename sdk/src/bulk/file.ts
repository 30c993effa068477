// Reads a CSV file of issues or top-ups into operations, each with the idempotency key that makes it happen once, however often the same
// file is sent. It asks no server.
import { toHex } from '../bytes.ts'
import { CsvError, parseCsv } from '../csv/read.ts'
import { toCsvLine } from '../csv/write.ts'
import type { NewOperation } from '../generated/types.ts'
import { sha256 } from '../statements/sha256.ts'

export type BulkType = 'issue' | 'topup'

/** A file of this size is checked in about a minute, and its result can still be read by a person. */
export const BULK_ROWS_MAX = 1_000
/** More than the longest rows take. It bounds what is read before the rows are counted. */
export const BULK_BYTES_MAX = 1_000_000
/** Enough for a month, a team and a purpose. */
export const BULK_BATCH_LENGTH_MAX = 64

/** The columns that make an operation, in the order of the template. */
const COLUMNS = {
  issue: ['holderId', 'productId', 'amount', 'name'],
  topup: ['cardId', 'amount'],
} as const
const OPTIONAL: ReadonlySet<string> = new Set(['name'])
/** The columns that only a result file has. A corrected result file is read again, and of these only the key counts. */
const RESULT_COLUMNS: readonly string[] = ['row', 'fee', 'total', 'state', 'operationId', 'status', 'message', 'key']

const KEY = /^bulk_[0-9a-f]{64}$/
const AMOUNT = /^\d{1,12}(\.\d{1,2})?$/

export interface BulkRow {
  /** The number of the row in a spreadsheet; the names of the columns are in row 1. */
  readonly number: number
  /** What the row says, by column. */
  readonly cells: Readonly<Record<string, string>>
  readonly idempotencyKey: string
  /** Undefined when the row cannot be an operation; `problem` then says why. */
  readonly operation: NewOperation | undefined
  readonly problem: string | undefined
}

export interface BulkFile {
  readonly type: BulkType
  readonly rows: readonly BulkRow[]
}

/** The file as a whole cannot be used; the message says what to change. */
export class BulkFileError extends Error {
  override name = 'BulkFileError'
}

/** Returns a file with the names of the columns, and one row that shows what goes into them. */
export function bulkTemplate(type: BulkType): string {
  const example = type === 'issue' ? ['hld_…', 'prod_card_virtual', '25.00', 'Travel'] : ['card_…', '50.00']
  return toCsvLine(COLUMNS[type]) + toCsvLine(example)
}

/**
 * Reads a file. The key of a row is a digest of the whole content, the position of the row and the row itself, so the same file sent again
 * repeats nothing, whatever separator or line ends it was saved with. To send the same content a second time on purpose, give the second
 * one another `batch`. Rows of a result file keep the keys they had. Throws BulkFileError.
 */
export function parseBulk(text: string, { batch = '' }: { readonly batch?: string | undefined } = {}): BulkFile {
  if (batch.length > BULK_BATCH_LENGTH_MAX)
    throw new BulkFileError(`The name of the batch can have at most ${BULK_BATCH_LENGTH_MAX} characters.`)
  if (text.length > BULK_BYTES_MAX) throw new BulkFileError('The file is larger than 1 MB. Split it.')
  const [header = [], ...lines] = readLines(text)
  const type = findType(header)
  const columns = requireColumns(header, type)
  const filled = lines.map((cells, index) => ({ cells, number: index + 2 })).filter(({ cells }) => cells.some(Boolean))
  if (filled.length === 0) throw new BulkFileError('The file has no rows below the names of the columns.')
  if (filled.length > BULK_ROWS_MAX) {
    throw new BulkFileError(
      `The file has ${filled.length} rows; at most ${BULK_ROWS_MAX} are sent at once. Split it into several files.`,
    )
  }
  const contents = filled.map(({ cells }) => COLUMNS[type].map((name) => cells[columns.indexOf(name)] ?? ''))
  const fileDigest = toHex(sha256(JSON.stringify(['cardstock bulk 1', type, batch, contents])))
  const rows = filled.map(({ cells, number }, index): BulkRow => {
    const content = contents[index] ?? []
    const derived = `bulk_${toHex(sha256(JSON.stringify([fileDigest, index, content])))}`
    const given = cells[columns.indexOf('key')] ?? ''
    const named = Object.fromEntries(COLUMNS[type].map((name, at) => [name, content[at] ?? '']))
    const problem = cells.length > columns.length ? 'The row has more cells than columns.' : findProblem(named, given)
    return {
      number,
      cells: named,
      idempotencyKey: KEY.test(given) ? given : derived,
      operation: problem === undefined ? toOperation(type, named) : undefined,
      problem,
    }
  })
  requireDistinct(rows)
  return { type, rows }
}

function readLines(text: string): string[][] {
  try {
    return parseCsv(text)
  } catch (error) {
    if (error instanceof CsvError) throw new BulkFileError(error.message)
    throw error
  }
}

function findType(header: readonly string[]): BulkType {
  const isIssue = header.includes('holderId')
  if (isIssue !== header.includes('cardId')) return isIssue ? 'issue' : 'topup'
  throw new BulkFileError(
    'The first line must name the columns: holderId, productId, amount and name to issue cards, or cardId and amount to top up.',
  )
}

function requireColumns(header: readonly string[], type: BulkType): readonly string[] {
  const known = new Set<string>([...COLUMNS[type], ...RESULT_COLUMNS])
  // A spreadsheet may leave empty columns behind the last one.
  const unknown = header.find((name) => name !== '' && !known.has(name))
  if (unknown !== undefined) {
    throw new BulkFileError(
      `There is no column ${JSON.stringify(unknown.slice(0, 60))}. The columns are ${COLUMNS[type].join(', ')}.`,
    )
  }
  const missing = COLUMNS[type].find((name) => !OPTIONAL.has(name) && !header.includes(name))
  if (missing !== undefined) throw new BulkFileError(`The column ${missing} is missing.`)
  const twice = header.find((name, index) => name !== '' && header.indexOf(name) !== index)
  if (twice !== undefined) throw new BulkFileError(`The column ${twice} appears twice.`)
  return header
}

function findProblem(cells: Readonly<Record<string, string>>, key: string): string | undefined {
  const missing = Object.entries(cells).find(([name, value]) => value === '' && !OPTIONAL.has(name))?.[0]
  if (missing !== undefined) return `The ${missing} is missing.`
  if (!AMOUNT.test(cells['amount'] ?? ''))
    return 'The amount must be in USD with a point before the cents and no separators, such as 1000.00.'
  if (key !== '' && !KEY.test(key)) return 'The key was changed. Take it from the result file again, or leave it empty.'
  return undefined
}

function toOperation(type: BulkType, cells: Readonly<Record<string, string>>): NewOperation {
  const { holderId = '', productId = '', cardId = '', amount = '', name = '' } = cells
  if (type === 'topup') return { type, amount, cardId }
  return { type, amount, productId, holderId, ...(name === '' ? {} : { name }) }
}

/** Two rows with one key would be one operation. */
function requireDistinct(rows: readonly BulkRow[]): void {
  const seen = new Map<string, number>()
  for (const { idempotencyKey, number } of rows) {
    const other = seen.get(idempotencyKey)
    if (other !== undefined) {
      throw new BulkFileError(
        `Rows ${other} and ${number} have the same key. Empty the key of a row that was copied, and it gets its own.`,
      )
    }
    seen.set(idempotencyKey, number)
  }
}
