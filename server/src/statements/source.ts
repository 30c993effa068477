// What the database returned for a statement, and the JSON document made of it. Plain values, so that they can be handed to
// a worker thread. Must not import the database or HTTP.
import { type EntryWriter, entryIdStart, type Frame, writeDocument } from './document.ts'
import { entriesBytesMax, type Lines, writeEntries } from './entries.ts'

export interface StatementSource {
  readonly frame: Frame
  /** One line of text per entry, as account_statement writes them; null when there is none. */
  readonly lines: string | null
}

/** Returns the JSON document, which every other format is made of. */
export function writeStatement({ frame, lines }: StatementSource): Buffer {
  if (lines === null) return writeDocument(frame, NO_ENTRIES)
  const { firstNumber, lastNumber } = frame.proof
  const idStart = entryIdStart(frame.company.id, frame.environment)
  return writeDocument(frame, writerOf({ lines, firstNumber, lastNumber }, idStart))
}

const NO_ENTRIES: EntryWriter = { bytesMax: 0, write: (_, at) => at }

function writerOf(lines: Lines, idStart: string): EntryWriter {
  return { bytesMax: entriesBytesMax(lines), write: (out, at) => writeEntries(lines, idStart, out, at) }
}
