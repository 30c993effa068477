// Delivering: claim the lines of endpoints, serve them. A line has one holder at a time, so that nothing is sent twice on
// purpose; a holder that dies loses it to another, and nothing is lost.
import { randomUUID } from 'node:crypto'
import type { Job } from '../worker/loop.ts'
import type { AttemptDeps } from './attempt.ts'
import { createDesk } from './desk.ts'
import { claimLines, type LineKey } from './queries.ts'
import { type HeldLine, serveLine } from './serve-line.ts'

/** The literal in claim_lines. */
const CLAIM_SIZE = 10
/** Lines in hand at most. Those that are failing have places of their own: they never take one from the others. */
const LINES_MAX = 300
/** Polling is what can be relied on: a delivery starts within this when nobody wakes the worker. */
const POLL_INTERVAL_MS = 50
/** On a stop: what is still under way then is given up, and sent again by another. */
const STOP_WITHIN_MS = 5_000

export interface Deliverer {
  readonly jobs: readonly Job[]
  /** To be called after the jobs have stopped. */
  stop(): Promise<void>
}

export function createDeliverer(deps: AttemptDeps): Deliverer {
  const { db, clock, log } = deps
  const holder = randomUUID()
  const state = { stopping: false, givenUp: false }
  const desk = createDesk(deps, { holder, state, linesMax: LINES_MAX })
  const serving = { working: new Map<string, Promise<void>>(), failing: new Map<string, Promise<void>>() }
  /** Claimed while this worker still has it in hand: given back a moment ago, or its lease ran out. Served next. */
  const again = new Map<string, () => void>()
  const begin = (line: HeldLine, mine: Map<string, Promise<void>>) => {
    const key = keyOf(line.key)
    if (serving.working.has(key) || serving.failing.has(key)) {
      again.set(key, () => begin(line, mine))
      return
    }
    const work = serveLine(deps, desk, line)
      .catch((error: unknown) => log.error({ error, endpointId: line.key.endpoint_id }, 'a line was left to its lease'))
      .finally(() => {
        mine.delete(key)
        const next = again.get(key)
        again.delete(key)
        next?.()
      })
    mine.set(key, work)
  }
  const claimJob = (name: string, isFailing: boolean): Job => {
    const mine = isFailing ? serving.failing : serving.working
    return {
      name,
      intervalMs: POLL_INTERVAL_MS,
      async run() {
        if (mine.size + CLAIM_SIZE > LINES_MAX) return false
        const heldSinceMs = performance.now()
        const lines = await claimLines(db, clock.now(), desk.leaseUntil(), holder, isFailing)
        for (const { failures, ...key } of lines) begin({ key, failures, heldSinceMs }, mine)
        return lines.length === CLAIM_SIZE
      },
    }
  }
  return {
    jobs: [claimJob('webhooks', false), claimJob('failing-webhooks', true)],
    async stop() {
      state.stopping = true
      const finished = Promise.all([...serving.working.values(), ...serving.failing.values()])
      await Promise.race([finished, new Promise((resolve) => setTimeout(resolve, STOP_WITHIN_MS).unref())])
      state.givenUp = true
    },
  }
}

function keyOf(line: LineKey): string {
  return `${line.company_id} ${line.environment} ${line.endpoint_id}`
}
