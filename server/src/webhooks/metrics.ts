// Prometheus metrics of deliveries: attempts with their outcome and duration, and what is due and for how long; and of open
// event streams.
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { Db } from '../db/pool.ts'
import type { Clock } from '../lib/clock.ts'
import { shareWhileUnderWay } from '../lib/shared-value.ts'
import type { AttemptDeps } from './attempt.ts'
import { measureQueues } from './queries.ts'

/** From a receiver next door to one that uses up its deadline. */
const BUCKETS_S = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 20]

/** A delivery that is `pending` after an attempt is tried again. */
const OUTCOMES = { delivered: 'delivered', pending: 'retry', failed: 'failed', not_sent: 'not_sent' } as const

/** Registers the metrics and returns the callback that records each delivery attempt. Labels are never ids. */
export function addWebhookMetrics(
  registry: Registry,
  { db, clock }: { db: Db; clock: Clock },
): NonNullable<AttemptDeps['onAttempt']> {
  addQueueGauges(registry, { db, clock })
  const attempts = new Counter({
    name: 'webhook_attempts_total',
    help: 'Delivery attempts of this process by outcome: delivered, retry, failed for good, or not_sent because our DNS servers did not answer',
    labelNames: ['outcome'],
    registers: [registry],
  })
  // Present from the start, so that a rate can be computed from the first attempt on.
  for (const outcome of Object.values(OUTCOMES)) attempts.labels(outcome).inc(0)
  const duration = new Histogram({
    name: 'webhook_attempt_duration_seconds',
    help: 'Time from the start of an attempt to the end of its answer, or until it was given up',
    labelNames: ['outcome'],
    buckets: BUCKETS_S,
    registers: [registry],
  })
  return (status, latencyMs) => {
    attempts.labels(OUTCOMES[status]).inc()
    duration.labels(OUTCOMES[status]).observe(latencyMs / 1000)
  }
}

/** Measures on each scrape. If the database does not answer, the other metrics are still served. */
function addQueueGauges(registry: Registry, { db, clock }: { db: Db; clock: Clock }): void {
  // All gauges are collected concurrently, so they share one measurement.
  const measure = shareWhileUnderWay(async () => {
    const now = clock.now()
    const queues = await measureQueues(db, now).catch(() => [])
    return queues.map(({ failing, due, oldest }) => ({
      state: failing ? 'failing' : 'working',
      due,
      ageSeconds: oldest === null ? 0 : (now.getTime() - oldest.getTime()) / 1000,
    }))
  })
  const due = new Gauge({
    name: 'webhook_queues_due',
    help: 'Delivery queues with something due, by state: working, or failing since the last attempt',
    aggregator: 'max',
    labelNames: ['state'],
    registers: [registry],
    async collect() {
      for (const queue of await measure()) due.labels(queue.state).set(queue.due)
    },
  })
  const age = new Gauge({
    name: 'webhook_oldest_due_age_seconds',
    help: 'Age of the delivery that has been due for longest, by the state of its endpoint',
    aggregator: 'max',
    labelNames: ['state'],
    registers: [registry],
    async collect() {
      for (const queue of await measure()) age.labels(queue.state).set(queue.ageSeconds)
    },
  })
}

export function addStreamMetrics(registry: Registry, countOpen: () => number): void {
  const open = new Gauge({
    name: 'event_streams_open',
    help: 'Event streams that are open in this process',
    registers: [registry],
    collect() {
      open.set(countOpen())
    },
  })
}
