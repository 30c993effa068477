// `cardstock issuer`: runs the reference issuer until it is stopped, with deposits on TRON if it is told so. It has its own database: a
// private one in DATA_DIR/issuer, or ISSUER_DATABASE_URL.
import { join } from 'node:path'
import { type Credentials, credentialsPath } from '@cardstock/cli/credentials'
import { findFile } from '@cardstock/cli/files'
import { startPrivatePostgres } from '@cardstock/private-postgres'
import { type Config, ConfigError, type Environ, readConfig, readValues } from '../../config/config.ts'
import { NEW_SECRET } from '../../config/setting-values.ts'
import { migrate } from '../../db/migrate.ts'
import { type Connection, createPool, type Pool } from '../../db/pool.ts'
import { PROGRAM } from '../../db/private-postgres.ts'
import { reachDatabase } from '../../db/reach.ts'
import { type NetworkName, requireConfirmed, startTron, type TronSettings } from '../../adapter/tron/service.ts'
import { startAdapter } from '../../adapter/kernel/start.ts'
import type { CardProvider } from '../../adapter/provider.ts'
import { loadProvider } from '../../adapter/provider-kit/find-providers.ts'
import { paymentRoute } from '../../adapter/reference/control-routes.ts'
import { createInvoiceMaker } from '../../adapter/reference/invoices.ts'
import { REQUEST_KINDS } from '../../issuer/http/protocol.ts'
import { type ReferenceOptions, startReferenceIssuer } from '../../adapter/reference/start.ts'
import { createRecords } from '../../adapter/records/tables.ts'
import { systemClock } from '../../lib/clock.ts'
import { createLog } from '../../lib/log.ts'
import { untilTold } from './until-told.ts'

const POOL_SIZE = 5
/** Any deposit. The server has a minimum of its own. */
const INVOICE_MINIMUM = '1.00'

/** Who carries out what: the reference issuer invents cards and payments; Lithic, Stripe and TRON are real. */
export interface Rails {
  /** A folder of adapter/providers/, or one of these. */
  readonly cards: string
  readonly invoices: 'reference' | 'tron' | 'none'
  /** Whether a server started this process. */
  readonly child?: boolean | undefined
}

export async function runIssuer(environ: Environ, rails: Rails): Promise<void> {
  const config = readConfig(environ)
  const provider = await createProvider(environ, rails)
  const tronSettings = rails.invoices === 'tron' ? requireTron(config, rails) : undefined
  requireOneWorld(provider, tronSettings)
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
      await run(config, rails, { ...deps, connection, tronSettings, provider })
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
  readonly provider: CardProvider | undefined
}

async function run(config: Config, rails: Rails, { tronSettings, provider, ...deps }: RunDeps): Promise<void> {
  const { port, controlPort, eventsUrl } = config.reference
  await createRecords(deps.db)
  const tron = tronSettings && (await startTron(deps, tronSettings))
  const shared = {
    ...deps,
    host: config.http.host,
    port,
    controlPort,
    // Read for each event: the server may start later than the issuer, or again on another port.
    findEventsUrl: () => eventsUrl ?? findBaseUrl(config),
    depositsState: tron?.state,
  }
  const about = aboutOf(rails, tronSettings?.network)
  const issuer =
    provider === undefined
      ? await startReferenceIssuer({
          ...shared,
          about,
          ...(tron && { makeInvoice: tron.makeInvoice, moreControls: tron.controls }),
          misbehaves: tronSettings?.network !== 'mainnet',
        })
      : await startAdapter({
          ...shared,
          provider,
          identity: `${rails.cards} ${provider.about.mode}`,
          makeInvoice: rails.invoices === 'reference' ? createInvoiceMaker(deps) : tron?.makeInvoice,
          invoiceMinimum: INVOICE_MINIMUM,
          moreControls: tron?.controls ?? (rails.invoices === 'reference' ? [paymentRoute(deps)] : []),
        })
  const name =
    provider === undefined
      ? about.provider
      : [provider.about.provider, ...chainNames(tronSettings?.network)].join(' and ')
  process.stdout.write(
    (rails.child === true
      ? `The issuer (${name}) runs beside the server\n`
      : `The issuer (${name}) listens on ${issuer.url} and sends its events to ${eventsUrl ?? `the server in ${credentialsPath(config)}`}\n`) +
      `It is told what to do on ${issuer.controlUrl}/control (see docs/${guideOf(rails)}.md)\n` +
      (tron === undefined ? '' : `It watches TRON from block ${tron.height} on\n`),
  )
  await untilTold({ isChild: rails.child })
  await issuer.stop()
  await tron?.stop()
}

function guideOf({ cards, invoices }: Rails): string {
  if (cards !== 'reference' && cards !== 'none') return `go-live-${cards}`
  return invoices === 'tron' ? 'go-live-tron' : 'live'
}

async function createProvider(environ: Environ, { cards }: Rails): Promise<CardProvider | undefined> {
  if (cards === 'reference' || cards === 'none') return undefined
  const { settings, create } = await loadProvider(cards)
  return create(readValues(environ, settings), systemClock)
}

/** Real money for cards that do not exist, or cards that cost real money for deposits that do not exist, is a loss for somebody. */
function requireOneWorld(provider: CardProvider | undefined, tron: TronSettings | undefined): void {
  if (provider === undefined) return
  const areCardsLive = provider.about.mode === 'live'
  if (areCardsLive && tron !== undefined && tron.network !== 'mainnet') {
    throw new ConfigError(
      `${provider.about.provider} issues real cards, so deposits on ${tron.network} are refused. Set TRON_NETWORK=mainnet.`,
    )
  }
  if (!areCardsLive && tron?.network === 'mainnet') {
    throw new ConfigError(
      `${provider.about.provider} issues test cards, so it takes no real USDT. Set TRON_NETWORK to nile or simulated.`,
    )
  }
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
  const names = [cards === 'none' ? [] : ['reference issuer'], chainNames(network)]
  const provider = names.flat().join(' and ') || 'nobody'
  return { kinds, provider, mode: network === 'mainnet' ? 'live' : 'test' }
}

function chainNames(network: NetworkName | undefined): string[] {
  return network === undefined ? [] : [`USDT on TRON (${network})`]
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
