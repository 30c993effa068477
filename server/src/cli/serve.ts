// `cardstock serve`: prepares the database, schema, secrets and first start, then runs the server until it is stopped.
import { type App, createApp, type Role } from '../app.ts'
import { type Config, ConfigError, type Environ, readConfig } from '../config.ts'
import { startEmbedded } from '../db/embedded/start.ts'
import type { Health } from '../db/health.ts'
import { migrate } from '../db/migrate.ts'
import { type Database, openDatabase } from '../db/open.ts'
import type { Connection } from '../db/pool.ts'
import { reachDatabase } from '../db/reach.ts'
import { systemClock } from '../lib/clock.ts'
import { boundHeap } from '../lib/heap.ts'
import { createLog, type Log } from '../lib/log.ts'
import { prepareCredentials } from '../setup/credentials.ts'
import { makeFirstLinks } from '../setup/first-people.ts'
import { createBoxes, requireReadable, webhookKeys } from '../setup/encrypted-values.ts'
import { loadSecretKeys, watchSecretKeys } from '../setup/secret-key.ts'
import { embeddedFolder } from './database.ts'
import { createStop, unwind, type Undo } from './stop.ts'
import { describeLinks, describeStart, say } from './welcome.ts'

/** How often a start that waits for the database or for the clocks looks again. */
const HEALTH_POLL_MS = 250

export async function serve(environ: Environ, role: Role): Promise<void> {
  boundHeap()
  const config = readConfig(environ)
  const log = createLog({ level: config.logLevel })
  const undo: Undo = []
  const stop = createStop(undo, log)
  try {
    const connection = await locateDatabase(config, { log, undo, stop })
    say('Preparing the database …')
    const applied = await migrate(connection)
    if (applied.length > 0) log.debug({ applied }, 'The schema was migrated.')
    const database = await openDatabase(connection, {
      clock: systemClock,
      log,
      poolSize: config.database.poolSize,
      intakeGrouping: config.intakeGrouping,
    })
    undo.push(() => database.close())
    await run(config, { database, log, undo, role })
  } catch (error) {
    await unwind(undo)
    throw error
  }
}

interface Running {
  log: Log
  undo: Undo
}

async function locateDatabase(
  config: Config,
  { log, undo, stop }: Running & { stop(code: number): void },
): Promise<Connection> {
  if (config.secrets.databaseUrl !== undefined) return reachDatabase(config.secrets.databaseUrl)
  say(`Starting the private database in ${embeddedFolder(config)} …`)
  const database = await startEmbedded({
    folder: embeddedFolder(config),
    durable: true,
    log: (message) => log.debug(message),
    warn: (message) => log.error(message),
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
  return database.connection
}

/**
 * Listens before the first start is complete, because credentials.json holds the address, but answers 503 until then:
 * whoever reads the printed address or gets 200 from /readyz finds everything in place.
 */
async function run(
  config: Config,
  { database, log, undo, role }: Running & { database: Database; role: Role },
): Promise<void> {
  const { db, auditDb, intakeDb, health } = database
  const secretKeys = await loadSecretKeys(db, config)
  await requireReadable(db, createBoxes(secretKeys, config))
  const stopWatching = watchSecretKeys(secretKeys, log)
  undo.push(async () => stopWatching())
  const app = await createApp({
    db,
    auditDb,
    intakeDb,
    health,
    poolStats: db.stats,
    deferStart: true,
    clock: systemClock,
    log,
    config,
    secretKey: secretKeys,
    role,
    webhookKeys: webhookKeys(config),
  })
  undo.push(() => app.close())
  const { host, port, publicUrl, admin } = config.http
  const adminUrl =
    app.adminServer && admin ? await listen(app.adminServer, { ...admin, setting: 'ADMIN_PORT' }) : undefined
  const address = await listen(app.server, { host, port, setting: 'PORT' })
  const baseUrl = publicUrl ?? address
  await untilUsable(health)
  // A worker serves no clients, so it needs no credentials and must not write its own address into them.
  const prepared =
    role === 'worker'
      ? { credentials: { baseUrl }, isFirstStart: false, demoHolderId: undefined }
      : await prepareCredentials({ db, clock: systemClock, keyring: app.keyring }, config, { baseUrl, adminUrl })
  app.start()
  say(describeStart(config, prepared))
  // A server without the console has no page that a link could open.
  if (!prepared.isFirstStart || !app.routes.some(({ path }) => path === '/sign-in')) return
  const deps = { db, clock: systemClock, keyring: app.keyring, baseUrl: () => baseUrl }
  say(describeLinks(await makeFirstLinks(deps)))
}

/** The first start writes times, so it waits for a clock that can be trusted. The monitor logs what is wrong. */
async function untilUsable(health: Health): Promise<void> {
  while (health.trouble() !== undefined) await new Promise((resolve) => setTimeout(resolve, HEALTH_POLL_MS))
}

async function listen(
  server: App['server'],
  { host, port, setting }: { host: string; port: number; setting: 'PORT' | 'ADMIN_PORT' },
): Promise<string> {
  try {
    return await server.listen({ host, port })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') {
      throw new ConfigError(
        `Port ${port} is in use. Stop the other program or choose another port: ${setting}=${port + 1} npm start`,
      )
    }
    throw error
  }
}
