// Makes a call of an issuer safe: one that throws or never answers leaves the outcome unknown, and what came back can be
// stored in the database.
import { toStorable } from '../lib/storable.ts'
import type { Unknown } from './port.ts'

/** Without a deadline the call bounds itself. */
export async function callWithin<Outcome extends { readonly kind: string }>(
  make: () => Promise<Outcome>,
  deadlineMs: number | undefined,
): Promise<Outcome | Unknown> {
  let timer: NodeJS.Timeout | undefined
  const deadline = new Promise<Unknown>((resolve) => {
    if (deadlineMs === undefined) return
    timer = setTimeout(() => resolve({ kind: 'unknown', reason: `no answer within ${deadlineMs} ms` }), deadlineMs)
  })
  try {
    return storable(await Promise.race([make(), deadline]))
  } catch (error) {
    return storable({ kind: 'unknown', reason: error instanceof Error ? error.message : String(error) })
  } finally {
    clearTimeout(timer)
  }
}

/** Replaces what PostgreSQL cannot store: such an answer would keep its operation open for ever. */
function storable<Outcome>(outcome: Outcome): Outcome {
  // Nearly every answer can be stored, and checking costs a tenth of copying.
  return isSuspect(outcome) ? (clean(outcome) as Outcome) : outcome
}

/** Matches U+0000 and halves of surrogate pairs. It also matches a whole pair, which clean() then keeps. */
const SUSPECT = /[\0\ud800-\udfff]/

function isSuspect(value: unknown): boolean {
  if (typeof value === 'string') return SUSPECT.test(value)
  if (typeof value !== 'object' || value === null) return false
  for (const name of Object.keys(value)) {
    if (SUSPECT.test(name) || isSuspect((value as Record<string, unknown>)[name])) return true
  }
  return false
}

/** Amounts and instants stay as they are: only text can hold what cannot be stored. */
function clean(value: unknown): unknown {
  if (typeof value === 'string') return JSON.parse(toStorable(JSON.stringify(value)))
  if (Array.isArray(value)) return value.map(clean)
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [String(clean(name)), clean(field)]))
}
