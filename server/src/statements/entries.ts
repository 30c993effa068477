// From the ledger's lines to the entries' JSON, byte by byte into one buffer: with a text per entry it took four times as
// long, most of it garbage collection, and was the larger part of a statement's time.
import { invariant } from '../lib/invariant.ts'
import { describeEntry } from './document.ts'
import { Transcriber } from './transcriber.ts'

/** Beside the cells of its line: the names of the fields, the id, the longest description, the sum, added zeros: 240 at most. */
const ADDED_BYTES_MAX = 320

// As bytes: characters of a text that was put together are reached at half the speed.
const BALANCE = Buffer.from('","balance":"')
const AVAILABLE_DELTA = Buffer.from('","availableDelta":"')
const HELD_DELTA = Buffer.from('","heldDelta":"')
const CREATED_AT = Buffer.from('","createdAt":"')
const END = Buffer.from('"},')

export interface Lines {
  /** One per entry, empty without entries; account_statement says what their cells are. */
  readonly lines: string
  readonly firstNumber: number
  readonly lastNumber: number
}

export function entriesBytesMax({ lines, firstNumber, lastNumber }: Lines): number {
  return lines.length + (lastNumber - firstNumber + 1) * ADDED_BYTES_MAX
}

/** Entries per step, which takes about a millisecond. */
export const STEP_ENTRIES = 500

/** Writes into `out` from `at` on, step by step. Yields and returns where it ended, before the next comma. */
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
    invariant(text.read < lines.length, 'a statement has other lines than entries')
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
  invariant(text.read === lines.length + 1, 'a statement has other lines than entries')
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
