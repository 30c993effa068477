// Decides what may be stored from what the nodes say about one height. Pure.
//
// With one node its word counts. With two, a block is stored only if both give the same block with the same transfers:
//   - both say the same: stored.
//   - both answer and differ, in the block or in a transfer: nothing is stored from this height on, and an alert is raised. It ends by
//     itself when they agree, because they are asked again and nothing of what they said before is kept.
//   - one does not answer, throttles, is behind, or gives answers that do not fit together: nothing is known yet, so crediting waits for it.
// The second node is there to catch a first one that lies or loses data. Going on with one of them whenever the other is away would let
// anybody who can silence a node choose which one is believed. An operator who prefers to go on removes the node from the settings.
import { findDifference, type SolidBlock } from './block.ts'
import type { Read } from './node.ts'

export type Waiting = 'throttled' | 'unanswered' | 'unusable'

export type Agreement =
  | { readonly kind: 'agreed'; readonly block: SolidBlock }
  | { readonly kind: 'waiting'; readonly node: number; readonly for: Waiting; readonly reason: string }
  | { readonly kind: 'stopped'; readonly why: Stop; readonly reason: string }

export type Stop = 'nodes_disagree' | 'parent_mismatch' | 'wrong_network'

/** `after` is the block that was stored last. */
export function agree(reads: readonly Read<SolidBlock>[], after: { readonly id: string }): Agreement {
  const blocks: SolidBlock[] = []
  for (const [node, read] of reads.entries()) {
    if (read.kind !== 'read') return { kind: 'waiting', node, for: read.kind, reason: read.reason }
    blocks.push(read.value)
  }
  const [first, second] = blocks
  if (first === undefined) throw new TypeError('there is at least one node')
  const difference = second === undefined ? undefined : findDifference(first, second)
  if (difference !== undefined) return { kind: 'stopped', why: 'nodes_disagree', reason: difference }
  if (first.parentId !== after.id) return parentMismatch(first.height, first.parentId, after.id)
  return { kind: 'agreed', block: first }
}

function parentMismatch(height: number, parentId: string, storedId: string): Agreement {
  const reason = `block ${height} follows ${parentId}, but the stored block before it is ${storedId}`
  return { kind: 'stopped', why: 'parent_mismatch', reason }
}
