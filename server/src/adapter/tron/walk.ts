// Walks the solidified blocks from the stored end, in order and without a gap, and stores what concerns us. It never jumps to the head: a
// transfer in a block that was left out would be lost.
import type { Db } from '../../db/pool.ts'
import type { Transact } from '../../db/transaction.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'
import type { Job } from '../../worker/loop.ts'
import type { AddEvent } from './events.ts'
import { findFork, findLaggard, readHeads } from './heads.ts'
import type { TronNode } from './node.ts'
import { type ChainRow, findChain } from './queries.ts'
import { readBlocks } from './read-blocks.ts'
import { type Condition, createRate, describeCondition, type WalkState } from './state.ts'
import { storeBlocks } from './store.ts'
import { type WatchedNode, watchNode } from './watched-node.ts'

/** How often the walk looks whether it may go on. It asks a node only when a pause has ended. */
const INTERVAL_MS = 1_000
/** Two blocks. A block is solid after a minute, so this delays a payment little, and stays within what free plans of providers allow a day. */
const REST_MS = 6_000
/** Blocks that are read at once from each node. More does not help a node on the same network; fewer is slow when each call takes 100 ms. */
const AT_ONCE_MAX = 8

export interface WalkDeps {
  readonly db: Db
  readonly transact: Transact
  /** One or two. */
  readonly nodes: readonly TronNode[]
  readonly clock: Clock
  readonly log: Log
  readonly addEvent: AddEvent
}

export interface Walk {
  readonly job: Job
  /** Reads and stores the next blocks. Returns true if there are more and nothing hinders. */
  step(): Promise<boolean>
  state(): WalkState
}

interface Cursor {
  readonly height: number
  readonly id: string
  readonly time: Date
}

export function createWalk(deps: WalkDeps): Walk {
  const { db, clock, log } = deps
  const nodes = deps.nodes.map((node) => watchNode(node, clock))
  const progress = createProgress(log, nodes.length)
  const verified = new Set<WatchedNode>()
  let atOnce = AT_ONCE_MAX
  let restUntil = 0

  const step = async (): Promise<boolean> => {
    const chain = await findChain(db)
    if (chain === undefined) throw new Error('The walk was not set up.')
    const after = cursorOf(chain)
    progress.stands(after)
    const found = await readHeads(nodes, verified, chain.genesis_id)
    if (found.kind !== 'heads') return progress.enter(found)
    const fork = findFork(found.heads, after)
    if (fork !== undefined) return progress.enter(fork)
    const until = Math.min(...found.heads.map(({ head }) => head.height))
    const endAt = (height: number) => progress.enter(findLaggard(found.heads, height) ?? { kind: 'at_head' })
    if (until <= after.height) return endAt(after.height)
    const { blocks, hindrance, wasThrottled } = await readBlocks(nodes, after, until, atOnce)
    atOnce = wasThrottled ? Math.max(1, Math.floor(atOnce / 2)) : Math.min(AT_ONCE_MAX, atOnce + 1)
    const last = blocks.at(-1)
    if (last !== undefined) {
      const stored = await deps.transact((tx) => storeBlocks(tx, after, blocks, deps.addEvent))
      // Another process was faster; go on from where it is.
      if (stored === undefined) return true
      progress.stored(clock.now(), last)
      if (stored.open > 0) log.warn({ transfers: stored.open }, 'Transfers without an invoice wait for a decision.')
    }
    if (hindrance !== undefined) return progress.enter(hindrance)
    if (last?.height === until) return endAt(until)
    return !progress.enter({ kind: 'catching_up' })
  }
  const run = async (): Promise<boolean> => {
    if (clock.now().getTime() < restUntil) return false
    const isMore = await step()
    const { condition } = progress
    // A node that throttles has a pause of its own.
    const isPaused = condition.kind === 'waiting' && condition.for === 'throttled'
    if (!isMore && !isPaused) restUntil = clock.now().getTime() + REST_MS
    return isMore
  }
  return {
    step,
    job: { name: 'tron walk', intervalMs: INTERVAL_MS, run },
    state: () => progress.state(nodes.map((node) => node.state())),
  }
}

/** What the walk remembers of itself, for people. Decisions are made from the database and the nodes only. */
function createProgress(log: Log, nodeCount: number) {
  const rate = createRate()
  let cursor: Cursor | undefined
  let agreement: WalkState['agreement'] = nodeCount === 1 ? 'one_node' : 'unknown'
  const progress = {
    condition: { kind: 'starting' } as Condition,
    stands(at: Cursor): void {
      cursor = at
    },
    stored(now: Date, last: Cursor): void {
      cursor = last
      rate.add(now, last.height)
      if (nodeCount > 1) agreement = 'agree'
    },
    enter(next: Condition): false {
      logChange(log, progress.condition, next)
      progress.condition = next
      if (next.kind === 'stopped' && next.why === 'nodes_disagree') agreement = 'disagree'
      return false
    },
    state(nodes: WalkState['nodes']): WalkState {
      const heights = nodes.flatMap(({ solidHead }) => solidHead ?? [])
      const solidHead = heights.length === 0 ? undefined : Math.max(...heights)
      return {
        condition: progress.condition,
        message: describeCondition(progress.condition),
        cursor: cursor && { height: cursor.height, time: cursor.time },
        solidHead,
        lag: solidHead === undefined || cursor === undefined ? undefined : Math.max(0, solidHead - cursor.height),
        blocksPerSecond: rate.perSecond(),
        agreement,
        nodes,
      }
    },
  }
  return progress
}

function cursorOf({ height, block_id, block_time }: ChainRow): Cursor {
  return { height: Number(height), id: block_id, time: block_time }
}

/** Logs each change once, not each try. */
function logChange(log: Log, before: Condition, now: Condition): void {
  const label = (condition: Condition) =>
    condition.kind +
    (condition.kind === 'waiting' ? condition.for + condition.node : '') +
    (condition.kind === 'stopped' ? condition.why : '')
  if (label(before) === label(now)) return
  const message = describeCondition(now)
  if (now.kind === 'stopped') log.error({ alert: now.why }, message)
  else if (now.kind === 'waiting') log.warn({ node: now.node }, message)
  else log.info({}, message)
}
