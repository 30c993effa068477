// Compares a statement that was kept or received with the one that the server writes now for the same days. The hashes of a statement have
// no key, so that anybody can write one that is consistent in itself; only the server can say whether it is the server's.
import { amounts } from './amounts.ts'
import type { Statement, StatementEntry } from './generated/types.ts'
import { ENTRY_FIELDS } from './statements/fields.ts'

export interface StatementDifference {
  /** The field of the statement that was compared, such as `data[3].amount`. */
  readonly where: string
  /** What differs, in a sentence without a subject. */
  readonly problem: string
}

export interface StatementComparison {
  /** Empty if the server has the same. At most 20. */
  readonly differences: readonly StatementDifference[]
  /** How many entries the server has booked for these days since the statement was generated. */
  readonly laterEntries: number
}

/** The first differences show what is wrong; nobody would read more. */
const DIFFERENCES_MAX = 20
/** An entry gets its time before it waits for the account, for at most as long as a request may take. */
const BOOKING_MS_MAX = 60_000

/** Does not compare `generatedAt` and `digest`, which belong to one copy, nor `hashAfter` if there are later entries. */
export function compareStatements(saved: Statement, current: Statement): StatementComparison {
  const differences: StatementDifference[] = []
  const report = (where: string, problem: string) => differences.push({ where, problem })
  const expectSame = (where: string, value: unknown, expected: unknown) => {
    if (value !== expected) report(where, `is ${show(value)}, but the server has ${show(expected)}`)
  }
  expectSame('company.id', saved.company.id, current.company.id)
  expectSame('environment', saved.environment, current.environment)
  // Of another account everything differs, and says nothing.
  if (differences.length > 0) return { differences, laterEntries: 0 }
  expectSame('company.name', saved.company.name, current.company.name)
  for (const field of ['currency', 'account', 'from', 'to', 'openingBalance'] as const)
    expectSame(field, saved[field], current[field])
  for (const field of ['firstNumber', 'openingHeld', 'hashBefore'] as const)
    expectSame(`proof.${field}`, saved.proof[field], current.proof[field])

  const common = current.data.slice(0, saved.data.length)
  const later = current.data.slice(saved.data.length)
  for (const [index, entry] of common.entries())
    for (const field of ENTRY_FIELDS) expectSame(`data[${index}].${field}`, saved.data[index]?.[field], entry[field])
  if (saved.data.length > common.length)
    report(`data[${common.length}]`, `the server has only ${common.length} entries for these days`)
  const generatedMs = Date.parse(saved.generatedAt)
  const omitted = later.filter(({ createdAt }) => Date.parse(createdAt) < generatedMs - BOOKING_MS_MAX)
  if (omitted.length > 0)
    report('data', `leaves out entries that the server booked before generatedAt: ${omitted.length}`)

  for (const [field, expected] of Object.entries(totalsOf(current, common)))
    expectSame(field, saved[field as keyof Statement], expected)
  expectSame('proof.lastNumber', saved.proof.lastNumber, current.proof.firstNumber + common.length - 1)
  if (later.length === 0) expectSame('proof.hashAfter', saved.proof.hashAfter, current.proof.hashAfter)
  return { differences: differences.slice(0, DIFFERENCES_MAX), laterEntries: later.length - omitted.length }
}

/** The totals of the server's statement if it had ended after these entries. */
function totalsOf({ openingBalance }: Statement, entries: readonly StatementEntry[]) {
  const moved = entries.map(({ amount }) => amount)
  return {
    closingBalance: amounts.add(openingBalance, ...moved),
    incoming: amounts.add('0.00', ...moved.filter((amount) => !amount.startsWith('-'))),
    outgoing: amounts.subtract('0.00', amounts.add('0.00', ...moved.filter((amount) => amount.startsWith('-')))),
  }
}

/** Fields are texts and numbers. A file may have anything in their place. */
function show(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'missing')
}
