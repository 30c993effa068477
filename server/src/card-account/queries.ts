// All SQL of statements. The figures come from one call, and so from one snapshot, also while money moves.
import type { Db } from '../db/pool.ts'
import { fragment, planEachTime, sql } from '../db/sql.ts'
import { type Prefix, timeInId } from '../lib/ids.ts'
import type { Scope } from '../lib/scope.ts'
import { readInWindows, WINDOW_ROWS } from '../lib/windows.ts'
import type { EntryKind } from './rules.ts'

/** The columns of an entry `e`. */
const ENTRY_COLUMNS = fragment`e.number, e.kind, e.reference, e.reference_type, e.available_delta, e.held_delta, e.balance, e.created_at`
/** The columns of an entry `n` that a list has found. */
const LISTED_ENTRY_COLUMNS = fragment`n.number, n.kind, n.reference, n.reference_type, n.available_delta, n.held_delta, n.balance, n.created_at`

export interface StatementRow {
  company_name: string
  first_number: bigint
  last_number: bigint
  opening: bigint
  opening_held: bigint
  closing: bigint
  incoming: bigint
  outgoing: bigint
  hash_before: Buffer
  hash_after: Buffer
  /** The time of the first entry above the limit, if there is one. Then only the numbers and the name are not null. */
  too_many_at: Date | null
  /** One line per entry; null when there is none. */
  lines: string | null
}

export function findStatement(db: Db, scope: Scope, { from, until }: { from: Date; until: Date }, limit: number) {
  return db.find<StatementRow>(sql`
    select company_name, first_number, last_number, opening, opening_held, closing, incoming, outgoing, hash_before, hash_after,
           too_many_at, lines
    from account_statement(${scope.companyId}, ${scope.environment}, ${from}, ${until}, ${limit})`)
}

/** Returns the time of the newest entry that is archived. */
export function findArchivedUntil(db: Db, scope: Scope) {
  return db.find<{ last_at: Date }>(sql`
    select last_at from entry_archive where company_id = ${scope.companyId} and environment = ${scope.environment}
    order by number desc limit 1`)
}

export interface DayRow {
  day: string
  balance: bigint
  held: bigint
}

export function listDays(db: Db, scope: Scope, from: Date, days: number) {
  return db.many<DayRow>(sql`
    select day::text as day, balance, held
    from balance_history(${scope.companyId}, ${scope.environment}, ${from}, ${days})`)
}

export interface EntryFilter {
  from: Date | null
  until: Date | null
  kind: string | undefined
  /** `balance`: without reservations and releases. */
  moves?: string | undefined
  reference: string | undefined
}

export interface EntryRow {
  number: bigint
  kind: EntryKind
  reference: string
  reference_type: Prefix
  available_delta: bigint
  held_delta: bigint
  balance: bigint
  created_at: Date
}

export interface EntrySlice {
  below: bigint
  limit: number
}

/** The kinds that the index by kind has. Nearly all entries are of the others. */
const RARE_KINDS: ReadonlySet<string> = new Set<EntryKind>(['deposit', 'release', 'adjustment'])

/** Entries are numbered in the order of time, so the days become a range of numbers and the primary key is the order. */
export function listEntries(db: Db, scope: Scope, filter: EntryFilter, slice: EntrySlice): Promise<EntryRow[]> {
  if (filter.reference !== undefined) return listEntriesOf(db, scope, filter, filter.reference, slice)
  if (filter.kind !== undefined && RARE_KINDS.has(filter.kind))
    return listEntriesByKind(db, scope, filter, filter.kind, slice)
  if (filter.kind === undefined && filter.moves === undefined) return listEntriesByNumber(db, scope, filter, slice)
  return readInWindows({
    after: slice.below,
    limit: slice.limit,
    findEnd: async (below) => (await findEntryAhead(db, scope, filter, below))?.number,
    read: (below, end, limit) => listEntriesByNumber(db, scope, filter, { below, limit, end }),
  })
}

function findEntryAhead(db: Db, scope: Scope, filter: EntryFilter, below: bigint) {
  return db.find<{ number: bigint }>(
    planEachTime(sql`
      select f.number from entry_range(${scope.companyId}, ${scope.environment}, ${filter.from}, ${filter.until}) r
      -- They are numbered without gaps.
      cross join lateral (select least(r.last_number + 1, ${below}::bigint) - ${WINDOW_ROWS}::integer as number) f
      where f.number > r.first_number`),
  )
}

function listEntriesByNumber(
  db: Db,
  scope: Scope,
  filter: EntryFilter,
  slice: EntrySlice & { end?: bigint | undefined },
) {
  return db.many<EntryRow>(
    planEachTime(sql`
      select ${ENTRY_COLUMNS}
      from entry_range(${scope.companyId}, ${scope.environment}, ${filter.from}, ${filter.until}) r
      cross join lateral (
        select ${LISTED_ENTRY_COLUMNS} from entry n
        where n.company_id = ${scope.companyId} and n.environment = ${scope.environment}
          and n.number >= r.first_number and n.number <= r.last_number and n.number < ${slice.below} and n.number >= ${slice.end ?? 0n}
          and (${filter.kind}::text is null or n.kind = ${filter.kind})
          and (${filter.moves}::text is null or n.kind not in ('reservation', 'release'))
        order by n.number desc limit ${slice.limit}
      ) e
      order by e.number desc`),
  )
}

function listEntriesByKind(db: Db, scope: Scope, filter: EntryFilter, kind: string, slice: EntrySlice) {
  return db.many<EntryRow>(
    planEachTime(sql`
      select ${ENTRY_COLUMNS}
      from entry_range(${scope.companyId}, ${scope.environment}, ${filter.from}, ${filter.until}) r
      cross join lateral list_numbers_by_kind(${scope.companyId}, ${scope.environment}, ${kind}, r.first_number,
        least(r.last_number, ${slice.below}::bigint - 1), ${slice.limit}) f
      cross join lateral (
        select number, kind, reference, reference_type, available_delta, held_delta, balance, created_at from entry
        where company_id = ${scope.companyId} and environment = ${scope.environment} and number = f.number offset 0
      ) e
      where ${filter.moves}::text is null or e.kind not in ('reservation', 'release')
      order by e.number desc`),
  )
}

/**
 * The entries of one object: each kind but reservations has an index by reference. A reservation is written when its operation is
 * created, so that it is the first of its kind and reference after that time, and the primary key finds it.
 */
function listEntriesOf(db: Db, scope: Scope, filter: EntryFilter, reference: string, slice: EntrySlice) {
  return db.many<EntryRow>(
    planEachTime(sql`
      with found as (
        select ${LISTED_ENTRY_COLUMNS} from entry n
        where n.company_id = ${scope.companyId} and n.environment = ${scope.environment} and n.reference = ${reference} and n.kind = 'deposit'
        union all
        select ${LISTED_ENTRY_COLUMNS} from entry n
        where n.company_id = ${scope.companyId} and n.environment = ${scope.environment} and n.reference = ${reference} and n.kind = 'fee'
        union all
        select ${LISTED_ENTRY_COLUMNS} from entry n
        where n.company_id = ${scope.companyId} and n.environment = ${scope.environment} and n.reference = ${reference}
          and n.kind in ('capture', 'release')
        union all
        select ${LISTED_ENTRY_COLUMNS} from entry n
        where n.company_id = ${scope.companyId} and n.environment = ${scope.environment} and n.reference = ${reference} and n.kind = 'adjustment'
        union all
        (select ${LISTED_ENTRY_COLUMNS} from entry n
         where n.company_id = ${scope.companyId} and n.environment = ${scope.environment} and n.reference = ${reference} and n.kind = 'reservation'
           and n.number >= first_entry_at(${scope.companyId}, ${scope.environment}, (
             select a.sequence from account a where a.company_id = ${scope.companyId} and a.environment = ${scope.environment}
           ), ${timeInId(reference)})
           and exists (
             select from operation o
             where o.company_id = ${scope.companyId} and o.environment = ${scope.environment} and o.id = ${reference})
         order by n.number limit 1)
      )
      select ${ENTRY_COLUMNS}
      from entry_range(${scope.companyId}, ${scope.environment}, ${filter.from}, ${filter.until}) r
      join found e on e.number >= r.first_number and e.number <= r.last_number
      where e.number < ${slice.below} and (${filter.kind}::text is null or e.kind = ${filter.kind})
        and (${filter.moves}::text is null or e.kind not in ('reservation', 'release'))
      order by e.number desc limit ${slice.limit}`),
  )
}

/** Returns what the entries of a range are about, as JSON text. */
export function findSubjects(db: Db, scope: Scope, range: { firstNumber: number; lastNumber: number }) {
  return db.find<{ subjects: string }>(sql`
    select entry_subjects(${scope.companyId}, ${scope.environment}, ${range.firstNumber}, ${range.lastNumber}, null, null) as subjects`)
}

/** Returns what these entries are about, as JSON text. */
export function findSubjectsOf(
  db: Db,
  scope: Scope,
  entries: readonly Pick<EntryRow, 'reference' | 'reference_type'>[],
) {
  return db.find<{ subjects: string }>(sql`
    select entry_subjects(${scope.companyId}, ${scope.environment}, null, null,
      ${entries.map((entry) => entry.reference)}, ${entries.map((entry) => entry.reference_type)}) as subjects`)
}
