// All SQL of statements. The figures come from one call, and so from one snapshot, also while money moves.
import type { Db } from '../db/pool.ts'
import { sql } from '../db/sql.ts'
import type { Scope } from '../lib/scope.ts'

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
    from public.account_statement(${scope.companyId}, ${scope.environment}, ${from}, ${until}, ${limit})`)
}

/** Returns names for the references of a range of entries. It is one JSON text, because thousands of rows would cost more. */
export function findLabels(db: Db, scope: Scope, range: { firstNumber: number; lastNumber: number }) {
  return db.find<{ labels: string }>(sql`
    select public.statement_labels(${scope.companyId}, ${scope.environment}, ${range.firstNumber}, ${range.lastNumber}) as labels`)
}
