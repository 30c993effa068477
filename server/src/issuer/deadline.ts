// A call of an issuer, made safe: one that throws or never answers has left the outcome open, and what came back can be
// stored.
import { toStorable } from '../lib/storable.ts'
import type { InvoiceOutcome, IssuerOutcome } from './port.ts'

interface Unknown {
  readonly kind: 'unknown'
  readonly reason: string
}

export async function withDeadline<Outcome extends IssuerOutcome | InvoiceOutcome>(
  call: Promise<Outcome>,
  deadlineMs: number,
): Promise<Outcome | Unknown> {
  let timer: NodeJS.Timeout | undefined
  const deadline = new Promise<Unknown>((resolve) => {
    timer = setTimeout(() => resolve({ kind: 'unknown', reason: `no answer within ${deadlineMs} ms` }), deadlineMs)
  })
  try {
    return storable(await Promise.race([call, deadline]))
  } catch (error) {
    return storable({ kind: 'unknown', reason: error instanceof Error ? error.message : String(error) })
  } finally {
    clearTimeout(timer)
  }
}

/** Without what PostgreSQL cannot hold: an answer that cannot be stored would keep its operation open for ever. */
function storable<Outcome>(outcome: Outcome): Outcome {
  // Nearly every answer can be stored, and looking costs a tenth of copying.
  return isSuspect(outcome) ? (clean(outcome) as Outcome) : outcome
}

/** U+0000, and halves of surrogate pairs: a whole pair looks like two of them and is looked at again. */
const SUSPECT = /[\0\ud800-\udfff]/

function isSuspect(value: unknown): boolean {
  if (typeof value === 'string') return SUSPECT.test(value)
  if (typeof value !== 'object' || value === null) return false
  for (const name of Object.keys(value)) {
    if (SUSPECT.test(name) || isSuspect((value as Record<string, unknown>)[name])) return true
  }
  return false
}

/** Amounts and instants stay what they are: only text can hold what cannot be stored. */
function clean(value: unknown): unknown {
  if (typeof value === 'string') return JSON.parse(toStorable(JSON.stringify(value)))
  if (Array.isArray(value)) return value.map(clean)
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [String(clean(name)), clean(field)]))
}
