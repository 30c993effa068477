// Starts a simulated TRON network: its nodes, and a port that controls it. It is for tests and demonstrations.
import type { Clock } from '../../../lib/clock.ts'
import { must } from '../../../lib/invariant.ts'
import type { Log } from '../../../lib/log.ts'
import { findAccount } from '../../../tron/address.ts'
import { listen } from '../../listen.ts'
import { MAINNET } from '../../tron/networks.ts'
import { type Chain, createChain } from './chain.ts'
import { controlRoutes } from './control-routes.ts'
import { type SimulatedNode, startNode } from './node-server.ts'

export interface SimulatorOptions {
  readonly clock: Clock
  readonly log: Log
  readonly host: string
  /** One node per port; 0 is any free one. */
  readonly ports: readonly number[]
  readonly controlPort: number
  readonly solidLag?: number
  /** A chain that goes on; otherwise a new one begins. */
  readonly chain?: Chain
}

export interface TronSimulator {
  readonly chain: Chain
  readonly nodes: readonly SimulatedNode[]
  readonly controlUrl: string
  stop(): Promise<void>
}

export async function startTronSimulator(options: SimulatorOptions): Promise<TronSimulator> {
  const { clock, host, ports, controlPort, solidLag } = options
  const token = Buffer.from(must(findAccount(MAINNET.contract))).toString('hex')
  const chain = options.chain ?? createChain({ clock, token, ...(solidLag === undefined ? {} : { solidLag }) })
  const nodes: SimulatedNode[] = []
  for (const port of ports) nodes.push(await startNode(chain, { host, port }))
  const control = await listen(options, controlRoutes({ chain, nodes }), controlPort)
  return {
    chain,
    nodes,
    controlUrl: control.url,
    async stop() {
      await control.close()
      for (const node of nodes) await node.close()
    },
  }
}
