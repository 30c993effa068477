// Creates the tables of `cardstock issuer` in its database, unless they are there.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Db } from '../../db/pool.ts'
import { packagePath } from '../../lib/package-path.ts'

const FOLDER = packagePath('sql/adapter')

export async function createRecords(db: Db): Promise<void> {
  await createTables(db, 'records.sql')
}

/** Runs a file of sql/adapter/, which can be run again and again. */
export async function createTables(db: Db, file: string): Promise<void> {
  await db.run({ name: undefined, text: readFileSync(join(FOLDER, file), 'utf8'), values: [] })
}
