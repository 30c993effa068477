// Routes for machines and readers rather than for companies: health, metrics and the documents. Anybody may call them, so
// what costs work is shared between callers under load.
import { createHash, timingSafeEqual } from 'node:crypto'
import { Type } from 'typebox'
import { ApiError } from '../errors.ts'
import { createSharedValue } from '../lib/shared-value.ts'
import { object } from '../lib/wire.ts'
import type { HttpMetrics } from './metrics.ts'
import { DOCS_CSP, type Document, renderDocs } from './docs-page.ts'
import { toOpenApi } from './openapi.ts'
import { unavailable } from './respond-error.ts'
import { ok, publicRoute, type Route } from './route.ts'

interface Deps {
  metrics: HttpMetrics
  /** What /metrics must be asked with; anybody may read it if undefined. */
  metricsToken: string | undefined
  /** Tells whether the server can do its work: the database answers and the server is not stopping. */
  isReady(): Promise<boolean>
}

const tag = 'system'
const Status = object({ status: Type.String() })
const Text = Type.String()

export function healthRoutes({ metrics, metricsToken, isReady }: Deps): Route[] {
  const readReady = createSharedValue(isReady)
  const readMetrics = createSharedValue(() => metrics.registry.metrics())
  return [
    publicRoute({
      method: 'GET',
      path: '/healthz',
      tag,
      summary: 'The process is alive',
      responses: { 200: Status },
      handle: async () => ok({ status: 'ok' }),
    }),
    publicRoute({
      method: 'GET',
      path: '/readyz',
      tag,
      summary: 'The server can take work',
      responses: { 200: Status },
      handle: async () => {
        if (!(await readReady())) throw unavailable()
        return ok({ status: 'ready' })
      },
    }),
    publicRoute({
      method: 'GET',
      path: '/metrics',
      tag,
      summary: 'Prometheus metrics',
      responses: { 200: Text },
      handle: async ({ headers }) => {
        if (metricsToken !== undefined) requireMetricsToken(metricsToken, headers.authorization)
        return { status: 200, produce: readMetrics, headers: { 'content-type': metrics.registry.contentType } }
      },
    }),
  ]
}

function requireMetricsToken(expected: string, authorization: string | undefined): void {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  if (timingSafeEqual(digest(`Bearer ${expected}`), digest(authorization ?? ''))) return
  throw new ApiError('invalid_metrics_token', 'The metrics need the token in METRICS_TOKEN: Authorization: Bearer …', {
    headers: { 'www-authenticate': 'Bearer realm="cardstock"' },
  })
}

/** The documents describe all routes, themselves included. */
export function documentRoutes(others: readonly Route[]): Route[] {
  const routes: Route[] = [
    publicRoute({
      method: 'GET',
      path: '/openapi.json',
      tag,
      summary: 'This interface as OpenAPI 3.1',
      responses: { 200: Text },
      handle: async () => ({ status: 200, body: json, headers: { 'content-type': 'application/json; charset=utf-8' } }),
    }),
    publicRoute({
      method: 'GET',
      path: '/docs',
      tag,
      summary: 'This interface as a page',
      responses: { 200: Text },
      handle: async () => ({
        status: 200,
        body: page,
        headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': DOCS_CSP },
      }),
    }),
  ]
  const document = toOpenApi([...others, ...routes])
  const json = JSON.stringify(document)
  const page = renderDocs(document as unknown as Document)
  return routes
}
