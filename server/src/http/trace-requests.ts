// Records a span for each request. Its hooks exist only when traces are on.
import type { FastifyInstance } from 'fastify'
import type { RequestSpan, Tracing } from '../telemetry/tracing.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Undefined when traces are off. */
    span: RequestSpan | undefined
  }
}

/** Must be called before hooks that refuse requests are added. Probes would be most of the traces, so they are left out. */
export function traceRequests(server: FastifyInstance, tracing: Tracing, untraced: ReadonlySet<string>): void {
  server.addHook('onRequest', async (request) => {
    const route = request.is404 ? undefined : request.routeOptions.url
    if (route !== undefined && untraced.has(route)) return
    const traceparent = request.headers['traceparent']
    request.span = tracing.startRequest({
      method: request.method,
      route,
      requestId: request.id,
      traceparent: typeof traceparent === 'string' ? traceparent : undefined,
    })
  })
  server.addHook('onResponse', async (request, reply) => {
    request.span?.end({ status: reply.statusCode, errorCode: request.refusal?.code })
  })
}
