// Gives the whole run one PostgreSQL with a migrated template database that every test file clones: a private one, the one that
// TEST_DATABASE_URL names, or the Citus cluster whose coordinator TEST_CITUS_URL names.
import type { TestProject } from 'vitest/node'
import { migrate, type MigrateOptions } from '../../src/db/migrate.ts'
import { type Connection, createPool } from '../../src/db/pool.ts'
import { createReferenceTables } from '../../src/issuer/reference/tables.ts'
import { openCitus } from './citus.ts'
import { openGiven, openPrivate, type TestConnection, type TestPostgres } from './postgres.ts'

const TEMPLATE = 'cardstock_template'

declare module 'vitest' {
  export interface ProvidedContext {
    connection: TestConnection
    /** The other nodes, if Citus distributes the database. */
    workers: TestConnection[]
    /** The database that test files copy. The names of the copies begin with its name. */
    template: string
  }
}

export default async function setup(project: TestProject) {
  const postgres = await openPostgres()
  const template = await createTemplate(postgres)
  project.provide('connection', postgres.admin)
  project.provide('workers', [...postgres.workers])
  project.provide('template', template)
  return () => postgres.close()
}

function openPostgres(): Promise<TestPostgres> {
  const { TEST_CITUS_URL: citus, TEST_CITUS_AWAY: away, TEST_DATABASE_URL: url } = process.env
  if (citus !== undefined) return openCitus(citus, { isOneAway: away === 'true' })
  return url === undefined ? openPrivate() : openGiven(url)
}

/** Other runs may use the same PostgreSQL if it was given, so its template gets a name of its own. */
async function createTemplate({ admin, workers, isGiven, create, finish }: TestPostgres): Promise<string> {
  const template = isGiven ? `${TEMPLATE}_${process.pid}` : TEMPLATE
  await create(template)
  await prepareTemplate({ ...admin, database: template }, { citus: workers.length > 0 })
  await finish?.(template)
  return template
}

/** Some tests run the reference issuer on a copy, so the template has its tables too. */
export async function prepareTemplate(connection: Connection, options: MigrateOptions = {}): Promise<void> {
  await migrate(connection, options)
  const db = createPool(connection, { size: 1, onError: () => {} })
  await createReferenceTables(db)
  await db.close()
}
