// `cardstock serve`: database, schema, secrets, first start, then the server until it is told to stop.
import { type App, createApp, type Role } from '../app.ts'
import { type Config, ConfigError, type Environ, readConfig } from '../config.ts'
import { startEmbedded } from '../db/embedded/start.ts'
import { migrate } from '../db/migrate.ts'
import { createPipeline } from '../db/pipeline.ts'
import { type Connection, createPool, type Db, type Pool } from '../db/pool.ts'
import { systemClock } from '../lib/clock.ts'
import { boundHeap } from '../lib/heap.ts'
import { createLog, type Log } from '../lib/log.ts'
import { credentialsPath, type Prepared, prepareCredentials } from '../setup/credentials.ts'
import { loadSecretKey } from '../setup/secret-key.ts'
import { embeddedFolder } from './database.ts'

/** Graceful stop: in-flight requests and batches get this long, then the process ends anyway. */
const STOP_TIMEOUT_MS = 10_000
/** An account of ten million entries is read and hashed within this. */
const AUDIT_TIMEOUT_MS = 600_000

export async function serve(environ: Environ, role: Role): Promise<void> {
  boundHeap()
  const config = readConfig(environ)
  const log = createLog({ level: config.logLevel })
  const undo: (() => Promise<unknown>)[] = []
  const stop = createStop(undo, log)
  try {
    const connection = await openDatabase(config, { log, undo, stop })
    const applied = await migrate(connection)
    if (applied.length > 0) log.debug({ applied }, 'schema migrated')
    const onError = (error: Error) => log.warn({ error }, 'a database connection broke')
    const db = createPool(connection, { size: config.database.poolSize, onError })
    undo.push(() => db.close())
    const auditDb = createPool(connection, { size: 1, statementTimeoutMs: AUDIT_TIMEOUT_MS, onError })
    undo.push(() => auditDb.close())
    const intakeDb = openIntakeDb(config, connection, { db, onError, undo })
    await run(config, { db, auditDb, intakeDb, log, undo, role })
  } catch (error) {
    await unwind(undo)
    throw error
  }
}

interface Running {
  log: Log
  undo: (() => Promise<unknown>)[]
}

async function openDatabase(
  config: Config,
  { log, undo, stop }: Running & { stop(code: number): void },
): Promise<Connection> {
  if (config.secrets.databaseUrl !== undefined) return { connectionString: config.secrets.databaseUrl }
  const database = await startEmbedded({
    folder: embeddedFolder(config),
    durable: true,
    log: (message) => log.debug(message),
  })
  let stopping = false
  undo.push(async () => {
    stopping = true
    await database.stop()
  })
  void database.exited.then(() => {
    if (stopping) return undefined
    log.fatal('the private database ended by itself; see its log in DATA_DIR/postgres')
    return stop(1)
  })
  return database.connection
}

/** Batches over all companies meet each other's locks, so they share a connection; those of one company go side by side. */
function openIntakeDb(
  { intakeGrouping }: Config,
  connection: Connection,
  { db, onError, undo }: Pick<Running, 'undo'> & { db: Db; onError(error: Error): void },
): Db {
  if (intakeGrouping === 'company') return db
  const pipeline = createPipeline(connection, onError)
  undo.push(() => pipeline.close())
  return pipeline
}

interface Parts extends Running {
  db: Pool
  auditDb: Pool
  intakeDb: Db
  role: Role
}

async function run(config: Config, { db, auditDb, intakeDb, log, undo, role }: Parts): Promise<void> {
  const secretKey = await loadSecretKey(db, config)
  const app = await createApp({
    db,
    auditDb,
    intakeDb,
    clock: systemClock,
    log,
    config,
    secretKey,
    role,
    webhookKeys: webhookKeys(config),
  })
  undo.push(() => app.close())
  const { host, port, publicUrl, admin } = config.http
  const adminUrl =
    app.adminServer && admin ? await listen(app.adminServer, { ...admin, setting: 'ADMIN_PORT' }) : undefined
  const address = await listen(app.server, { host, port, setting: 'PORT' })
  const baseUrl = publicUrl ?? address
  // A worker answers to nobody: it neither needs credentials nor may it put its own address into them.
  if (role === 'worker')
    return announce(config, { credentials: { baseUrl }, isFirstStart: false, demoHolderId: undefined })
  announce(
    config,
    await prepareCredentials({ db, clock: systemClock, keyring: app.keyring }, config, { baseUrl, adminUrl }),
  )
}

function webhookKeys({ secrets }: Config): Buffer[] {
  const keys = [secrets.webhookSecretKey, secrets.webhookSecretKeyPrevious]
  return keys.filter((key) => key !== undefined).map((key) => Buffer.from(key, 'hex'))
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

function announce(config: Config, { credentials, isFirstStart, demoHolderId }: Prepared): void {
  const { baseUrl, demo } = credentials
  const lines = [`Cardstock listens on ${baseUrl} (reference: ${baseUrl}/docs)`]
  if (isFirstStart) lines.push(`The operator token is kept in ${credentialsPath(config)}`)
  if (isFirstStart && demo !== undefined && demoHolderId !== undefined) {
    lines.push(
      `The demonstration company's sandbox key, shown once and kept there too: ${demo.sandboxKey}`,
      'Issue a first card, and see it a moment later:',
      `  ${firstCardCommand(baseUrl, demo.sandboxKey, demoHolderId)}`,
      `  curl -s ${baseUrl}/api/v1/cards -H 'Authorization: Bearer ${demo.sandboxKey}'`,
    )
  }
  process.stdout.write(`${lines.join('\n')}\n`)
}

function firstCardCommand(baseUrl: string, key: string, holderId: string): string {
  const body = JSON.stringify({ type: 'issue', productId: 'prod_card_virtual', holderId, amount: '25.00' })
  const headers = [`Authorization: Bearer ${key}`, 'Idempotency-Key: first-card', 'Content-Type: application/json']
  return `curl -s ${baseUrl}/api/v1/operations ${headers.map((header) => `-H '${header}'`).join(' ')} -d '${body}'`
}

/** The first signal stops gracefully, a second one at once. */
function createStop(undo: (() => Promise<unknown>)[], log: Log): (code: number) => void {
  let stopping = false
  const stop = (code: number) => {
    if (stopping) process.exit(code || 1)
    stopping = true
    setTimeout(() => process.exit(code || 1), STOP_TIMEOUT_MS).unref()
    unwind(undo).then(
      () => process.exit(code),
      (error: unknown) => {
        log.error({ error }, 'could not stop cleanly')
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', () => stop(0))
  process.on('SIGINT', () => stop(0))
  return stop
}

async function unwind(undo: (() => Promise<unknown>)[]): Promise<void> {
  for (let step = undo.pop(); step !== undefined; step = undo.pop()) await step()
}
