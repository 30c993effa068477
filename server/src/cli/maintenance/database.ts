// Opens the configured database for one command: the one in DATABASE_URL, or the private one, which it starts and stops. A
// command that may run beside a server uses the private database of that server.
import { join } from 'node:path'
import { findRunning, FolderInUseError, startPrivatePostgres } from '@cardstock/private-postgres'
import type { Config } from '../../config/config.ts'
import { type Connection, createPool, type Db } from '../../db/pool.ts'
import { PROGRAM } from '../../db/private-postgres.ts'
import { reachDatabase } from '../../db/reach.ts'
import { STATEMENT_TIMEOUT_MS } from '../../db/session-settings.ts'

/** What a shell reports for a program ended by Ctrl-C. */
const EXIT_INTERRUPTED = 130

export function privateFolder(config: Pick<Config, 'dataDir'>): string {
  return join(config.dataDir, 'postgres')
}

export async function withDatabase<Result>(
  config: Pick<Config, 'dataDir' | 'secrets'>,
  use: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  if (config.secrets.databaseUrl !== undefined) return use(await reachDatabase(config.secrets.databaseUrl))
  const folder = privateFolder(config)
  const database = await startPrivatePostgres({ program: PROGRAM, folder, durable: true, log: () => undefined })
  const interrupt = () => void database.stop().finally(() => process.exit(EXIT_INTERRUPTED))
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt)
  try {
    return await use(database.connection)
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt)
    await database.stop()
  }
}

/** Like withDatabase, but uses the private database beside a server that runs. */
export async function withSharedDatabase<Result>(
  config: Pick<Config, 'dataDir' | 'secrets'>,
  use: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  try {
    return await withDatabase(config, use)
  } catch (error) {
    if (!(error instanceof FolderInUseError)) throw error
  }
  return use(await findRunning(privateFolder(config), PROGRAM))
}

/** Opens a few connections to the database, beside a server that may run. */
export function withPool<Result>(
  config: Pick<Config, 'dataDir' | 'secrets'>,
  use: (db: Db) => Promise<Result>,
  statementTimeoutMs = STATEMENT_TIMEOUT_MS,
): Promise<Result> {
  return withSharedDatabase(config, async (connection) => {
    const db = createPool(connection, { size: 2, onError: () => undefined, statementTimeoutMs })
    try {
      return await use(db)
    } finally {
      await db.close()
    }
  })
}
