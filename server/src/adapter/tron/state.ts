// What the walk shows of itself: where it is, how fast, and what it waits for. It keeps this in memory only.
import type { Stop, Waiting } from './agree.ts'

export type Condition =
  | { readonly kind: 'starting' }
  /** There are more blocks to read. */
  | { readonly kind: 'catching_up' }
  /** The newest block that every node calls solid is stored. */
  | { readonly kind: 'at_head' }
  /** Nothing is wrong with the books: it goes on by itself when the node does what is said. */
  | { readonly kind: 'waiting'; readonly for: Waiting | 'behind'; readonly node: string; readonly reason: string }
  /** Nothing is credited until somebody has looked, or until the nodes agree again. */
  | { readonly kind: 'stopped'; readonly why: Stop; readonly reason: string }

export interface NodeState {
  readonly name: string
  readonly solidHead: number | undefined
  readonly throttledSince: Date | undefined
  readonly lastError: { readonly at: Date; readonly reason: string } | undefined
}

export interface WalkState {
  readonly condition: Condition
  /** One sentence for people. */
  readonly message: string
  readonly cursor: { readonly height: number; readonly time: Date } | undefined
  /** The highest that any node has named. */
  readonly solidHead: number | undefined
  readonly lag: number | undefined
  readonly blocksPerSecond: number | undefined
  readonly agreement: 'one_node' | 'agree' | 'disagree' | 'unknown'
  readonly nodes: readonly NodeState[]
}

export function describeCondition(condition: Condition): string {
  switch (condition.kind) {
    case 'starting':
      return 'It has not read a block yet.'
    case 'catching_up':
      return 'It reads blocks that are already solid.'
    case 'at_head':
      return 'Every block that all nodes call solid is stored.'
    case 'waiting':
      return `Crediting waits for the node ${condition.node}: ${WAITS[condition.for]} (${condition.reason}). It goes on by itself.`
    case 'stopped':
      return `Crediting has stopped: ${STOPS[condition.why]} (${condition.reason}). ${REMEDIES[condition.why]}`
  }
}

const WAITS: Readonly<Record<Waiting | 'behind', string>> = {
  throttled: 'it asks for fewer requests',
  unanswered: 'it does not answer',
  unusable: 'its answers cannot be used',
  behind: 'it is behind our last block or the other node',
}

const STOPS: Readonly<Record<Stop, string>> = {
  nodes_disagree: 'the two nodes disagree',
  parent_mismatch: 'a block does not follow the last one that was stored',
  wrong_network: 'a node belongs to another network',
}

const REMEDIES: Readonly<Record<Stop, string>> = {
  nodes_disagree: 'Find out which one is right, and replace or repair the other.',
  parent_mismatch: 'Compare the block with a block explorer; if the node is wrong, use another one.',
  wrong_network: 'Correct the address of the node.',
}

/** How far back the rate looks: long enough for one step of a slow node. */
const RATE_WINDOW_MS = 60_000

/** Measures how many blocks per second were stored in the last minute. */
export function createRate() {
  let samples: { at: number; height: number }[] = []
  return {
    add(now: Date, height: number): void {
      const at = now.getTime()
      samples = [...samples.filter((sample) => at - sample.at <= RATE_WINDOW_MS), { at, height }]
    },
    perSecond(): number | undefined {
      const [first] = samples
      const last = samples.at(-1)
      if (first === undefined || last === undefined || last.at === first.at) return undefined
      return Math.round(((last.height - first.height) * 1_000) / (last.at - first.at))
    },
  }
}
