// Reads what the entries of a page are about, with one statement.
import type { Db } from '../db/pool.ts'
import { must } from '../lib/invariant.ts'
import type { Scope } from '../lib/scope.ts'
import { type EntryRow, findSubjectsOf } from './queries.ts'
import { parseSubjects, type Subjects } from './subjects.ts'

export async function withSubjects(
  db: Db,
  scope: Scope,
  rows: readonly EntryRow[],
): Promise<(EntryRow & { subjects: Subjects })[]> {
  if (rows.length === 0) return []
  const subjects = parseSubjects(must(await findSubjectsOf(db, scope, rows)).subjects)
  return rows.map((row) => ({ ...row, subjects }))
}
