// Prepares the adapter for USDT on TRON: checks the settings against what was stored, and at the first start decides where the walk begins.
// It starts nothing.
import type { Db } from '../../db/pool.ts'
import type { Clock } from '../../lib/clock.ts'
import { isTronAddress } from '../../tron/address.ts'
import { countAddresses, findChain, insertChain } from './queries.ts'
import { watchMoreAddresses } from './invoices.ts'
import type { Network } from './networks.ts'
import type { Head, Read, TronNode } from './node.ts'
import { createTables } from '../records/tables.ts'
import { SetUpError } from '../set-up-error.ts'
import { firstAddresses, type Wallet } from './xpub.ts'

export interface SetUp {
  /** The first two addresses, which a person compares with the wallet. */
  readonly addresses: readonly [string, string]
  readonly isFirst: boolean
  /** The last stored block; at the first start the newest solidified one. */
  readonly height: number
}

interface SetUpDeps {
  readonly db: Db
  readonly clock: Clock
  readonly nodes: readonly TronNode[]
  readonly wallet: Wallet
  readonly network: Network
}

/** Nodes must answer at the first start only: later the walk waits for them. */
export async function setUpTron(deps: SetUpDeps): Promise<SetUp> {
  const { db, clock, wallet, network } = deps
  if (deps.nodes.length < 1 || deps.nodes.length > 2) throw new SetUpError('Name one or two TRON nodes.')
  if (!isTronAddress(network.contract)) throw new SetUpError('The contract of the token is not a TRON address.')
  const addresses = firstAddresses(wallet)
  await createTables(db, 'tron.sql')
  const isFirst = (await findChain(db)) === undefined
  if (isFirst) await insertStart(deps, addresses[0])
  // Read again: another process may have been the first.
  const chain = await findChain(db)
  if (chain === undefined) throw new SetUpError('The start of the walk could not be stored.')
  if (chain.first_address !== addresses[0]) {
    throw new SetUpError(
      `The xpub is another one than at the first start, whose first address was ${chain.first_address}. Use that one: invoices that were given out are watched at its addresses.`,
    )
  }
  if (chain.genesis_id !== network.genesisId || chain.contract !== network.contract) {
    throw new SetUpError(
      'The network or the contract is another one than at the first start. Use a new database for another network.',
    )
  }
  if ((await countAddresses(db)) === 0) await watchMoreAddresses(db, wallet, clock.now())
  return { addresses, isFirst, height: Number(chain.height) }
}

async function insertStart({ db, clock, nodes, network }: SetUpDeps, firstAddress: string): Promise<void> {
  const heads: Head[] = []
  for (const node of nodes) {
    const genesisId = requireRead(node, await node.readGenesisId())
    if (genesisId !== network.genesisId) {
      throw new SetUpError(`The node ${node.name} belongs to another network. Correct its address.`)
    }
    heads.push(requireRead(node, await node.readHead()))
  }
  const start = await findCommonStart(nodes, heads)
  await insertChain(db, {
    genesis_id: network.genesisId,
    contract: network.contract,
    first_address: firstAddress,
    height: BigInt(start.height),
    block_id: start.id,
    block_time: start.time,
    created_at: clock.now(),
  })
}

/** The lower head of the nodes, if both have the same block there. */
async function findCommonStart(nodes: readonly TronNode[], heads: readonly Head[]): Promise<Head> {
  const start = heads.reduce((lowest, head) => (head.height < lowest.height ? head : lowest))
  for (const node of nodes) {
    const block = requireRead(node, await node.readBlock(start.height))
    if (block.id !== start.id) throw new SetUpError('The two nodes have different blocks. Replace the wrong one.')
  }
  return start
}

function requireRead<Value>(node: TronNode, read: Read<Value>): Value {
  if (read.kind === 'read') return read.value
  throw new SetUpError(`The node ${node.name} could not be read: ${read.reason}. Start again when it answers.`)
}
