// The whole server put together: every part made once, every route in one list. No globals, no container.
import type { FastifyInstance } from 'fastify'
import { createKeyring, type Keyring } from './access/keyring.ts'
import { companyRoutes } from './admin/company-routes.ts'
import { adminHolderRoutes } from './admin/holder-routes.ts'
import { keyRoutes } from './admin/key-routes.ts'
import { reviewRoutes } from './admin/review-routes.ts'
import { cardChangeJob } from './card-changes/change.ts'
import { cardChangeReviews } from './card-changes/review.ts'
import { cardChangeRoutes } from './card-changes/routes.ts'
import { type CardProducts, createCardProducts } from './cards/card-products.ts'
import { cardRoutes } from './cards/routes.ts'
import { type Catalog, createCatalog } from './catalog/catalog.ts'
import { catalogRoutes } from './catalog/routes.ts'
import type { Config } from './config.ts'
import type { Db } from './db/pool.ts'
import type { ShowOperation } from './events/render.ts'
import { holderRoutes } from './holders/routes.ts'
import { createAuthenticate } from './http/authenticate.ts'
import { createMetrics, type HttpMetrics } from './http/metrics.ts'
import type { ReviewSource } from './http/review.ts'
import type { Route } from './http/route.ts'
import { createServer } from './http/server.ts'
import { documentRoutes, healthRoutes } from './http/system-routes.ts'
import type { Issuer } from './issuer/port.ts'
import { createSandboxIssuer, SLOW_MS } from './issuer/sandbox.ts'
import { createIntake, type Intake } from './ledger/accept.ts'
import { sealJob } from './ledger/seal.ts'
import { createSettler } from './ledger/settle.ts'
import type { Clock } from './lib/clock.ts'
import { createCursorCodec, type CursorCodec } from './lib/cursor.ts'
import { deriveKey } from './lib/digest.ts'
import type { Log } from './lib/log.ts'
import type { Environment } from './lib/scope.ts'
import { addOperationMetrics } from './operations/metrics.ts'
import { createProcessor } from './operations/process.ts'
import { operationReviews } from './operations/review.ts'
import { operationRoutes } from './operations/routes.ts'
import { toOperation } from './operations/schema.ts'
import { sandboxRoutes } from './sandbox/routes.ts'
import { sandboxTransactionRoutes } from './sandbox/transactions.ts'
import { isDatabaseReady } from './setup/queries.ts'
import { balanceRoutes, statementRoutes } from './statements/routes.ts'
import { transactionRoutes } from './transactions/routes.ts'
import { createWebhookBox, createWebhookWorker, type WebhookOptions, webhookUrlRules } from './webhooks/assemble.ts'
import { eventRoutes } from './webhooks/event-routes.ts'
import { webhookRoutes } from './webhooks/routes.ts'
import type { SecretBox } from './webhooks/secrets.ts'
import type { UrlRules } from './webhooks/url.ts'
import { type Loop, startLoop } from './worker/loop.ts'

export type Role = 'all' | 'api' | 'worker'

export interface AppOptions extends WebhookOptions {
  db: Db
  /** For the audit, whose statements may take minutes; otherwise the same as `db`. */
  auditDb?: Db
  clock: Clock
  log: Log
  config: Pick<Config, 'http' | 'limits' | 'intakeGrouping' | 'issuer' | 'webhooks'>
  secretKey: Buffer
  role?: Role
  /** How long the sandbox's slow operations take. */
  slowMs?: number
}

export interface App {
  readonly server: FastifyInstance
  readonly routes: readonly Route[]
  readonly keyring: Keyring
  close(): Promise<void>
}

type Issuers = Readonly<Record<Environment, Issuer | undefined>>

interface Parts {
  db: Db
  auditDb: Db
  clock: Clock
  cursors: CursorCodec
  keyring: Keyring
  catalog: Catalog
  cardProducts: CardProducts
  intake: Intake
  issuers: Issuers
  issuerTimeoutMs: number
  metrics: HttpMetrics
  secretBox: SecretBox
  urlRules: UrlRules
  showOperation: ShowOperation
  isReady(): Promise<boolean>
}

/** In the order in which the documents show them. */
export function listRoutes(parts: Parts): Route[] {
  // Everything that can wait for a person's decision.
  const reviews: ReviewSource[] = [operationReviews(parts), cardChangeReviews(parts)]
  const routes = [
    ...operationRoutes(parts),
    ...balanceRoutes(parts),
    ...statementRoutes(parts),
    ...transactionRoutes(parts),
    ...catalogRoutes(parts),
    ...holderRoutes(parts),
    ...cardRoutes(parts),
    ...cardChangeRoutes(parts),
    ...webhookRoutes(parts),
    ...eventRoutes(parts),
    ...sandboxRoutes({ db: parts.db, clock: parts.clock, reviews }),
    ...sandboxTransactionRoutes(parts),
    ...companyRoutes(parts),
    ...keyRoutes(parts),
    ...adminHolderRoutes(parts),
    ...reviewRoutes({ auditDb: parts.auditDb, cursors: parts.cursors, reviews }),
    ...healthRoutes(parts),
  ]
  return [...routes, ...documentRoutes(routes)]
}

export async function createApp(options: AppOptions): Promise<App> {
  const { db, auditDb = db, clock, log, config, secretKey, role = 'all' } = options
  const keyring = await createKeyring({ db, clock, log, key: deriveKey(secretKey, 'tokens') })
  const catalog = await createCatalog(db, log)
  const metrics = createMetrics()
  addOperationMetrics(metrics.registry, { db, clock })
  const issuers = { sandbox: createSandboxIssuer({ db, clock, slowMs: options.slowMs ?? SLOW_MS }), live: undefined }
  const worker = role === 'api' ? undefined : startWorker(options, issuers)
  const intake = createIntake({ db, clock, log, grouping: config.intakeGrouping, onAccepted: () => worker?.wake() })
  let closing = false
  const parts: Parts = {
    db,
    auditDb,
    clock,
    cursors: createCursorCodec(deriveKey(secretKey, 'cursors')),
    keyring,
    catalog,
    cardProducts: createCardProducts(db),
    intake,
    issuers,
    issuerTimeoutMs: config.issuer.timeoutMs,
    metrics,
    secretBox: createWebhookBox(options),
    urlRules: webhookUrlRules(options),
    showOperation: toOperation,
    isReady: async () => !closing && (await isDatabaseReady(db)),
  }
  const routes = role === 'worker' ? healthRoutes(parts) : listRoutes(parts)
  const authenticate = createAuthenticate({ keyring, clock, limits: config.limits, hasLiveIssuer: false })
  const server = createServer({ routes, authenticate, metrics, clock, log, trustProxy: config.http.trustProxy })
  return {
    server,
    routes,
    keyring,
    async close() {
      closing = true
      await server.close()
      await intake.idle()
      await worker?.stop()
      catalog.close()
      await keyring.close()
    },
  }
}

interface Worker {
  wake(): void
  stop(): Promise<void>
}

function startWorker(options: AppOptions, issuers: Issuers): Worker {
  const { db, clock, log, config } = options
  const settler = createSettler({ db, clock })
  let loops: Loop[] = []
  const wake = () => loops.forEach((loop) => loop.wake())
  const issuerTimeoutMs = config.issuer.timeoutMs
  const processor = createProcessor({ db, clock, log, settler, issuers, issuerTimeoutMs, onRoom: wake })
  const changes = cardChangeJob({ db, clock, log, issuers, issuerTimeoutMs })
  const webhooks = createWebhookWorker(options, toOperation)
  loops = [...processor.jobs, changes, sealJob({ db, clock }), ...webhooks.jobs].map((job) => startLoop(job, log))
  return {
    wake,
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()))
      await processor.idle()
      await settler.idle()
      await webhooks.stop()
    },
  }
}
