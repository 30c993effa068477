// Creates the HTTP side of the server: one listener, or two if the operator's routes have a separate port, and the request
// log.
import type { FastifyInstance } from 'fastify'
import type { Keyring } from '../access/keyring.ts'
import type { Config } from '../config/config.ts'
import { findConsoleIndex } from '../console/files.ts'
import { consoleUnknownPage } from '../console/routes.ts'
import type { Db } from '../db/pool.ts'
import { createAuthenticate } from '../http/authenticate.ts'
import type { BucketStore } from '../http/limits/buckets.ts'
import type { HttpMetrics } from '../http/metrics.ts'
import { splitRoutes } from '../http/route-table.ts'
import type { Route } from '../http/route.ts'
import { createServer } from '../http/server.ts'
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import { createAuditChange } from '../people/assemble.ts'
import type { SessionLookUp } from '../access/session.ts'
import type { Tracing } from '../telemetry/tracing.ts'
import { addRequestLogMetrics } from '../request-log/metrics.ts'
import { createRequestLog, type RequestLog } from '../request-log/record.ts'

interface Deps {
  db: Db
  clock: Clock
  log: Log
  config: Pick<Config, 'http' | 'limits' | 'requestLog' | 'intakeGrouping'>
  keyring: Keyring
  metrics: HttpMetrics
  sessions: SessionLookUp
  hasLiveIssuer: boolean
  bucketStore?: BucketStore | undefined
  tracing?: Tracing | undefined
  routes: readonly Route[]
  /** Returns where clients reach this server. */
  baseUrl(): string
  mayServe(): boolean
  mayChange(): boolean
  /** While this returns true, each answer asks its client to open another connection. */
  isDraining(): boolean
}

export interface Servers {
  readonly server: FastifyInstance
  /** Serves /admin and /metrics if they have a separate port. */
  readonly adminServer: FastifyInstance | undefined
  readonly requestLog: RequestLog | undefined
  close(): Promise<void>
}

export function createServers(deps: Deps): Servers {
  const { db, clock, log, config, metrics, routes, mayServe, mayChange, isDraining, tracing, baseUrl } = deps
  const { admin, trustedProxies, connectionsPerAddress, publicUrl } = config.http
  const authenticate = createAuthenticate({ ...deps, limits: config.limits, publicUrl })
  const requestLog = config.requestLog
    ? createRequestLog({ db, clock, log, grouping: config.intakeGrouping })
    : undefined
  if (requestLog !== undefined) addRequestLogMetrics(metrics.registry, requestLog)
  const onAnswered = requestLog === undefined ? {} : { onAnswered: requestLog.record }
  const options = {
    metrics,
    clock,
    log,
    trustedProxies,
    connectionsPerAddress,
    publicUrl,
    baseUrl,
    mayServe,
    mayChange,
    isDraining,
    tracing,
    auditChange: createAuditChange(deps),
  }
  const create = (served: readonly Route[], unknownPage?: ReturnType<typeof consoleUnknownPage>) =>
    createServer({ routes: served, authenticate, ...options, ...onAnswered, unknownPage })
  const split = admin === undefined ? { open: routes, admin: undefined } : splitRoutes(routes)
  const server = create(split.open, consoleUnknownPage(findConsoleIndex()))
  const adminServer = split.admin && create(split.admin)
  return {
    server,
    adminServer,
    requestLog,
    async close() {
      await Promise.all([server.close(), adminServer?.close()])
      await requestLog?.close()
    },
  }
}

/** Returns where clients reach this server. Its port may have been chosen only when it began to listen. */
export function baseUrlOf(server: FastifyInstance, { publicUrl, host, port }: Config['http']): string {
  if (publicUrl !== undefined) return publicUrl.replace(/\/+$/, '')
  const address = server.server.address()
  const actualPort = typeof address === 'object' && address !== null ? address.port : port
  const isAnyAddress = host === '0.0.0.0' || host === '::'
  const name = isAnyAddress ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${actualPort}`
}
