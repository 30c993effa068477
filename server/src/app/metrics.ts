// Creates the metrics of the whole server, except for those of parts that register their own.
import type { Config } from '../config/config.ts'
import type { Health } from '../db/health.ts'
import { addDatabaseMetrics } from '../db/metrics.ts'
import type { Db, Pool } from '../db/pool.ts'
import { createMetrics, type HttpMetrics } from '../http/metrics.ts'
import type { MetricsAccess } from '../http/system-routes.ts'
import { addSealMetrics } from '../ledger/metrics.ts'
import type { Clock } from '../lib/clock.ts'
import { isMetricsPortLocal } from '../config/exposure.ts'
import { addOperationMetrics } from '../operations/metrics.ts'
import { addReviewMetrics } from '../reviews/metrics.ts'
import { addWebhookMetrics } from '../webhooks/metrics.ts'

interface Deps {
  db: Db
  clock: Clock
  health: Health
  config: Pick<Config, 'http' | 'secrets'>
  poolStats: Pool['stats'] | undefined
}

export interface AllMetrics {
  readonly metrics: HttpMetrics
  readonly metricsAccess: MetricsAccess
  /** Records each delivery attempt. */
  readonly onAttempt: ReturnType<typeof addWebhookMetrics>
}

export function createAllMetrics(deps: Deps): AllMetrics {
  const { config } = deps
  const metrics = createMetrics()
  addDatabaseMetrics(metrics.registry, deps)
  // Only the operator may learn which companies there are.
  const isPrivate = config.secrets.metricsToken !== undefined || config.http.admin !== undefined
  addOperationMetrics(metrics.registry, { ...deps, isPrivate })
  addReviewMetrics(metrics.registry, deps)
  addSealMetrics(metrics.registry, deps)
  const metricsAccess = { token: config.secrets.metricsToken, isLocal: isMetricsPortLocal(config.http) }
  return { metrics, metricsAccess, onAttempt: addWebhookMetrics(metrics.registry, deps) }
}
