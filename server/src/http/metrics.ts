// Prometheus metrics of the process and of requests. Labels are route patterns and status classes, never ids.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client'

export interface HttpMetrics {
  readonly registry: Registry
  observe(request: FastifyRequest, reply: FastifyReply): void
  countRefusedConnection(): void
}

/** From a cached read to a statement of ten thousand entries. */
const BUCKETS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

export function createMetrics(): HttpMetrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the first byte of a request to the last of its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS_S,
    registers: [registry],
  })
  const refused = new Counter({
    name: 'http_connections_refused_total',
    help: 'Connections that were closed because their address had as many as one may have',
    registers: [registry],
  })
  return {
    registry,
    countRefusedConnection: () => refused.inc(),
    observe(request, reply) {
      const route = request.routeOptions.url ?? 'none'
      const status = `${Math.floor(reply.statusCode / 100)}xx`
      duration.labels(request.method, route, status).observe(reply.elapsedTime / 1000)
    },
  }
}
