// `cardstock issuer`: runs the reference issuer until it is stopped. It has its own database: a private one in
// DATA_DIR/issuer, or ISSUER_DATABASE_URL.
import { join } from 'node:path'
import { type Credentials, credentialsPath } from '@cardstock/cli/credentials'
import { findFile } from '@cardstock/cli/files'
import { startPrivatePostgres } from '@cardstock/private-postgres'
import { type Config, ConfigError, type Environ, readConfig } from '../../config/config.ts'
import { NEW_SECRET } from '../../config/setting-values.ts'
import { migrate } from '../../db/migrate.ts'
import { createPool } from '../../db/pool.ts'
import { PROGRAM } from '../../db/private-postgres.ts'
import { reachDatabase } from '../../db/reach.ts'
import { startReferenceIssuer } from '../../issuer/reference/start.ts'
import { systemClock } from '../../lib/clock.ts'
import { createLog } from '../../lib/log.ts'

const POOL_SIZE = 5

export async function runIssuer(environ: Environ): Promise<void> {
  const config = readConfig(environ)
  const { issuer: secret, issuerDatabaseUrl } = config.secrets
  if (secret === undefined) {
    throw new ConfigError(
      `Set ISSUER_SECRET, the same here and for the server. Make one: export ISSUER_SECRET=$(${NEW_SECRET})`,
    )
  }
  const { eventsUrl } = config.reference
  // Read for each event: the server may start later than the issuer, or again on another port.
  const findEventsUrl = () => eventsUrl ?? findBaseUrl(config)
  const log = createLog({ level: config.logLevel })
  const database =
    issuerDatabaseUrl === undefined
      ? await startPrivatePostgres({
          program: PROGRAM,
          folder: join(config.dataDir, 'issuer', 'postgres'),
          durable: true,
          log: () => undefined,
        })
      : undefined
  const connection = database?.connection ?? (await reachDatabase(issuerDatabaseUrl ?? ''))
  try {
    // It gives out addresses with the same function as the sandbox.
    await migrate(connection)
    const onError = (error: Error) => log.warn({ error }, 'A database connection broke.')
    const db = createPool(connection, { size: POOL_SIZE, onError })
    const { host } = config.http
    const { port, controlPort } = config.reference
    const issuer = await startReferenceIssuer({
      db,
      clock: systemClock,
      log,
      secret,
      host,
      port,
      controlPort,
      findEventsUrl,
    })
    process.stdout.write(
      `The reference issuer listens on ${issuer.url} and sends its events to ${eventsUrl ?? `the server in ${credentialsPath(config)}`}\n` +
        `It is told what to do on ${issuer.controlUrl}/control (see docs/live.md)\n`,
    )
    await untilTold()
    await issuer.stop()
    await db.close()
  } finally {
    await database?.stop()
  }
}

/** Returns the address of the server that was started last with this data folder; undefined before the first start. */
function findBaseUrl(config: Pick<Config, 'dataDir'>): string | undefined {
  try {
    return (JSON.parse(findFile(credentialsPath(config)) ?? '{}') as Partial<Credentials>).baseUrl
  } catch {
    // Not readable at this moment. The event waits.
    return undefined
  }
}

function untilTold(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGTERM', () => resolve())
    process.once('SIGINT', () => resolve())
  })
}
