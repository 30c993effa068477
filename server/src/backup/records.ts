// The content of a backup before it is compressed and encrypted: a manifest, the rows of each table, and an end. Each record is
// a letter, a length and its bytes.
import { BackupError } from './error.ts'

/** M: manifest, T: a table begins, D: rows of it, E: the table ends, Z: the backup ends. */
export type RecordType = 'M' | 'T' | 'D' | 'E' | 'Z'

export interface BackupRecord {
  readonly type: RecordType
  readonly bytes: Buffer
}

/** What a restore must know before it changes anything. */
export interface Manifest {
  readonly format: 1
  /** The version of Cardstock that wrote the backup. */
  readonly version: string
  readonly createdAt: string
  /** The migrations that the database had. */
  readonly migrations: readonly string[]
  /** The check value of the current secret key in hex; null if the database had none yet. */
  readonly secretKeyCheck: string | null
}

export interface TableStart {
  readonly name: string
  readonly columns: readonly string[]
}

const HEAD_BYTES = 5
const RECORD_BYTES_MAX = 1024 * 1024

export function writeRecord(type: RecordType, content: Buffer | object): Buffer {
  const bytes = Buffer.isBuffer(content) ? content : Buffer.from(JSON.stringify(content))
  const head = Buffer.alloc(HEAD_BYTES)
  head.write(type, 'latin1')
  head.writeUInt32BE(bytes.length, 1)
  return Buffer.concat([head, bytes])
}

/** Splits rows into records that a reader accepts. */
export function* writeRows(rows: Buffer): Generator<Buffer> {
  for (let from = 0; from < rows.length; from += RECORD_BYTES_MAX) {
    yield writeRecord('D', rows.subarray(from, from + RECORD_BYTES_MAX))
  }
}

export async function* readRecords(source: AsyncIterable<Buffer>): AsyncGenerator<BackupRecord> {
  let waiting: Buffer = Buffer.alloc(0)
  for await (const chunk of source) {
    waiting = waiting.length === 0 ? chunk : Buffer.concat([waiting, chunk])
    while (waiting.length >= HEAD_BYTES) {
      const length = waiting.readUInt32BE(1)
      if (length > RECORD_BYTES_MAX) throw new BackupError('The backup is not in the expected format.')
      if (waiting.length < HEAD_BYTES + length) break
      const type = waiting.toString('latin1', 0, 1) as RecordType
      yield { type, bytes: waiting.subarray(HEAD_BYTES, HEAD_BYTES + length) }
      waiting = waiting.subarray(HEAD_BYTES + length)
    }
  }
  if (waiting.length > 0) throw new BackupError('The backup ends within a record.')
}

/** Returns the content of a record that is not rows. */
export function parseRecord({ bytes }: BackupRecord): unknown {
  return JSON.parse(bytes.toString('utf8'))
}
