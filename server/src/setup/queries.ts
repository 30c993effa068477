// SQL of the first start.
import type { Db } from '../db/pool.ts'
import { sql } from '../db/sql.ts'

/** Counts up to one of each. */
export function countStarted(db: Db) {
  return db.find<{ companies: number; operator_tokens: number }>(sql`
    select (select count(*)::int from (select 1 from company limit 1) c) as companies,
           (select count(*)::int from (select 1 from operator_token where revoked_at is null limit 1) t) as operator_tokens`)
}
