// Creates the whole server: every part once, every route in one list, without globals or a container.
import { createKeyring, type Keyring } from './access/keyring.ts'
import { auditLogRoutes } from './admin/audit-log-routes.ts'
import { companyRoutes } from './admin/company-routes.ts'
import { adminHolderRoutes } from './admin/holder-routes.ts'
import { productRoutes } from './admin/product-routes.ts'
import { keyRoutes } from './admin/key-routes.ts'
import { ledgerRoutes } from './admin/ledger-routes.ts'
import { operatorTokenRoutes } from './admin/operator-token-routes.ts'
import { reviewRoutes } from './admin/review-routes.ts'
import { balanceRoutes } from './balance/routes.ts'
import { cardChangeReviews } from './card-changes/review.ts'
import { cardChangeRoutes } from './card-changes/routes.ts'
import { type CardProducts, createCardProducts } from './cards/card-products.ts'
import { makeDocuments } from './app-documents.ts'
import { createGates, createIssuerEvents, createIssuers, type Issuers } from './app-issuers.ts'
import { type AllMetrics, createAllMetrics } from './app-metrics.ts'
import { baseUrlOf, createServers, type Servers } from './app-servers.ts'
import { startWorker, type Worker } from './app-worker.ts'
import { cardRoutes } from './cards/routes.ts'
import { type Catalog, createCatalog } from './catalog/catalog.ts'
import { catalogRoutes } from './catalog/routes.ts'
import { findConsoleFiles } from './console/files.ts'
import { consoleRoutes } from './console/routes.ts'
import type { Config } from './config.ts'
import { ALWAYS_HEALTHY, type Health } from './db/health.ts'
import type { Audits, Db, Pool } from './db/pool.ts'
import type { ShowOperation } from './events/render.ts'
import { docsRoutes } from './docs/routes.ts'
import type { FundingDeps } from './funding/deps.ts'
import { createPayLinks, type PayLinks } from './funding/pay-link.ts'
import { payRoutes } from './funding/pay-routes.ts'
import { paymentReviews } from './funding/payment-review.ts'
import { invoiceReviews } from './funding/review.ts'
import { fundingRoutes } from './funding/routes.ts'
import { holderRoutes } from './holders/routes.ts'
import type { BucketStore } from './http/buckets.ts'
import type { HttpMetrics } from './http/metrics.ts'
import type { ReviewSource } from './reviews/review.ts'
import type { Route } from './http/route.ts'
import { documentRoutes, healthRoutes } from './http/system-routes.ts'
import { type IssuerEventHandlers, issuerEventRoutes } from './issuer/http/events.ts'
import type { Gates } from './issuer/gate.ts'
import type { Transmit } from './issuer/http/transmit.ts'
import { createIntake, type Intake } from './ledger/accept.ts'
import type { Clock } from './lib/clock.ts'
import { createCursorCodec } from './lib/cursor.ts'
import type { Log } from './lib/log.ts'
import { deriveKeys, toSecretKeys } from './lib/secret-keys.ts'
import { operationReviews } from './operations/review.ts'
import { operationRoutes } from './operations/routes.ts'
import { toOperation } from './operations/schema.ts'
import { createPeople } from './people/assemble.ts'
import type { PeopleDeps } from './people/deps.ts'
import { peopleRoutes } from './people/routes.ts'
import { createTotpBox } from './people/second-factor/totp-secrets.ts'
import { requestLogRoutes } from './request-log/routes.ts'
import { sandboxInvoiceRoutes } from './sandbox/invoice-routes.ts'
import { sandboxRoutes } from './sandbox/routes.ts'
import { sandboxTransactionRoutes } from './sandbox/transaction-routes.ts'
import { historyRoutes } from './statements/history.ts'
import { statementRoutes } from './statements/routes.ts'
import type { Tracing } from './telemetry/tracing.ts'
import { transactionRoutes } from './transactions/routes.ts'
import { createWebhookBox, type WebhookOptions, webhookUrlRules } from './webhooks/assemble.ts'
import { eventRoutes } from './webhooks/event-routes.ts'
import { eventStreamRoutes } from './webhooks/event-stream-route.ts'
import { createEventStreams, type EventStreams, type StreamLimits } from './webhooks/event-streams.ts'
import { addStreamMetrics } from './webhooks/metrics.ts'
import { webhookRoutes } from './webhooks/routes.ts'
import type { SecretBox } from './webhooks/secrets.ts'
import type { UrlRules } from './webhooks/url.ts'

export type Role = 'all' | 'api' | 'worker'

export interface AppOptions extends WebhookOptions {
  db: Db
  /** For the audit, whose statements may take minutes; otherwise the same as `db`. */
  audits?: Audits
  /** For the intake's batches, which follow each other; otherwise the same as `db`. */
  intakeDb?: Db
  /** Whether the database can be used. Defaults to always. */
  health?: Health
  /** How busy the connections of `db` are, for the metrics. */
  poolStats?: Pool['stats']
  /** Answers 503 and runs no jobs until `start` is called. */
  deferStart?: boolean
  clock: Clock
  log: Log
  config: Pick<
    Config,
    'requestLog' | 'retention' | 'people' | 'http' | 'limits' | 'intakeGrouping' | 'issuer' | 'secrets' | 'webhooks'
  >
  /** When the live issuer is looked up after an unknown outcome. */
  lookUpDelaysMs?: readonly number[]
  /** How requests travel to the live issuer; over HTTP by default. */
  issuerTransmit?: Transmit
  role?: Role
  /** Which routes are served; all of the role by default. Preparing them is most of the work of a start. */
  serves?: (route: Route) => boolean
  /** How long the sandbox's slow operations take. */
  slowMs?: number
  /** Two to this power is the number of rounds of a password's hash. */
  passwordCostBits?: number
  /** Buckets of the rate limits that several processes share. Otherwise each process has its own. */
  bucketStore?: BucketStore | undefined
  /** Absent: no traces. */
  tracing?: Tracing | undefined
  /** Called when operations were accepted, for a worker in another process. */
  onAccepted?: (() => void) | undefined
  /** Returns the text of /metrics for a group of processes. Otherwise it is about this process. */
  readMetrics?: (() => Promise<string>) | undefined
  /** Replaces single limits of event streams. */
  streamLimits?: Partial<StreamLimits>
}

export interface App extends Servers {
  readonly routes: readonly Route[]
  readonly keyring: Keyring
  readonly metrics: HttpMetrics
  /** Begins to serve requests and to run jobs. */
  start(): void
  /** There is an operation to carry out, which another process accepted. */
  wake(): void
  /** Stops being ready, but goes on answering, so that balancers send requests elsewhere before it closes. */
  drain(): void
  close(): Promise<void>
}

interface Parts extends PeopleDeps, Pick<Config, 'retention'> {
  audits: Audits
  catalog: Catalog
  cardProducts: CardProducts
  intake: Intake
  /** Everything that can wait for a person's decision. */
  reviews: readonly ReviewSource[]
  metrics: HttpMetrics
  readMetrics(): Promise<string>
  /** Records each delivery attempt. */
  onAttempt: AllMetrics['onAttempt']
  issuers: Issuers
  gates: Gates
  issuerSecret: string | undefined
  issuerEvents: IssuerEventHandlers
  issuerTimeoutMs: number
  payLinks: PayLinks
  secretBox: SecretBox
  urlRules: UrlRules
  showOperation: ShowOperation
  eventStreams: EventStreams
  metricsAccess: AllMetrics['metricsAccess']
  /** Where clients reach this server. */
  baseUrl(): string
  isReady(): boolean
}

export function reviewSources(deps: Pick<FundingDeps, 'db' | 'clock' | 'payLinks'>): ReviewSource[] {
  return [operationReviews(deps), cardChangeReviews(deps), invoiceReviews(deps), paymentReviews(deps)]
}

/** In the order in which the documents show them. */
export function listRoutes(parts: Parts): Route[] {
  const routes = [
    ...fundingRoutes(parts),
    ...operationRoutes(parts),
    ...balanceRoutes(parts),
    ...historyRoutes(parts),
    ...statementRoutes(parts),
    ...transactionRoutes(parts),
    ...catalogRoutes(parts),
    ...holderRoutes(parts),
    ...cardRoutes(parts),
    ...cardChangeRoutes(parts),
    ...webhookRoutes(parts),
    ...eventStreamRoutes(parts),
    ...eventRoutes(parts),
    ...requestLogRoutes(parts),
    ...sandboxRoutes(parts),
    ...sandboxTransactionRoutes(parts),
    ...sandboxInvoiceRoutes(parts),
    ...companyRoutes(parts),
    ...keyRoutes(parts),
    ...adminHolderRoutes(parts),
    ...productRoutes(parts),
    ...reviewRoutes(parts),
    ...ledgerRoutes(parts),
    ...auditLogRoutes(parts),
    ...operatorTokenRoutes(parts),
    ...peopleRoutes(parts),
    ...payRoutes(parts),
    ...consoleRoutes(findConsoleFiles()),
    ...issuerEventRoutes(parts),
    ...healthRoutes(parts),
  ]
  const all = (): Route[] => [...routes, ...documented]
  const documented = [...documentRoutes(() => makeDocuments(all())), ...docsRoutes(parts, () => makeDocuments(all()))]
  return all()
}

export async function createApp(options: AppOptions): Promise<App> {
  const { log, health = ALWAYS_HEALTHY, config, role = 'all', serves = () => true, bucketStore, tracing } = options
  let phase: 'starting' | 'running' | 'draining' | 'stopping' = 'starting'
  let worker: Worker | undefined
  const parts = await createParts(options, {
    baseUrl: () => baseUrlOf(servers.server, config.http),
    onAccepted: () => (worker === undefined ? options.onAccepted?.() : worker.wake()),
    isReady: () => phase === 'running' && health.trouble() === undefined,
  })
  const { keyring, metrics } = parts
  const start = () => {
    phase = 'running'
    if (role === 'api') return
    worker = startWorker({ ...config, ...parts, log, health, tracing }, options)
  }
  const routes = (role === 'worker' ? healthRoutes(parts) : listRoutes(parts)).filter(serves)
  // A wrong clock makes every lease, expiry and id wrong. Other problems show in the statements that they affect.
  const mayServe = () => phase !== 'starting' && health.trouble() !== 'clock'
  const isDraining = () => phase === 'draining' || phase === 'stopping'
  const servers = createServers({ ...parts, log, config, routes, mayServe, isDraining, bucketStore, tracing })
  if (options.deferStart !== true) start()
  return {
    ...servers,
    routes,
    keyring,
    metrics,
    start,
    wake: () => worker?.wake(),
    drain() {
      if (phase === 'running') phase = 'draining'
    },
    async close() {
      phase = 'stopping'
      // The server waits for its answers, and a stream never ends by itself.
      await parts.eventStreams.close()
      await servers.close()
      await parts.intake.idle()
      await worker?.stop()
      parts.catalog.close()
      await keyring.close()
    },
  }
}

interface Callbacks {
  baseUrl(): string
  onAccepted(): void
  isReady(): boolean
}

async function createParts(options: AppOptions, { baseUrl, onAccepted, isReady }: Callbacks): Promise<Parts> {
  const { db, intakeDb = db, health = ALWAYS_HEALTHY, clock, log, config, tracing, poolStats } = options
  const secretKeys = toSecretKeys(options.secretKey)
  const { metrics, metricsAccess, onAttempt } = createAllMetrics({ db, clock, health, config, poolStats })
  const issuers = createIssuers(options)
  const { intakeGrouping: grouping } = config
  const eventStreams = createEventStreams({ ...options, grouping, showOperation: toOperation })
  addStreamMetrics(metrics.registry, eventStreams.count)
  const payLinks = createPayLinks({ key: secretKeys.lasting.payLinks, baseUrl })
  const cursors = createCursorCodec(deriveKeys(secretKeys, 'cursors'))
  const keyring = await createKeyring({ db, clock, log, key: secretKeys.lasting.tokens })
  const people = createPeople({
    db,
    clock,
    keyring,
    cursors,
    config: config.people,
    registry: metrics.registry,
    totpBox: createTotpBox(secretKeys),
    hasLiveIssuer: issuers.live !== undefined,
    publicUrl: config.http.publicUrl,
    passwordCostBits: options.passwordCostBits,
    bucketStore: options.bucketStore,
    baseUrl,
  })
  return {
    ...people,
    audits: options.audits ?? { db, atATime: 1 },
    catalog: await createCatalog({ db, clock, log }),
    cardProducts: createCardProducts(db, grouping),
    intake: createIntake({ db: intakeDb, clock, log, grouping, onAccepted, tracing }),
    reviews: reviewSources({ db, clock, payLinks }),
    metrics,
    readMetrics: options.readMetrics ?? (() => metrics.registry.metrics()),
    onAttempt,
    issuers,
    gates: createGates(options, issuers, metrics),
    issuerSecret: issuers.live === undefined ? undefined : config.secrets.issuer,
    issuerEvents: createIssuerEvents({ db, clock, log, payLinks }),
    issuerTimeoutMs: config.issuer.timeoutMs,
    payLinks,
    secretBox: createWebhookBox(options),
    urlRules: webhookUrlRules(options),
    retention: config.retention,
    showOperation: toOperation,
    eventStreams,
    metricsAccess,
    baseUrl,
    isReady,
  }
}
