// Creates the tables of USDT on TRON in the adapter's database, unless they are there.
import { readFileSync } from 'node:fs'
import type { Db } from '../../db/pool.ts'

const TABLES = new URL('../../../sql/adapter/tron.sql', import.meta.url)

export async function createTronTables(db: Db): Promise<void> {
  await db.run({ name: undefined, text: readFileSync(TABLES, 'utf8'), values: [] })
}
