// Creates the tables of the reference issuer in its database, unless they are there.
import { readFileSync } from 'node:fs'
import type { Db } from '../../db/pool.ts'

const TABLES = new URL('../../../sql/reference_issuer.sql', import.meta.url)

export async function createReferenceTables(db: Db): Promise<void> {
  await db.run({ name: undefined, text: readFileSync(TABLES, 'utf8'), values: [] })
}
