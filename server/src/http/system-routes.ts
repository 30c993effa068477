// Routes for machines, not for companies: health and metrics. Anyone may call them, so under load callers share expensive answers.
import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { Type } from 'typebox'
import { ApiError } from '../errors.ts'
import { isForwarded } from '../config/exposure.ts'
import { createSharedValue } from '../lib/shared-value.ts'
import { field, object } from '../lib/wire.ts'
import type { HttpMetrics } from './metrics.ts'
import { unavailable } from './respond-error.ts'
import { ok, publicRoute, type Route } from './route.ts'

/** Who may read the metrics. */
export interface MetricsAccess {
  /** The token that a request must send. */
  readonly token: string | undefined
  /** Whether a request from this machine needs none if none is set: the settings say that nobody else reaches the metrics. */
  readonly isLocal: boolean
}

interface Deps {
  metrics: HttpMetrics
  readMetrics(): Promise<string>
  metricsAccess: MetricsAccess
  /** Whether the server can work: it has started, the database writes, the clocks agree, and it is not stopping. */
  isReady(): boolean
}

const tag = 'system'
const Status = object({ status: field(Type.String(), '`ok` or `ready`.') }, 'ServerStatus', 'That the server is there.')
const PlainText = Type.String({ contentMediaType: 'text/plain' })

export function healthRoutes({ metrics, readMetrics: read, metricsAccess, isReady }: Deps): Route[] {
  const readMetrics = createSharedValue(read)
  return [
    publicRoute({
      method: 'GET',
      path: '/healthz',
      tag,
      id: 'getHealth',
      summary: 'Check that the process is alive',
      description: 'Answers 200 as long as the process runs. It does not ask the database.',
      responses: { 200: Status },
      handle: async () => ok({ status: 'ok' }),
    }),
    publicRoute({
      method: 'GET',
      path: '/readyz',
      tag,
      id: 'getReadiness',
      summary: 'Check that the server is ready',
      description:
        'Answers 200 when the server can take work, and 503 when the database cannot be used or the server is stopping.',
      responses: { 200: Status },
      handle: async () => {
        if (!isReady()) throw unavailable()
        return ok({ status: 'ready' })
      },
    }),
    publicRoute({
      method: 'GET',
      path: '/metrics',
      tag,
      id: 'getMetrics',
      summary: 'Read the metrics',
      description:
        'Returns the metrics in the text format of Prometheus. Needs `METRICS_TOKEN` as a bearer token, unless that is not set and only the machine of the server can reach it.',
      refusals: ['invalid_metrics_token'],
      responses: { 200: PlainText },
      handle: async ({ headers }) => {
        requireMetricsAccess(metricsAccess, headers)
        return { status: 200, produce: readMetrics, headers: { 'content-type': metrics.registry.contentType } }
      },
    }),
  ]
}

const TOKEN_NOT_SET =
  'The metrics can be read without a token only where nothing outside this machine can reach the server. Set METRICS_TOKEN, ' +
  'start the server again, and send the token: Authorization: Bearer … (docs/monitoring.md).'

function requireMetricsAccess({ token, isLocal }: MetricsAccess, headers: IncomingHttpHeaders): void {
  if (token === undefined) {
    if (isLocal && !isForwarded(headers)) return
    throw refuseMetrics(TOKEN_NOT_SET)
  }
  const digest = (text: string) => createHash('sha256').update(text).digest()
  if (timingSafeEqual(digest(`Bearer ${token}`), digest(headers.authorization ?? ''))) return
  throw refuseMetrics('The metrics need the token in METRICS_TOKEN: Authorization: Bearer …')
}

function refuseMetrics(message: string): ApiError {
  return new ApiError('invalid_metrics_token', message, {
    headers: { 'www-authenticate': 'Bearer realm="cardstock"' },
  })
}
