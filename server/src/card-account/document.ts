// Writes the JSON document of a statement. What its text consists of, and what its digest covers, is defined in the SDK, where whoever
// checks a statement finds it.
import { createHash } from 'node:crypto'
import { type StatementFrame, writeFrame } from '@cardstock/sdk/statements'
import type { Steps } from '../lib/steps.ts'

export interface EntryWriter {
  readonly bytesMax: number
  /** Writes the entries step by step, beginning at `at`. Yields the end of each step, and returns the last one. */
  write(out: Buffer, at: number): Generator<number, number, void>
}

/** Writes the text of the document. It uses a single buffer, because a second one of megabytes would cost more than the writing. */
export function* writeDocument(frame: StatementFrame, entries: EntryWriter): Steps<Buffer> {
  const { before, after } = writeFrame(frame)
  const out = Buffer.allocUnsafe(Buffer.byteLength(before) + entries.bytesMax + after.length + DIGEST_BYTES_MAX)
  const hash = createHash('sha256')
  let end = 0
  const hashUpTo = (next: number) => {
    hash.update(out.subarray(end, next))
    end = next
  }
  const steps = entries.write(out, out.write(before))
  let step = steps.next()
  for (; step.done !== true; step = steps.next()) {
    hashUpTo(step.value)
    yield
  }
  hashUpTo(step.value + out.write(after, step.value))
  end += out.write(`,"digest":"${hash.digest('hex')}"}}`, end - BRACES.length) - BRACES.length
  return out.subarray(0, end)
}

/** What the document ends with; the digest goes before it. */
const BRACES = '}}'
/** The digest with its name and the braces takes 78. */
const DIGEST_BYTES_MAX = 100
