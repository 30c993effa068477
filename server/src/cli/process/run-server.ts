// Runs one server process on a database that is migrated: opens it, listens, completes the first start, and begins to serve.
import { setTimeout as delay } from 'node:timers/promises'
import { type App, createApp } from '../../app/app.ts'
import type { AppOptions, Role } from '../../app/parts.ts'
import { type Config, ConfigError } from '../../config/config.ts'
import { readIsDistributed } from '../../db/citus/distribute.ts'
import type { Health } from '../../db/health.ts'
import { openDatabase } from '../../db/open.ts'
import type { Connection } from '../../db/pool.ts'
import { isUnavailable } from '../../db/unavailable.ts'
import { systemClock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'
import type { RedisBuckets } from '../../redis/bucket-store.ts'
import { prepareCredentials } from '../../setup/credentials.ts'
import { makeFirstLinks } from '../../setup/first-people.ts'
import { createBoxes, requireReadable, webhookKeys } from '../../setup/encrypted-values.ts'
import { loadSecretKeys, watchSecretKeys } from '../../setup/secret-key.ts'
import { openTracing } from '../../telemetry/tracing.ts'
import type { Undo } from './stop.ts'
import { START_COMMAND } from '../installation.ts'
import { readVersion } from '../version.ts'
import { describeLinks, describeStart, say } from './welcome.ts'

export interface RunOptions extends Pick<AppOptions, 'bucketStore' | 'readMetrics' | 'onAccepted'> {
  readonly connection: Connection
  readonly log: Log
  readonly undo: Undo
  readonly role: Role
  /** Whether it answers HTTP requests. */
  readonly listens: boolean
  /** Whether it makes the credentials of the first start, and prints its address. Then it listens, too. */
  readonly prepares: boolean
}

/** How often a start that waits for the database or for the clocks looks again. */
const HEALTH_POLL_MS = 250

/**
 * The process that prepares listens before the first start is complete, because credentials.json holds the address, but answers
 * 503 until then: whoever reads the printed address or gets 200 from /readyz finds everything in place. The others share the
 * port of a server that already works, so they listen last: a request must not reach one that would refuse it.
 */
export async function runServer(given: Config, options: RunOptions): Promise<App> {
  const isDistributed = await readIsDistributed(options.connection)
  // On Citus every statement is about one company, whatever the settings say: a batch of several would find no node.
  const config: Config = isDistributed ? { ...given, intakeGrouping: 'citus' } : given
  const { connection, log, undo, role, listens, prepares } = options
  const { poolSize } = config.database
  const database = await openDatabase(connection, {
    clock: systemClock,
    log,
    poolSize,
    intakeGrouping: config.intakeGrouping,
  })
  undo.push(() => database.close())
  const { db, audits, intakeDb, health } = database
  const secretKeys = await whenUsable(health, () => loadSecretKeys(db, config))
  await whenUsable(health, () => requireReadable(db, createBoxes(secretKeys, config)))
  const stopWatching = watchSecretKeys(secretKeys, log)
  undo.push(async () => stopWatching())
  const redis = await openSharedBuckets(config, log)
  undo.push(async () => redis?.close())
  const tracing = await openTracing(config.tracing, { log, version: readVersion(), role })
  undo.push(async () => tracing?.close())
  const app = await createApp({
    db,
    audits,
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
    bucketStore: redis ?? options.bucketStore,
    tracing,
    readMetrics: options.readMetrics,
    onAccepted: options.onAccepted,
  })
  redis?.addMetrics(app.metrics.registry)
  undo.push(() => drainAndClose(app, listens ? config.drainMs : 0))
  if (prepares) {
    const urls = await listenAll(app, config)
    await untilUsable(health)
    await begin(app, config, { db, health, role, urls })
  } else {
    await untilUsable(health)
    app.start()
    if (listens) await listenAll(app, config)
  }
  return app
}

/** The package of Redis is loaded only by a server that uses it. */
async function openSharedBuckets({ secrets }: Config, log: Log): Promise<RedisBuckets | undefined> {
  if (secrets.redisUrl === undefined) return undefined
  const { createRedisBuckets } = await import('../../redis/bucket-store.ts')
  return createRedisBuckets(secrets.redisUrl, { log })
}

interface Urls {
  readonly baseUrl: string
  readonly adminUrl?: string | undefined
}

/** Completes the first start if this is one, begins to serve, and says where. */
async function begin(
  app: App,
  config: Config,
  { db, health, role, urls }: { db: AppOptions['db']; health: Health; role: Role; urls: Urls },
): Promise<void> {
  const { baseUrl } = urls
  const deps = { db, clock: systemClock, keyring: app.keyring }
  // A worker serves no clients, so it needs no credentials and must not write its own address into them.
  const prepared =
    role === 'worker'
      ? { credentials: { baseUrl }, isFirstStart: false, hasNewPeople: false, demoHolderId: undefined }
      : await whenUsable(health, () => prepareCredentials(deps, config, urls))
  app.start()
  say(describeStart(config, prepared))
  // A server without the console has no page that a link could open.
  if (!prepared.hasNewPeople || !app.routes.some(({ path }) => path === '/sign-in')) return
  // If the answer to an attempt was lost, a link is left that nobody has seen. It expires within a day.
  const links = await whenUsable(health, () => makeFirstLinks({ ...deps, baseUrl: () => baseUrl }))
  say(describeLinks(links))
}

/** Goes on answering for a while after /readyz has said 503, so that no balancer sends a request to a closed port. */
async function drainAndClose(app: App, drainMs: number): Promise<void> {
  app.drain()
  if (drainMs > 0) await delay(drainMs)
  await app.close()
}

/** The first start writes times, so it waits for a clock that can be trusted. The monitor logs what is wrong. */
async function untilUsable(health: Health): Promise<void> {
  while (health.trouble() !== undefined) await delay(HEALTH_POLL_MS)
}

/** A database that does not answer for a moment must not end a start, which can be repeated from any point. */
async function whenUsable<Value>(health: Health, work: () => Promise<Value>): Promise<Value> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isUnavailable(error)) throw error
    }
    await delay(HEALTH_POLL_MS)
    await untilUsable(health)
  }
}

async function listenAll(app: App, config: Config): Promise<Urls> {
  const { host, port, publicUrl, admin } = config.http
  const adminUrl =
    app.adminServer && admin ? await listen(app.adminServer, { ...admin, setting: 'ADMIN_PORT' }) : undefined
  const address = await listen(app.server, { host, port, setting: 'PORT' })
  return { baseUrl: publicUrl ?? address, adminUrl }
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
        `Port ${port} is in use. Stop the other program or choose another port: ${setting}=${port + 1} ${START_COMMAND}`,
      )
    }
    throw error
  }
}
