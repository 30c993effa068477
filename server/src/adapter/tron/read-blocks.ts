// Reads the next blocks from every node, several at once, and returns those that may be stored: agreed, in order and without a gap.
import { type Agreement, agree } from './agree.ts'
import type { SolidBlock } from './block.ts'
import { fetchAhead } from './fetch-ahead.ts'
import type { Read } from './node.ts'
import type { Condition } from './state.ts'
import type { WatchedNode } from './watched-node.ts'

/** Blocks per transaction. A commit costs as much as reading several blocks, and this much is read again after a crash. */
const BLOCKS_PER_STEP = 100

export interface ReadBlocks {
  /** Follow the cursor without a gap. */
  readonly blocks: readonly SolidBlock[]
  /** Why there are no more of them. */
  readonly hindrance: Extract<Condition, { kind: 'waiting' | 'stopped' }> | undefined
  readonly wasThrottled: boolean
}

export async function readBlocks(
  nodes: readonly WatchedNode[],
  after: { readonly height: number; readonly id: string },
  until: number,
  atOnce: number,
): Promise<ReadBlocks> {
  const count = Math.min(until - after.height, BLOCKS_PER_STEP)
  const heights = Array.from({ length: count }, (_, step) => after.height + 1 + step)
  const readAll = (height: number) => Promise.all(nodes.map(({ ask, node }) => ask(() => node.readBlock(height))))
  const isFailure = (reads: readonly Read<SolidBlock>[]) => reads.some(({ kind }) => kind !== 'read')
  const results = await fetchAhead(heights, atOnce, readAll, isFailure)
  const wasThrottled = results.some((reads) => reads.some(({ kind }) => kind === 'throttled'))
  const blocks: SolidBlock[] = []
  for (const reads of results) {
    const agreed = agree(reads, blocks.at(-1) ?? after)
    if (agreed.kind !== 'agreed') return { blocks, hindrance: toCondition(agreed, nodes), wasThrottled }
    blocks.push(agreed.block)
  }
  return { blocks, hindrance: undefined, wasThrottled }
}

function toCondition(agreement: Exclude<Agreement, { kind: 'agreed' }>, nodes: readonly WatchedNode[]) {
  if (agreement.kind === 'stopped') return agreement
  const node = nodes[agreement.node]?.node.name ?? ''
  return { kind: 'waiting', for: agreement.for, node, reason: agreement.reason } as const
}
