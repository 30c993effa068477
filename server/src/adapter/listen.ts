// Opens a port of an issuer and serves its routes.
import { createServer } from '../http/server.ts'
import { createMetrics } from '../http/metrics.ts'
import type { Route } from '../http/route.ts'
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'

export interface Listening {
  readonly url: string
  readonly port: number
  close(): Promise<void>
}

export async function listen(
  { clock, log, host }: { clock: Clock; log: Log; host: string },
  routes: readonly Route[],
  port: number,
): Promise<Listening> {
  const authenticate = async () => ({ caller: undefined, actor: undefined, session: undefined })
  const server = createServer({ routes, authenticate, metrics: createMetrics(), clock, log })
  const url = await server.listen({ host, port })
  let closed = false
  return {
    url,
    port: Number(new URL(url).port),
    async close() {
      if (closed) return
      closed = true
      // Hanging answers would keep the server open.
      server.server.closeAllConnections()
      await server.close()
    },
  }
}
