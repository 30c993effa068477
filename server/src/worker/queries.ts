// The statement by which a worker asks all nodes of a distributed database for work.
import type { Db } from '../db/pool.ts'
import { sql } from '../db/sql.ts'

/** Returns the names of the jobs that have something to do. */
export async function listDueKinds(db: Db, now: Date): Promise<string[]> {
  const rows = await db.many<{ kind: string }>(sql`select kind from list_due_kinds(${now}) as kind`)
  return rows.map(({ kind }) => kind)
}
