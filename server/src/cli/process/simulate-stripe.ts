// `cardstock simulate stripe`: runs a simulated Stripe until it is stopped. It keeps everything in memory.
import { startStripeSimulator } from '../../adapter/simulators/stripe/start.ts'
import { type Environ, readConfig } from '../../config/config.ts'
import { systemClock } from '../../lib/clock.ts'
import { createLog } from '../../lib/log.ts'
import { untilTold } from './until-told.ts'

/** Nothing in it is worth anything, so everybody may know the key. */
const SECRET_KEY = 'sk_test_simulated'
/** A million dollars: trials do not run out of it. */
const FLOAT = 100_000_000n

export interface SimulateStripeOptions {
  readonly port: number
  readonly controlPort: number
}

export async function simulateStripe(environ: Environ, { port, controlPort }: SimulateStripeOptions): Promise<void> {
  const config = readConfig(environ)
  const simulator = await startStripeSimulator({
    clock: systemClock,
    log: createLog({ level: config.logLevel }),
    host: config.http.host,
    port,
    controlPort,
    secretKey: SECRET_KEY,
    float: FLOAT,
  })
  process.stdout.write(
    `The simulated Stripe listens on ${simulator.url}\n` +
      `Payments are made on ${simulator.controlUrl}/control\n` +
      `The settings of an adapter that uses it:\n` +
      `  STRIPE_URL=${simulator.url}\n` +
      `  STRIPE_SECRET_KEY=${SECRET_KEY}\n`,
  )
  await untilTold()
  await simulator.stop()
}
