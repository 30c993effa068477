// `cardstock issuer`: runs the reference issuer until it is stopped, with deposits on TRON if it is told so. It has its own database: a
// private one in DATA_DIR/issuer, or ISSUER_DATABASE_URL.
import { join } from 'node:path'
import { type Credentials, credentialsPath } from '@cardstock/cli/credentials'
import { findFile } from '@cardstock/cli/files'
import { startPrivatePostgres } from '@cardstock/private-postgres'
import { type Config, ConfigError, type Environ, readConfig } from '../../config/config.ts'
import { NEW_SECRET } from '../../config/setting-values.ts'
import { migrate } from '../../db/migrate.ts'
import { type Connection, createPool, type Pool } from '../../db/pool.ts'
import { PROGRAM } from '../../db/private-postgres.ts'
import { reachDatabase } from '../../db/reach.ts'
import { type NetworkName, requireConfirmed, startTron, type TronSettings } from '../../adapter/tron/service.ts'
import { REQUEST_KINDS } from '../../issuer/http/protocol.ts'
import { type ReferenceOptions, startReferenceIssuer } from '../../adapter/reference/start.ts'
import { createRecords } from '../../adapter/records/tables.ts'
import { systemClock } from '../../lib/clock.ts'
import { createLog } from '../../lib/log.ts'
import { untilTold } from './until-told.ts'

const POOL_SIZE = 5

/** Who carries out what: the reference issuer invents cards and payments, and TRON is real. */
export interface Rails {
  readonly cards: 'reference' | 'none'
  readonly invoices: 'reference' | 'tron' | 'none'
}

export async function runIssuer(environ: Environ, rails: Rails): Promise<void> {
  const config = readConfig(environ)
  const tronSettings = rails.invoices === 'tron' ? requireTron(config, rails) : undefined
  const { issuer: secret, issuerDatabaseUrl } = config.secrets
  if (secret === undefined) {
    throw new ConfigError(
      `Set ISSUER_SECRET, the same here and for the server. Make one: export ISSUER_SECRET=$(${NEW_SECRET})`,
    )
  }
  const database = issuerDatabaseUrl === undefined ? await startDatabase(config) : undefined
  const connection = database?.connection ?? (await reachDatabase(issuerDatabaseUrl ?? ''))
  const log = createLog({ level: config.logLevel })
  const onError = (error: Error) => log.warn({ error }, 'A database connection broke.')
  try {
    // It gives out addresses with the same function as the sandbox.
    await migrate(connection)
    const db = createPool(connection, { size: POOL_SIZE, onError })
    const deps = { db, clock: systemClock, log, secret }
    try {
      await run(config, rails, { ...deps, connection, tronSettings })
    } finally {
      await db.close()
    }
  } finally {
    await database?.stop()
  }
}

interface RunDeps extends Pick<ReferenceOptions, 'clock' | 'log' | 'secret'> {
  readonly db: Pool
  readonly connection: Connection
  readonly tronSettings: TronSettings | undefined
}

async function run(config: Config, rails: Rails, { connection, tronSettings, ...deps }: RunDeps): Promise<void> {
  const { port, controlPort, eventsUrl } = config.reference
  const about = aboutOf(rails, tronSettings?.network)
  await createRecords(deps.db)
  const tron = tronSettings && (await startTron({ ...deps, connection }, tronSettings))
  const issuer = await startReferenceIssuer({
    ...deps,
    host: config.http.host,
    port,
    controlPort,
    // Read for each event: the server may start later than the issuer, or again on another port.
    findEventsUrl: () => eventsUrl ?? findBaseUrl(config),
    about,
    ...(tron && { makeInvoice: tron.makeInvoice, moreControls: tron.controls }),
    misbehaves: tronSettings?.network !== 'mainnet',
  })
  process.stdout.write(
    `The issuer (${about.provider}) listens on ${issuer.url} and sends its events to ${eventsUrl ?? `the server in ${credentialsPath(config)}`}\n` +
      `It is told what to do on ${issuer.controlUrl}/control (see docs/${tron === undefined ? 'live' : 'go-live-tron'}.md)\n` +
      (tron === undefined ? '' : `It watches TRON from block ${tron.height} on\n`),
  )
  await untilTold()
  await issuer.stop()
  await tron?.stop()
}

function startDatabase({ dataDir }: Config) {
  return startPrivatePostgres({
    program: PROGRAM,
    folder: join(dataDir, 'issuer', 'postgres'),
    durable: true,
    log: () => undefined,
  })
}

/** Refuses settings with which real money would meet cards that do not exist, or with which no deposit could be seen. */
function requireTron({ reference: { tron }, secrets }: Config, { cards }: Rails): TronSettings {
  if (tron.nodes.length === 0) throw new ConfigError('Set TRON_NODES, the address of a TRON full node.')
  if (secrets.tronXpub === undefined) {
    throw new ConfigError("Set TRON_XPUB, the public key of your wallet's account m/44'/195'/0'.")
  }
  if (tron.network === 'mainnet' && cards === 'reference') {
    throw new ConfigError(
      'The reference issuer only pretends to issue cards, so it takes no real USDT. Add --cards none, or set TRON_NETWORK to nile or simulated.',
    )
  }
  const { network, confirmed } = tron
  const settings = { urls: tron.nodes, apiKey: secrets.tronApiKey, network, xpub: secrets.tronXpub, confirmed }
  requireConfirmed(settings)
  return settings
}

function aboutOf(
  { cards, invoices }: Rails,
  network: NetworkName | undefined,
): NonNullable<ReferenceOptions['about']> & { provider: string } {
  const kinds = REQUEST_KINDS.filter((kind) => (kind === 'invoice' ? invoices : cards) !== 'none')
  const names = [
    cards === 'none' ? [] : ['reference issuer'],
    network === undefined ? [] : [`USDT on TRON (${network})`],
  ]
  const provider = names.flat().join(' and ') || 'nobody'
  return { kinds, provider, mode: network === 'mainnet' ? 'live' : 'test' }
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
