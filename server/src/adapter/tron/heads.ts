// Reads the newest solidified block of every node, and finds nodes that are behind, of another network or on another chain.
import type { Head } from './node.ts'
import type { Condition } from './state.ts'
import type { WatchedNode } from './watched-node.ts'

export type SeenHead = { readonly node: WatchedNode; readonly head: Head }
export type Heads =
  { readonly kind: 'heads'; readonly heads: readonly SeenHead[] } | Extract<Condition, { kind: 'waiting' | 'stopped' }>

/** A minute. Honest nodes differ by some blocks at any moment; a state that changed with each of them would hide a node that hangs. */
const BEHIND_TOLERATED = 20

/** Asks every node, also when one of them fails, so that the state of each is known. */
export async function readHeads(
  nodes: readonly WatchedNode[],
  verified: Set<WatchedNode>,
  genesisId: string,
): Promise<Heads> {
  const reads = await Promise.all(nodes.map((node) => readHead(node, verified, genesisId)))
  const heads: SeenHead[] = []
  let waiting: Heads | undefined
  for (const [index, read] of reads.entries()) {
    const node = nodes[index] as WatchedNode
    // What needs a person is shown rather than what passes by itself.
    if (read.kind === 'stopped') return read
    if (read.kind === 'read') heads.push({ node, head: read.value })
    else waiting ??= { kind: 'waiting', for: read.kind, node: node.node.name, reason: read.reason }
  }
  return waiting ?? { kind: 'heads', heads }
}

/** Block 0 tells the network, once per node and process. */
async function readHead(node: WatchedNode, verified: Set<WatchedNode>, genesisId: string) {
  if (!verified.has(node)) {
    const read = await node.ask(() => node.node.readGenesisId())
    if (read.kind !== 'read') return read
    if (read.value !== genesisId) {
      const reason = `${node.node.name} has the first block ${read.value}`
      return { kind: 'stopped', why: 'wrong_network', reason } as const
    }
    verified.add(node)
  }
  const read = await node.ask(() => node.node.readHead())
  if (read.kind === 'read') node.sawHead(read.value.height)
  return read
}

/** One that has another block at our height is on another chain. */
export function findFork(
  heads: readonly SeenHead[],
  after: { readonly height: number; readonly id: string },
): Extract<Condition, { kind: 'stopped' }> | undefined {
  const other = heads.find(({ head }) => head.height === after.height && head.id !== after.id)
  if (other === undefined) return undefined
  const reason = `${other.node.node.name} has ${other.head.id} at height ${after.height}, and we stored ${after.id}`
  return { kind: 'stopped', why: 'parent_mismatch', reason }
}

/** A node that is far behind our last block, or behind the other node, only delays. */
export function findLaggard(heads: readonly SeenHead[], ourHeight: number): Condition | undefined {
  const highest = Math.max(ourHeight, ...heads.map(({ head }) => head.height))
  const laggard = heads.find(({ head }) => highest - head.height > BEHIND_TOLERATED)
  if (laggard === undefined) return undefined
  const { node, head } = laggard
  const reason = `its head is ${head.height}, our last block ${ourHeight}, the highest head ${highest}`
  return { kind: 'waiting', for: 'behind', node: node.node.name, reason }
}
