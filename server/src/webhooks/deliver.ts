// Delivers events: claims the delivery queues of endpoints and serves them. A queue has one worker at a time, so that
// nothing is sent twice on purpose; when a worker dies, another takes over its queues, so that nothing is lost.
import type { Job } from '../worker/loop.ts'
import { createPolling, type Polling, pollingJob } from '../worker/polling.ts'
import type { AttemptDeps } from './attempt.ts'
import { createDeliverySlots } from './delivery-slots.ts'
import { createDeliveryWorker } from './delivery-worker.ts'
import { claimQueues, type QueueKey } from './queries.ts'
import { type ClaimedQueue, serveQueue } from './serve-queue.ts'

/** The literal in claim_delivery_queues. */
const CLAIM_SIZE = 10
/** Queues served at a time. Failing queues have this many places of their own and never take one from the others. */
const QUEUES_MAX = 300
/** On a stop: attempts that take longer are given up, and another worker makes them again. */
const STOP_WITHIN_MS = 5_000

export interface Deliverer {
  readonly jobs: readonly Job[]
  /** Must be called after the jobs have stopped. */
  stop(): Promise<void>
}

/** An event does not wake the jobs: its delivery starts when they look for work again. */
export function createDeliverer(deps: AttemptDeps & { polling?: Polling }): Deliverer {
  const { db, clock, log, polling = createPolling() } = deps
  const worker = createDeliveryWorker(deps, QUEUES_MAX)
  const serveDeps = { ...deps, slots: createDeliverySlots() }
  const serving = { working: new Map<string, Promise<void>>(), failing: new Map<string, Promise<void>>() }
  /** Queues claimed again while this worker still serves them: handed back a moment ago, or their lease ran out. */
  const claimedAgain = new Map<string, () => void>()
  const begin = (queue: ClaimedQueue, mine: Map<string, Promise<void>>) => {
    const key = keyOf(queue.key)
    if (serving.working.has(key) || serving.failing.has(key)) {
      claimedAgain.set(key, () => begin(queue, mine))
      return
    }
    const work = serveQueue(serveDeps, worker, queue)
      .catch((error: unknown) =>
        log.error(
          { error, endpointId: queue.key.endpoint_id },
          'Serving a delivery queue failed; its lease will expire.',
        ),
      )
      .finally(() => {
        mine.delete(key)
        const next = claimedAgain.get(key)
        claimedAgain.delete(key)
        next?.()
      })
    mine.set(key, work)
  }
  const claimJob = (name: string, isFailing: boolean): Job => {
    const mine = isFailing ? serving.failing : serving.working
    return pollingJob(name, polling, async () => {
      if (mine.size + CLAIM_SIZE > QUEUES_MAX) return false
      const claimedAtMs = performance.now()
      const queues = await claimQueues(db, clock.now(), worker.leaseUntil(), worker.id, isFailing)
      if (queues.length > 0) polling.hurry()
      for (const { failures, ...key } of queues) begin({ key, failures, claimedAtMs }, mine)
      return queues.length === CLAIM_SIZE
    })
  }
  return {
    jobs: [claimJob('webhooks', false), claimJob('failing-webhooks', true)],
    async stop() {
      worker.stop()
      const finished = Promise.all([...serving.working.values(), ...serving.failing.values()])
      await Promise.race([finished, new Promise((resolve) => setTimeout(resolve, STOP_WITHIN_MS).unref())])
      worker.giveUp()
    },
  }
}

function keyOf(queue: QueueKey): string {
  return `${queue.company_id} ${queue.environment} ${queue.endpoint_id}`
}
