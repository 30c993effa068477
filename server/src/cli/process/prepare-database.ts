// Prepares the database of `cardstock serve`: finds or starts it, and migrates its schema.
import { startPrivatePostgres } from '@cardstock/private-postgres'
import type { Config } from '../../config/config.ts'
import { migrate } from '../../db/migrate.ts'
import type { Connection } from '../../db/pool.ts'
import { PROGRAM } from '../../db/private-postgres.ts'
import { reachDatabase } from '../../db/reach.ts'
import type { Log } from '../../lib/log.ts'
import { privateFolder } from '../maintenance/database.ts'
import type { Undo } from './stop.ts'
import { say } from './welcome.ts'

export interface PrepareOptions {
  readonly log: Log
  readonly undo: Undo
  stop(code: number): void
  /** How many processes will use it. */
  readonly serving: number
}

export interface Prepared {
  readonly connection: Connection
  /** Whether this process has started it. */
  readonly isPrivate: boolean
}

/** The intake, the audit and the monitor of a process have a connection each. */
const CONNECTIONS_BESIDE_POOL = 3
/** For commands such as backup, and for processes that end while others start. */
const CONNECTIONS_SPARE = 30
const CONNECTIONS_MIN = 100

export async function prepareDatabase(config: Config, options: PrepareOptions): Promise<Prepared> {
  const database = await locateDatabase(config, options)
  say('Preparing the database …')
  const applied = await migrate(database.connection)
  if (applied.length > 0) options.log.debug({ applied }, 'The schema was migrated.')
  return database
}

/** Returns how many connections the private database must allow to this many processes that serve. */
function countConnections({ database }: Config, serving: number): number {
  return Math.max(CONNECTIONS_MIN, serving * (database.poolSize + CONNECTIONS_BESIDE_POOL) + CONNECTIONS_SPARE)
}

async function locateDatabase(config: Config, { log, undo, stop, serving }: PrepareOptions): Promise<Prepared> {
  const { databaseUrl } = config.secrets
  if (databaseUrl !== undefined) return { connection: await reachDatabase(databaseUrl), isPrivate: false }
  say(`Starting the private database in ${privateFolder(config)} …`)
  const database = await startPrivatePostgres({
    program: PROGRAM,
    folder: privateFolder(config),
    durable: true,
    log: (message) => log.debug(message),
    warn: (message) => log.error(message),
    settings: { max_connections: String(countConnections(config, serving)) },
  })
  let stopping = false
  undo.push(async () => {
    stopping = true
    await database.stop()
  })
  void database.exited.then(() => {
    if (stopping) return undefined
    log.fatal('The private database could not be started again. See postgres.log in DATA_DIR/postgres.')
    return stop(1)
  })
  return { connection: database.connection, isPrivate: true }
}
