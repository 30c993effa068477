// Gives the whole run one PostgreSQL with a migrated template database that every test file clones: a private one, the one that
// TEST_DATABASE_URL names, or the Citus cluster whose coordinator TEST_CITUS_URL names. With TEST_SCHEMA, the tests work in a schema
// of that name, as a role that owns nothing else.
import type { TestProject } from 'vitest/node'
import { migrate, type MigrateOptions } from '../../src/db/migrate.ts'
import { type Connection, createPool } from '../../src/db/pool.ts'
import { createRecords, createTables } from '../../src/adapter/records/tables.ts'
import { openCitus } from './citus.ts'
import { openGiven, openPrivate, query, type TestConnection, type TestPostgres } from './postgres.ts'

const TEMPLATE = 'cardstock_template'

declare module 'vitest' {
  export interface ProvidedContext {
    connection: TestConnection
    /** The other nodes, if Citus distributes the database. */
    workers: TestConnection[]
    /** The database that test files copy. The names of the copies begin with its name. */
    template: string
    /** The same in a schema of another name, with the role that owns that schema and nothing else; not on Citus. */
    ownedTemplate: OwnedTemplate | null
  }
}

export interface OwnedTemplate {
  template: string
  user: string
  password: string
  /** Whether every test that copies the template uses this one. Otherwise only the contract tests do. */
  isForAll: boolean
}

/** It needs quotes everywhere, so a place that forgets them fails. */
const OTHER_SCHEMA = 'Other schema'

export default async function setup(project: TestProject) {
  const postgres = await openPostgres()
  const template = await createTemplate(postgres)
  const owned = postgres.workers.length === 0 ? await createOwnedTemplate(postgres, template) : null
  project.provide('connection', postgres.admin)
  project.provide('workers', [...postgres.workers])
  project.provide('template', template)
  project.provide('ownedTemplate', owned)
  return async () => {
    await postgres.close(owned?.user)
  }
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

/** What docs/operating.md promises: the role owns a schema and nothing else, and its search path leads there. */
async function createOwnedTemplate({ admin, create }: TestPostgres, template: string): Promise<OwnedTemplate> {
  const { TEST_SCHEMA: schema = OTHER_SCHEMA } = process.env
  const owned = { template: `${template}_owned`, user: `${template}_owner`, password: 'secret' }
  await create(owned.template)
  await query(admin, `create role ${owned.user} login password '${owned.password}'`)
  await query(admin, `alter role ${owned.user} set search_path = "${schema}"`)
  await query({ ...admin, database: owned.template }, `create schema "${schema}" authorization ${owned.user}`)
  const inTemplate = { ...admin, database: owned.template }
  await migrate({ ...inTemplate, user: owned.user, password: owned.password })
  // The role may not create the schema of the reference issuer, which is another program's.
  await addReferenceTables(inTemplate)
  for (const what of ['schema', 'all tables in schema', 'all sequences in schema'])
    await query(inTemplate, `grant all on ${what} issuer_adapter to ${owned.user}`)
  return { ...owned, isForAll: process.env['TEST_SCHEMA'] !== undefined }
}

/** Some tests run the reference issuer on a copy, so the template has its tables too. */
export async function prepareTemplate(connection: Connection, options: MigrateOptions = {}): Promise<void> {
  await migrate(connection, options)
  await addReferenceTables(connection)
}

async function addReferenceTables(connection: Connection): Promise<void> {
  const db = createPool(connection, { size: 1, onError: () => {} })
  await createRecords(db)
  // A test prepares every statement in the sources, those of the adapter too.
  for (const file of ['tron.sql', 'kernel.sql']) await createTables(db, file)
  await db.close()
}
