// `cardstock simulate lithic`: runs a simulated Lithic until it is stopped. It keeps everything in memory.
import { startLithicSimulator } from '../../adapter/simulators/lithic/start.ts'
import { type Environ, readConfig } from '../../config/config.ts'
import { systemClock } from '../../lib/clock.ts'
import { createLog } from '../../lib/log.ts'
import { untilTold } from './until-told.ts'

/** Nothing in it is worth anything, so everybody may know the key. */
const API_KEY = 'simulated-lithic-key'
const FUNDING_ACCOUNT = '5e9483eb-8103-4e16-9794-2106111b2eca'
/** A million dollars: trials do not run out of it. */
const FLOAT = 100_000_000n

export interface SimulateLithicOptions {
  readonly port: number
  readonly controlPort: number
  readonly mode: 'balance' | 'limit'
}

export async function simulateLithic(
  environ: Environ,
  { port, controlPort, mode }: SimulateLithicOptions,
): Promise<void> {
  const config = readConfig(environ)
  const simulator = await startLithicSimulator({
    clock: systemClock,
    log: createLog({ level: config.logLevel }),
    host: config.http.host,
    port,
    controlPort,
    mode,
    apiKey: API_KEY,
    fundingAccount: FUNDING_ACCOUNT,
    float: FLOAT,
  })
  process.stdout.write(
    `The simulated Lithic listens on ${simulator.url}\n` +
      `Payments are made on ${simulator.controlUrl}/control\n` +
      `The settings of an adapter that uses it:\n` +
      `  LITHIC_URL=${simulator.url}\n` +
      `  LITHIC_API_KEY=${API_KEY}\n` +
      `  LITHIC_MODE=${mode}\n` +
      `  LITHIC_FUNDING_ACCOUNT=${FUNDING_ACCOUNT}\n`,
  )
  await untilTold()
  await simulator.stop()
}
