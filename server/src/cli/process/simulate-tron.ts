// `cardstock simulate tron`: runs a simulated TRON node that makes a block every three seconds, until it is stopped. It keeps its chain in memory.
import { HDKey } from '@scure/bip32'
import { startTronSimulator } from '../../adapter/simulators/tron/start.ts'
import { firstAddresses, parseXpub } from '../../adapter/tron/xpub.ts'
import { type Environ, readConfig } from '../../config/config.ts'
import { systemClock } from '../../lib/clock.ts'
import { must } from '../../lib/invariant.ts'
import { createLog } from '../../lib/log.ts'
import { untilTold } from './until-told.ts'

/** As TRON does, so that the times of blocks are those of the clock. */
const BLOCK_MS = 3_000
/** On TRON it takes 19 blocks until one is solid. */
const SOLID_LAG = 2

export async function simulateTron(environ: Environ, ports: { port: number; controlPort: number }): Promise<void> {
  const config = readConfig(environ)
  const simulator = await startTronSimulator({
    clock: systemClock,
    log: createLog({ level: config.logLevel }),
    host: config.http.host,
    ports: [ports.port],
    controlPort: ports.controlPort,
    solidLag: SOLID_LAG,
  })
  simulator.chain.mine(SOLID_LAG + 1)
  const timer = setInterval(() => simulator.chain.mine(), BLOCK_MS)
  const xpub = must(
    HDKey.fromMasterSeed(Buffer.from('cardstock simulate tron, a wallet of nobody')).derive("m/44'/195'/0'")
      .publicExtendedKey,
  )
  const [first, second] = firstAddresses(parseXpub(xpub))
  process.stdout.write(
    `The simulated TRON node listens on ${must(simulator.nodes[0]).url}\n` +
      `Transfers are sent on ${simulator.controlUrl}/control (see docs/go-live-tron.md)\n` +
      `A wallet to try it with, which nobody owns:\n` +
      `  TRON_XPUB=${xpub}\n` +
      `  TRON_CONFIRMED=${first},${second}\n`,
  )
  await untilTold()
  clearInterval(timer)
  await simulator.stop()
}
