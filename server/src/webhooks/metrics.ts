// What can be watched of the deliveries: every attempt with its outcome and time, and what is due and how long since.
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { Db } from '../db/pool.ts'
import type { Clock } from '../lib/clock.ts'
import { shareWhileUnderWay } from '../lib/share.ts'
import type { AttemptDeps } from './attempt.ts'
import { measureLines } from './queries.ts'

/** From a receiver next door to one that uses up its deadline. */
const BUCKETS_S = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 20]

/** A delivery that is `pending` after an attempt is tried again. */
const OUTCOMES = { delivered: 'delivered', pending: 'retry', failed: 'failed' } as const

/** Answers what is to be told of every attempt. Labels are outcomes and states, never ids. */
export function addWebhookMetrics(
  registry: Registry,
  { db, clock }: { db: Db; clock: Clock },
): NonNullable<AttemptDeps['onAttempt']> {
  addLineGauges(registry, { db, clock })
  const attempts = new Counter({
    name: 'webhook_attempts_total',
    help: 'Attempts of this process to deliver an event, by outcome: delivered, retry, or failed for good',
    labelNames: ['outcome'],
    registers: [registry],
  })
  // There from the start, so that a rate can be taken of the first one.
  for (const outcome of Object.values(OUTCOMES)) attempts.labels(outcome).inc(0)
  const duration = new Histogram({
    name: 'webhook_attempt_duration_seconds',
    help: 'Time from the beginning of an attempt to the end of its answer, or to giving it up',
    labelNames: ['outcome'],
    buckets: BUCKETS_S,
    registers: [registry],
  })
  return (status, latencyMs) => {
    attempts.labels(OUTCOMES[status]).inc()
    duration.labels(OUTCOMES[status]).observe(latencyMs / 1000)
  }
}

/** Asked when somebody scrapes. Metrics without these figures are better than none. */
function addLineGauges(registry: Registry, { db, clock }: { db: Db; clock: Clock }): void {
  // All gauges are collected at once, so one must not wait for what another sets.
  const measure = shareWhileUnderWay(async () => {
    const now = clock.now()
    const lines = await measureLines(db, now).catch(() => [])
    return lines.map(({ failing, due, oldest }) => ({
      state: failing ? 'failing' : 'working',
      due,
      ageSeconds: oldest === null ? 0 : (now.getTime() - oldest.getTime()) / 1000,
    }))
  })
  const due = new Gauge({
    name: 'webhook_lines_due',
    help: 'Endpoints with a delivery that is due, by state: working, or failing since the last attempt',
    labelNames: ['state'],
    registers: [registry],
    async collect() {
      for (const line of await measure()) due.labels(line.state).set(line.due)
    },
  })
  const age = new Gauge({
    name: 'webhook_oldest_due_age_seconds',
    help: 'How long the delivery has been due that has waited for longest, by the state of its endpoint',
    labelNames: ['state'],
    registers: [registry],
    async collect() {
      for (const line of await measure()) age.labels(line.state).set(line.ageSeconds)
    },
  })
}
