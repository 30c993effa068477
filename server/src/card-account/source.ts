// What the database returned for a statement, and the JSON document made of it. Plain values, so that they can be handed to
// a worker thread. Must not import the database or HTTP.
import type { StatementEntry } from '@cardstock/sdk'
import { entryIdStart, type StatementFrame } from '@cardstock/sdk/statements'
import type { Steps } from '../lib/steps.ts'
import { type EntryWriter, writeDocument } from './document.ts'
import { entriesBytesMax, type Lines, writeEntries } from './entries.ts'

export interface StatementSource {
  readonly frame: StatementFrame
  /** One line of text per entry, as account_statement writes them; null when there is none. */
  readonly lines: string | null
}

/** Returns the JSON document. */
export function writeStatement(source: StatementSource): Steps<Buffer> {
  return writeDocument(source.frame, writerOf(source))
}

/** Returns the entries, some at a time. */
export function* readEntries(source: StatementSource): Generator<StatementEntry[], void, void> {
  const { bytesMax, write } = writerOf(source)
  const out = Buffer.allocUnsafe(bytesMax)
  const parse = (start: number, end: number) =>
    JSON.parse(`[${out.toString('latin1', start, end)}]`) as StatementEntry[]
  let start = 0
  const steps = write(out, 0)
  let step = steps.next()
  for (; step.done !== true; step = steps.next()) {
    yield parse(start, step.value)
    // After the comma.
    start = step.value + 1
  }
  if (step.value > start) yield parse(start, step.value)
}

function writerOf({ frame, lines }: StatementSource): EntryWriter {
  const { firstNumber, lastNumber } = frame.proof
  const all: Lines = { lines: lines ?? '', firstNumber, lastNumber }
  const idStart = entryIdStart(frame.company.id, frame.environment)
  return { bytesMax: entriesBytesMax(all), write: (out, at) => writeEntries(all, idStart, out, at) }
}
