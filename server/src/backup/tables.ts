// Which tables a backup has, in an order in which they can be filled: a table comes after those that its rows refer to.
import type pg from 'pg'
import { COORDINATOR_KEYS } from '../db/citus/layout.ts'
import { readSqlFiles } from '../db/sql-files.ts'
import { listTableRows, type TableRow } from './queries.ts'

/** The migrations themselves fill it; the manifest lists them. */
export const NOT_IN_BACKUP = 'schema_file'

/** The tables that migrations create. Others in the database are not ours. */
export function listOwnTables(): Set<string> {
  const text = readSqlFiles('migrations')
    .map((file) => file.text)
    .join('\n')
  const made = text.matchAll(/\bcreate table (?:if not exists )?(\w+)[ (]/g)
  return new Set([...made].map(([, name = '']) => name))
}

export async function listTables(client: pg.Client): Promise<TableRow[]> {
  const own = listOwnTables()
  const rows = await listTableRows(client)
  return parentsFirst(rows.filter(({ name }) => name !== NOT_IN_BACKUP && own.has(name)))
}

/** The tables that rows refer to by keys that Citus does not have. The database that is restored has them. */
const listLeftOut = ({ name }: TableRow) =>
  COORDINATOR_KEYS.filter(({ table }) => table === name).map((key) => key.target)

/** A cycle would need deferred constraints, and the schema has none. */
function parentsFirst(rows: readonly TableRow[]): TableRow[] {
  const ordered = new Map<string, TableRow>()
  const byName = new Map(rows.map((row) => [row.name, row]))
  const visit = (row: TableRow) => {
    for (const parent of [...row.parents, ...listLeftOut(row)]) {
      const found = byName.get(parent)
      if (found !== undefined && !ordered.has(parent)) visit(found)
    }
    ordered.set(row.name, row)
  }
  for (const row of rows) if (!ordered.has(row.name)) visit(row)
  return [...ordered.values()]
}
