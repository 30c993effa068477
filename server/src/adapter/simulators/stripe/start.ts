// Starts a simulated Stripe: its API, and a port that controls it. It is for tests and demonstrations.
import { createMetrics } from '../../../http/metrics.ts'
import { createServer } from '../../../http/server.ts'
import type { Clock } from '../../../lib/clock.ts'
import type { Log } from '../../../lib/log.ts'
import { type ApiServer, startApiServer } from './api-server.ts'
import { type Behaviours, createBehaviours } from './behaviour.ts'
import { controlRoutes } from './control-routes.ts'
import { createWorld, type World } from './world.ts'

export interface StripeSimulatorOptions {
  readonly clock: Clock
  readonly log: Log
  readonly host: string
  /** 0 is any free one. */
  readonly port: number
  readonly controlPort: number
  readonly secretKey: string
  /** What the Issuing balance has at first, in cents. */
  readonly float: bigint
}

export interface StripeSimulator {
  readonly url: string
  readonly controlUrl: string
  readonly world: World
  readonly behaviours: Behaviours
  readonly calls: ApiServer['calls']
  stop(): Promise<void>
}

export async function startStripeSimulator(options: StripeSimulatorOptions): Promise<StripeSimulator> {
  const { clock, log, host, controlPort } = options
  const world = createWorld(options)
  const behaviours = createBehaviours()
  const api = await startApiServer({ ...options, world, behaviours })
  const authenticate = async () => ({ caller: undefined, actor: undefined, session: undefined })
  const routes = controlRoutes({ world, behaviours })
  const control = createServer({ routes, authenticate, metrics: createMetrics(), clock, log })
  const controlUrl = await control.listen({ host, port: controlPort })
  return {
    url: api.url,
    controlUrl,
    world,
    behaviours,
    calls: api.calls,
    async stop() {
      control.server.closeAllConnections()
      await control.close()
      await api.close()
    },
  }
}
