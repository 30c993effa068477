// Describes the indexes of the largest tables: how many pages a look-up passes through now, and with ten times the rows.
import type { Db } from '../../../server/src/db/pool.ts'
import { sql } from '../../../server/src/db/sql.ts'

/** A page of 8 kB has at least this many children: the largest key, of the idempotency keys, takes 80 bytes. */
const CHILDREN = 100

interface IndexRow {
  name: string
  rows: number
  pages: number
}

/** Returns a line per index, the largest first. */
export async function describeIndexes(db: Db): Promise<string> {
  const rows = await db.many<IndexRow>(sql`
    select i.indexrelid::regclass::text as name, c.reltuples::float8 as rows, c.relpages as pages
    from pg_index i join pg_class c on c.oid = i.indexrelid join pg_class t on t.oid = i.indrelid
    where t.relname in ('entry', 'operation', 'event', 'delivery', 'webhook_attempt') and c.relpages > 100
    order by c.relpages desc`)
  const lines = rows.map(({ name, rows: count, pages }) =>
    [name, count.toExponential(1), String(pages), String(levelsOf(pages)), String(levelsOf(pages * 10))].join(' | '),
  )
  return ['index | entries | pages | levels | levels with ten times as many', ...lines]
    .map((line) => `| ${line} |`)
    .join('\n')
}

/** The root is a level, and so are the leaves. */
function levelsOf(pages: number): number {
  return pages <= 1 ? 1 : 1 + levelsOf(Math.ceil(pages / CHILDREN))
}
