// Everything that routes and jobs are made of, each part once.
import type { CardProducts } from '../cards/card-products.ts'
import type { Issuers } from './issuers.ts'
import type { AllMetrics } from './metrics.ts'
import type { Catalog } from '../catalog/catalog.ts'
import type { Config } from '../config/config.ts'
import type { Health } from '../db/health.ts'
import type { Audits, Db, Pool } from '../db/pool.ts'
import type { ShowOperation } from '../events/render.ts'
import type { PayLinks } from '../funding/pay-link.ts'
import type { BucketStore } from '../http/limits/buckets.ts'
import type { HttpMetrics } from '../http/metrics.ts'
import type { ReviewSource } from '../reviews/review.ts'
import type { Route } from '../http/route.ts'
import type { IssuerEventHandlers } from '../issuer/http/events.ts'
import type { CallRecord } from '../issuer/call-record.ts'
import type { Gates } from '../issuer/gate.ts'
import type { Transmit } from '../issuer/http/transmit.ts'
import type { Intake } from '../ledger/accept.ts'
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import type { PeopleDeps } from '../people/deps.ts'
import type { ServerRecord } from '../programme/server-record.ts'
import type { Tracing } from '../telemetry/tracing.ts'
import type { WebhookOptions } from '../webhooks/assemble.ts'
import type { EventStreams, StreamLimits } from '../events/stream/streams.ts'
import type { SecretBox } from '../webhooks/secrets.ts'
import type { UrlRules } from '../webhooks/url.ts'

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
    | 'mailFrom'
    | 'requestLog'
    | 'retention'
    | 'people'
    | 'http'
    | 'limits'
    | 'intakeGrouping'
    | 'issuer'
    | 'secrets'
    | 'webhooks'
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

export interface Parts extends PeopleDeps, Pick<Config, 'retention'> {
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
  callRecord: CallRecord
  serverRecord: ServerRecord
  health: Health
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
