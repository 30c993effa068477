// Creates the whole server: every part once, every route in one list, without globals or a container.
import { createKeyring, type Keyring } from '../access/keyring.ts'
import { cardChangeReviews } from '../card-changes/review.ts'
import { createCardProducts } from '../cards/card-products.ts'
import { createGates, createIssuerEvents, createIssuers } from './issuers.ts'
import { createAllMetrics } from './metrics.ts'
import { recordServer } from './server-record.ts'
import { baseUrlOf, createServers, type Servers } from './servers.ts'
import { startWorker, type Worker } from './worker.ts'
import { createCatalog } from '../catalog/catalog.ts'
import { ALWAYS_HEALTHY } from '../db/health.ts'
import type { FundingDeps } from '../funding/deps.ts'
import { createCallRecord } from '../issuer/call-record.ts'
import { createPayLinks } from '../funding/pay-link.ts'
import { paymentReviews } from '../funding/payment-review.ts'
import { invoiceReviews } from '../funding/review.ts'
import type { HttpMetrics } from '../http/metrics.ts'
import type { ReviewSource } from '../reviews/review.ts'
import type { Route } from '../http/route.ts'
import { healthRoutes } from '../http/system-routes.ts'
import { createIntake } from '../ledger/accept.ts'
import { createCursorCodec } from '../lib/cursor.ts'
import { deriveKeys, toSecretKeys } from '../lib/secret-keys.ts'
import { createMail } from '../mail/assemble.ts'
import { operationReviews } from '../operations/review.ts'
import type { NameDeps } from '../operations/names.ts'
import { toOperation } from '../operations/schema.ts'
import { createPeople } from '../people/assemble.ts'
import { createTotpBox } from '../people/second-factor/totp-secrets.ts'
import { createWebhookBox, webhookUrlRules } from '../webhooks/assemble.ts'
import { createEventStreams } from '../events/stream/streams.ts'
import { addStreamMetrics } from '../webhooks/metrics.ts'
import { listRoutes } from './routes.ts'
import type { AppOptions, Parts } from './parts.ts'

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

export function reviewSources(deps: Pick<FundingDeps, 'clock' | 'payLinks'> & NameDeps): ReviewSource[] {
  return [operationReviews(deps), cardChangeReviews(deps), invoiceReviews(deps), paymentReviews(deps)]
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
    // Whoever orders something first should not have to wait for it.
    void parts.issuers.live?.about.read()
    if (role === 'api') return
    worker = startWorker({ ...config, ...parts, log, health, tracing }, options)
  }
  const routes = (role === 'worker' ? healthRoutes(parts) : listRoutes(parts)).filter(serves)
  // A wrong clock makes every lease, expiry and id wrong.
  const mayServe = () => phase !== 'starting' && health.trouble() !== 'clock'
  // A write that hangs keeps its connection for many seconds. When writes have all of them, nothing can be read any more.
  const mayChange = () => health.trouble() !== 'not_writable'
  const isDraining = () => phase === 'draining' || phase === 'stopping'
  const servers = createServers({
    ...parts,
    log,
    config,
    routes,
    mayServe,
    mayChange,
    isDraining,
    bucketStore,
    tracing,
  })
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
      await Promise.all([parts.callRecord.close(), parts.serverRecord.close()])
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
  const allMetrics = createAllMetrics({ db, clock, health, config, poolStats })
  const issuers = createIssuers(options)
  const callRecord = createCallRecord({ db, clock, log })
  const gates = createGates(options, issuers, allMetrics.metrics, callRecord)
  const { serverRecord, metrics, onAttempt } = recordServer(allMetrics, { db, clock, log, gates })
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
    mail: createMail(config, { db, clock, registry: metrics.registry, secretKeys }),
    publicUrl: config.http.publicUrl,
    passwordCostBits: options.passwordCostBits,
    bucketStore: options.bucketStore,
    baseUrl,
  })
  const catalog = await createCatalog({ db, clock, log })
  return {
    ...people,
    audits: options.audits ?? { db, atATime: 1 },
    catalog,
    cardProducts: createCardProducts(db, grouping),
    intake: createIntake({ db: intakeDb, clock, log, grouping, onAccepted, tracing }),
    reviews: reviewSources({ db, clock, payLinks, catalog }),
    metrics,
    readMetrics: options.readMetrics ?? (() => metrics.registry.metrics()),
    onAttempt,
    issuers,
    callRecord,
    gates,
    serverRecord,
    health,
    issuerSecret: issuers.live === undefined ? undefined : config.secrets.issuer,
    issuerEvents: createIssuerEvents({ db, clock, log, payLinks }),
    issuerTimeoutMs: config.issuer.timeoutMs,
    payLinks,
    secretBox: createWebhookBox(options),
    urlRules: webhookUrlRules(options),
    retention: config.retention,
    showOperation: toOperation,
    eventStreams,
    metricsAccess: allMetrics.metricsAccess,
    baseUrl,
    isReady,
  }
}
