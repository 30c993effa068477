// Writes the JSON of a statement's entries from the lines that the database returns, byte by byte into one buffer. Building
// a string per entry took four times as long, mostly for garbage collection, and was most of a statement's time.
import { describeEntry } from '@cardstock/sdk/statements'
import { invariant } from '../lib/invariant.ts'
import { Transcriber } from './transcriber.ts'

/** Bytes that an entry has besides the cells of its line: field names, id, description, sum and zeros. At most 240 are needed. */
const ADDED_BYTES_MAX = 320

// Bytes, because reading the characters of a concatenated string takes twice as long.
const BALANCE = Buffer.from('","balance":"')
const AVAILABLE_DELTA = Buffer.from('","availableDelta":"')
const HELD_DELTA = Buffer.from('","heldDelta":"')
const CREATED_AT = Buffer.from('","createdAt":"')
const END = Buffer.from('"},')

export interface Lines {
  /** One line per entry; empty without entries. account_statement explains the cells. */
  readonly lines: string
  readonly firstNumber: number
  readonly lastNumber: number
}

export function entriesBytesMax({ lines, firstNumber, lastNumber }: Lines): number {
  return lines.length + (lastNumber - firstNumber + 1) * ADDED_BYTES_MAX
}

/** Entries per step, which takes about a millisecond. */
export const STEP_ENTRIES = 500

/** Writes into `out` step by step, beginning at `at`. Yields the end of each step, before the next comma, and returns the last one. */
export function* writeEntries(
  { lines, firstNumber, lastNumber }: Lines,
  idStart: string,
  out: Buffer,
  at: number,
): Generator<number, number, void> {
  if (lines === '' && lastNumber < firstNumber) return at
  const start = Buffer.from(`{"id":"${idStart}`)
  const labelsOf = createLabels()
  const text = new Transcriber(lines, out, at)
  for (let number = firstNumber; number <= lastNumber; number += 1) {
    invariant(text.read < lines.length, 'the lines of a statement do not match its entries')
    text.put(start)
    text.putNumber(number)
    const labels = labelsOf(text.takePair())
    text.put(labels.reference)
    text.copyReference()
    text.put(labels.kind)
    text.putSum()
    text.put(BALANCE)
    text.copyAmount()
    text.put(AVAILABLE_DELTA)
    text.copyAmount()
    text.put(HELD_DELTA)
    text.copyAmount()
    text.put(CREATED_AT)
    text.copyInstant()
    text.put(END)
    if ((number - firstNumber + 1) % STEP_ENTRIES === 0) yield text.written - 1
  }
  // A buffer silently drops what is written past its end, and a remaining line would be a missing entry.
  invariant(text.written <= out.length, 'the entries of a statement outgrew their buffer')
  invariant(text.read === lines.length + 1, 'the lines of a statement do not match its entries')
  // No comma after the last one.
  return text.written - 1
}

interface Labels {
  readonly reference: Buffer
  readonly kind: Buffer
}

/** What follows from the first two cells, kind and prefix, made once for each pair of them. */
function createLabels(): (pair: string) => Labels {
  const known = new Map<string, Labels>()
  return (pair) => {
    let labels = known.get(pair)
    if (labels === undefined) {
      const [kind = '', prefix = ''] = pair.split('|')
      labels = {
        reference: Buffer.from(`","reference":"${prefix}_`),
        kind: Buffer.from(`","kind":"${kind}","description":"${describeEntry(kind, prefix) ?? ''}","amount":"`),
      }
      known.set(pair, labels)
    }
    return labels
  }
}
