// A private PostgreSQL for a proof that runs by itself, with a migrated template from which it makes throw-away databases.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { startPrivatePostgres } from '@cardstock/private-postgres'
import pg from 'pg'
import type { Connection } from '../../../src/db/pool.ts'
import { PROGRAM } from '../../../src/db/private-postgres.ts'
import { prepareTemplate } from '../../support/global-setup.ts'
import { makeMemoryFolder, MEMORY_SETTINGS } from '../../support/memory-folder.ts'
import type { TestConnection } from '../../support/postgres.ts'

export const TEMPLATE = 'proof_template'

export interface TestDatabase {
  readonly connection: Connection
  drop(): Promise<void>
}

const SETTINGS = {
  // Statistics that are gathered at some moment would change plans, and with them the order of rows.
  autovacuum: 'off',
  // Tests that were ended on a mutant leave connections behind for a while.
  max_connections: '300',
  ...MEMORY_SETTINGS,
}

/** Also ends the cluster, and then the process, when somebody interrupts it. */
export async function withCluster<Value>(use: (superuser: TestConnection) => Promise<Value>): Promise<Value> {
  const folder = makeMemoryFolder('cardstock-proof-')
  const postgres = join(folder, 'postgres')
  const server = await startPrivatePostgres({
    program: PROGRAM,
    folder: postgres,
    durable: false,
    log: () => {},
    settings: SETTINGS,
  })
  const cleanUp = async () => {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  const interrupt = () => void cleanUp().finally(() => process.exit(130))
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt)
  try {
    await asAdmin(server.superuser, `create database ${TEMPLATE}`)
    await prepareTemplate({ ...server.superuser, database: TEMPLATE })
    return await use(server.superuser)
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt)
    await cleanUp()
  }
}

/** Makes a migrated database. The name must be unused. */
export async function createDatabase(superuser: Connection, name: string): Promise<TestDatabase> {
  await asAdmin(superuser, `create database ${name} template ${TEMPLATE}`)
  return {
    connection: { ...superuser, database: name },
    drop: () => asAdmin(superuser, `drop database ${name} with (force)`),
  }
}

async function asAdmin(superuser: Connection, statement: string): Promise<void> {
  const client = new pg.Client(superuser)
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
