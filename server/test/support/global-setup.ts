// Starts one private PostgreSQL for the whole run, with a migrated template database that every test file clones.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { startEmbedded } from '../../src/db/embedded/start.ts'
import { migrate } from '../../src/db/migrate.ts'
import { type Connection, createPool } from '../../src/db/pool.ts'
import { createReferenceTables } from '../../src/issuer/reference/tables.ts'

export const TEMPLATE = 'cardstock_template'

declare module 'vitest' {
  export interface ProvidedContext {
    connection: { host: string; port: number; user: string; database: string; password?: string }
  }
}

export default async function setup(project: TestProject) {
  const folder = mkdtempSync(join(tmpdir(), 'cardstock test '))
  const database = await startEmbedded({ folder: join(folder, 'postgres'), durable: false, log: () => {} })
  const client = new pg.Client(database.superuser)
  await client.connect()
  await client.query(`create database ${TEMPLATE}`)
  await client.end()
  await prepareTemplate({ ...database.superuser, database: TEMPLATE })
  project.provide('connection', database.superuser)
  return async () => {
    await database.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Some tests run the reference issuer on a copy, so the template has its tables too. */
export async function prepareTemplate(connection: Connection): Promise<void> {
  await migrate(connection)
  const db = createPool(connection, { size: 1, onError: () => {} })
  await createReferenceTables(db)
  await db.close()
}
