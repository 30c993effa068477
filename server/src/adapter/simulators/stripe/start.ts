// Starts a simulated Stripe: its API, and a port that controls it. It is for tests and demonstrations.
import type { Clock } from '../../../lib/clock.ts'
import type { Log } from '../../../lib/log.ts'
import { listen } from '../../listen.ts'
import { createBehaviours } from '../kit/behaviour.ts'
import { type ApiServer, startApiServer } from './api-server.ts'
import type { Behaviours } from './behaviour.ts'
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
  const world = createWorld(options)
  const behaviours: Behaviours = createBehaviours()
  const api = await startApiServer({ ...options, world, behaviours })
  const control = await listen(options, controlRoutes({ world, behaviours }), options.controlPort)
  return {
    url: api.url,
    controlUrl: control.url,
    world,
    behaviours,
    calls: api.calls,
    async stop() {
      await control.close()
      await api.close()
    },
  }
}
