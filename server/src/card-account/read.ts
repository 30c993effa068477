// Reads the entries of a range for GET /account-statements. Must not write formats: source.ts, csv.ts and pdf.ts do.
import { DAY_MS, dayOf } from '@cardstock/sdk/statements'
import type { Db } from '../db/pool.ts'
import { ApiError } from '../errors.ts'
import type { Clock } from '../lib/clock.ts'
import { formatId } from '../lib/ids.ts'
import { must } from '../lib/invariant.ts'
import { formatCents } from '../lib/money.ts'
import type { Scope } from '../lib/scope.ts'
import { requireUnarchived } from './archived.ts'
import { findStatement, findSubjects, type StatementRow } from './queries.ts'
import type { DayRange } from '../http/day-range.ts'
import { ENTRIES_MAX } from './rules.ts'
import type { StatementSource } from './source.ts'

interface Deps {
  db: Db
  clock: Clock
}

export async function readSource({ db, clock }: Deps, scope: Scope, range: DayRange): Promise<StatementSource> {
  const row = must(await findStatement(db, scope, { from: range.start, until: range.until }, ENTRIES_MAX))
  await requireUnarchived(db, scope, range.start)
  if (row.too_many_at !== null) throw tooMany(row, row.too_many_at, range)
  return {
    lines: row.lines,
    frame: {
      company: { id: formatId('co', scope.companyId), name: row.company_name },
      environment: scope.environment,
      currency: 'USD',
      account: 'card_account',
      from: range.from,
      to: range.to,
      openingBalance: formatCents(row.opening),
      closingBalance: formatCents(row.closing),
      incoming: formatCents(row.incoming),
      outgoing: formatCents(row.outgoing),
      generatedAt: clock.now().toISOString(),
      proof: {
        firstNumber: Number(row.first_number),
        lastNumber: Number(row.last_number),
        openingHeld: formatCents(row.opening_held),
        hashBefore: row.hash_before.toString('hex'),
        hashAfter: row.hash_after.toString('hex'),
      },
    },
  }
}

/** Returns what the entries are about, as JSON text: for a PDF, the worker thread parses it. */
export async function readSubjects(
  { db }: Pick<Deps, 'db'>,
  scope: Scope,
  { frame }: StatementSource,
): Promise<string> {
  const { firstNumber, lastNumber } = frame.proof
  return must(await findSubjects(db, scope, { firstNumber, lastNumber })).subjects
}

/** SPEC: "when exceeded, the range must be narrowed": to the day before the day of the first entry above the limit. */
function tooMany(row: StatementRow, tooManyAt: Date, range: DayRange): ApiError {
  const count = Number(row.last_number - row.first_number) + 1
  const latest = dayOf(new Date(tooManyAt.getTime() - DAY_MS))
  const latestTo = latest < range.from ? null : latest
  const advice =
    latestTo === null
      ? `The day ${range.from} alone has more entries, so no statement can include it. Begin with another day.`
      : `Ask for the range up to ${latestTo}, then for the range after it.`
  return new ApiError(
    'statement_too_many_entries',
    `A statement has at most ${ENTRIES_MAX} entries, but this range has ${count}. ${advice}`,
    { param: latestTo === null ? 'from' : 'to', details: { count, latestTo } },
  )
}
