// GET /account-statements: reads the entries of a range and writes the document of them. Every format is made of its text.
import type { Db } from '../db/pool.ts'
import { ApiError } from '../errors.ts'
import type { Clock } from '../lib/clock.ts'
import { formatId } from '../lib/ids.ts'
import { must } from '../lib/invariant.ts'
import { formatCents } from '../lib/money.ts'
import type { Scope } from '../lib/scope.ts'
import { type EntryWriter, entryIdStart, writeDocument } from './document.ts'
import { entriesBytesMax, type Lines, writeEntries } from './entries.ts'
import { findStatement, type StatementRow } from './queries.ts'
import { DAY_MS, dayOf, ENTRIES_MAX, type StatementRange } from './rules.ts'

export async function readStatement(
  { db, clock }: { db: Db; clock: Clock },
  scope: Scope,
  range: StatementRange,
): Promise<Buffer> {
  const row = must(await findStatement(db, scope, { from: range.start, until: range.until }, ENTRIES_MAX))
  if (row.too_many_at !== null) throw tooMany(row, row.too_many_at, range)
  const companyId = formatId('co', scope.companyId)
  const { environment } = scope
  const firstNumber = Number(row.first_number)
  const lastNumber = Number(row.last_number)
  return writeDocument(
    {
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
      proof: {
        firstNumber,
        lastNumber,
        openingHeld: formatCents(row.opening_held),
        hashBefore: row.hash_before.toString('hex'),
        hashAfter: row.hash_after.toString('hex'),
      },
    },
    row.lines === null
      ? NO_ENTRIES
      : writerOf({ lines: row.lines, firstNumber, lastNumber }, entryIdStart(companyId, environment)),
  )
}

const NO_ENTRIES: EntryWriter = { bytesMax: 0, write: (_, at) => at }

function writerOf(lines: Lines, idStart: string): EntryWriter {
  return { bytesMax: entriesBytesMax(lines), write: (out, at) => writeEntries(lines, idStart, out, at) }
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
