// A node with what is remembered about it: its head, its last error, and until when it must not be asked because it throttles.
import type { Clock } from '../../lib/clock.ts'
import type { Read, TronNode } from './node.ts'
import type { NodeState } from './state.ts'

/** Doubled while the node goes on throttling, so that it is left alone; never so long that the end of the throttling is missed for long. */
const PAUSE_MS = 1_000
const PAUSE_MS_MAX = 30_000

export interface WatchedNode {
  readonly node: TronNode
  /** Asks the node, unless it must not be asked yet, and remembers the outcome. */
  ask<Value>(read: () => Promise<Read<Value>>): Promise<Read<Value>>
  sawHead(height: number): void
  state(): NodeState
}

export function watchNode(node: TronNode, clock: Clock): WatchedNode {
  let solidHead: number | undefined
  let throttledSince: Date | undefined
  let lastError: NodeState['lastError']
  let pauseMs = PAUSE_MS
  let pausedUntil = 0

  const remember = (read: Read<unknown>): void => {
    const now = clock.now()
    if (read.kind === 'read') {
      // Calls that were under way when it began to throttle may still succeed.
      if (now.getTime() < pausedUntil) return
      throttledSince = undefined
      pauseMs = PAUSE_MS
      return
    }
    lastError = { at: now, reason: read.reason }
    if (read.kind !== 'throttled') return
    throttledSince ??= now
    // Several calls are under way at once; together they are one request to slow down.
    if (now.getTime() < pausedUntil) return
    pausedUntil = now.getTime() + pauseMs
    pauseMs = Math.min(pauseMs * 2, PAUSE_MS_MAX)
  }
  return {
    node,
    async ask(read) {
      if (clock.now().getTime() < pausedUntil) {
        return { kind: 'throttled', reason: `it is asked again at ${new Date(pausedUntil).toISOString()}` }
      }
      const outcome = await read()
      remember(outcome)
      return outcome
    },
    sawHead(height) {
      solidHead = height
    },
    state: () => ({ name: node.name, solidHead, throttledSince, lastError }),
  }
}
