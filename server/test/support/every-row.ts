// Reads every row of every table as JSON text, for tests that search the whole database.
import { sql } from '../../src/db/sql.ts'
import type { TestServer } from './harness.ts'

export interface AnyRow {
  readonly table: string
  /** Bytes are written as `\\x` and hexadecimal digits. */
  readonly line: string
}

export async function listEveryRow({ db }: Pick<TestServer, 'db'>): Promise<AnyRow[]> {
  const tables = await db.many<{ name: string }>(
    sql`select table_name as name from information_schema.tables where table_schema = current_schema() and table_type = 'BASE TABLE'`,
  )
  const rows = await Promise.all(
    tables.map(async ({ name }) => {
      const text = `select row_to_json(t)::text as line from ${name} t`
      const lines = await db.many<{ line: string }>({ name: undefined, text, values: [] })
      return lines.map(({ line }) => ({ table: name, line }))
    }),
  )
  return rows.flat()
}
