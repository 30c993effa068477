// GET /account-statements: reads the entries of a range and makes the document of them. Every format is made of this.
import type { Db } from '../db/pool.ts'
import { ApiError } from '../errors.ts'
import type { Clock } from '../lib/clock.ts'
import { formatId } from '../lib/ids.ts'
import { invariant, present } from '../lib/invariant.ts'
import { formatCents } from '../lib/money.ts'
import type { Scope } from '../lib/scope.ts'
import { describeEntry, entryIds, finish, type Statement, type StatementEntry } from './document.ts'
import { findStatement, type StatementRow } from './queries.ts'
import type { EntryKind } from './rules.ts'
import { DAY_MS, dayOf, ENTRIES_MAX, type StatementRange } from './range.ts'

export async function readStatement(
  { db, clock }: { db: Db; clock: Clock },
  scope: Scope,
  range: StatementRange,
): Promise<{ statement: Statement; text: string }> {
  const row = present(await findStatement(db, scope, { from: range.start, until: range.until }, ENTRIES_MAX))
  if (row.too_many_at !== null) throw tooMany(row, row.too_many_at, range)
  const companyId = formatId('co', scope.companyId)
  const { environment } = scope
  const firstNumber = Number(row.first_number)
  return finish({
    company: { id: companyId, name: row.company_name },
    environment,
    currency: 'USD',
    account: 'card_account',
    from: range.from,
    to: range.to,
    openingBalance: formatCents(row.opening),
    closingBalance: formatCents(row.closing),
    incoming: formatCents(row.incoming),
    outgoing: formatCents(row.outgoing),
    generatedAt: clock.now().toISOString(),
    data: parseLines(row.lines, entryIds(companyId, environment), firstNumber),
    proof: {
      firstNumber,
      lastNumber: Number(row.last_number),
      openingHeld: formatCents(row.opening_held),
      hashBefore: row.hash_before.toString('hex'),
      hashAfter: row.hash_after.toString('hex'),
    },
  })
}

function parseLines(lines: string | null, idOf: (number: number) => string, firstNumber: number): StatementEntry[] {
  if (lines === null) return []
  // Entries of one batch share their instant, and writing an instant is the dearest part of an entry.
  let lastMs = ''
  let createdAt = ''
  return lines.split('\n').map((line, index) => {
    const [kind = '', prefix = '', reference = '', available = '', held = '', amount = '', balance = '', ms = ''] =
      line.split('|')
    if (ms !== lastMs) {
      lastMs = ms
      createdAt = new Date(Number(ms)).toISOString()
    }
    const description = describeEntry(kind, prefix)
    invariant(description !== undefined, `no description for a ${kind} of ${prefix}`)
    return {
      id: idOf(firstNumber + index),
      reference: `${prefix}_${reference}`,
      kind: kind as EntryKind,
      description,
      amount: placePoint(amount),
      balance: placePoint(balance),
      availableDelta: placePoint(available),
      heldDelta: placePoint(held),
      createdAt,
    }
  })
}

/** Cents as the database wrote them, "-5", to "-0.05": what formatCents does, without a bigint per figure. */
function placePoint(cents: string): string {
  if (cents.length > 3) return `${cents.slice(0, -2)}.${cents.slice(-2)}`
  return formatCents(BigInt(cents))
}

/** SPEC: "when exceeded, the range must be narrowed": to the day before the one that holds the first entry too many. */
function tooMany(row: StatementRow, tooManyAt: Date, range: StatementRange): ApiError {
  const count = Number(row.last_number - row.first_number) + 1
  const latest = dayOf(new Date(tooManyAt.getTime() - DAY_MS))
  const latestTo = latest < range.from ? null : latest
  const advice =
    latestTo === null
      ? `The day ${range.from} alone has more, so that no statement can begin with it; begin with another day.`
      : `Ask up to ${latestTo}, then from the day after it.`
  return new ApiError(
    'statement_too_many_entries',
    `A statement has at most ${ENTRIES_MAX} entries, this range has ${count}. ${advice}`,
    { details: { count, latestTo } },
  )
}
