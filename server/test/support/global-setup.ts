// Gives the whole run one PostgreSQL with a migrated template database that every test file clones: a private one, or the one that
// TEST_DATABASE_URL names.
import type { TestProject } from 'vitest/node'
import { migrate } from '../../src/db/migrate.ts'
import { type Connection, createPool } from '../../src/db/pool.ts'
import { createReferenceTables } from '../../src/issuer/reference/tables.ts'
import { openGiven, openPrivate, type TestPostgres } from './postgres.ts'

export const TEMPLATE = 'cardstock_template'

declare module 'vitest' {
  export interface ProvidedContext {
    connection: { host: string; port: number; user: string; database: string; password?: string }
    template: string
  }
}

export default async function setup(project: TestProject) {
  const url = process.env['TEST_DATABASE_URL']
  const postgres = url === undefined ? await openPrivate() : await openGiven(url)
  const template = await createTemplate(postgres)
  project.provide('connection', postgres.admin)
  project.provide('template', template)
  return () => postgres.close()
}

/** Other runs may use the same PostgreSQL if it was given, so its template gets a name of its own. */
async function createTemplate({ admin, isGiven, create }: TestPostgres): Promise<string> {
  const template = isGiven ? `${TEMPLATE}_${process.pid}` : TEMPLATE
  await create(template)
  await prepareTemplate({ ...admin, database: template })
  return template
}

/** Some tests run the reference issuer on a copy, so the template has its tables too. */
export async function prepareTemplate(connection: Connection): Promise<void> {
  await migrate(connection)
  const db = createPool(connection, { size: 1, onError: () => {} })
  await createReferenceTables(db)
  await db.close()
}
