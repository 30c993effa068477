// Prometheus metrics of e-mails: attempts by their outcome, what waits and for how long, and what failed within a day.
import { Counter, type Registry } from 'prom-client'
import type { Db } from '../db/pool.ts'
import type { Clock } from '../lib/clock.ts'
import { addMeasuredGauge } from '../telemetry/measured-gauge.ts'
import { remember } from '../telemetry/remember.ts'
import { measureMails } from './queries.ts'

const DAY_MS = 86_400_000

/** Registers the metrics and returns the counter of attempts. */
export function addMailMetrics(registry: Registry, { db, clock }: { db: Db; clock: Clock }): Counter<'outcome'> {
  const measure = remember(clock, () => measureMails(db, new Date(clock.now().getTime() - DAY_MS)))
  type Measured = Awaited<ReturnType<typeof measure>>
  const add = (description: { name: string; help: string }, read: (value: NonNullable<Measured>) => number) =>
    addMeasuredGauge(registry, description, measure, (value, set) => value && set({}, read(value)))
  add({ name: 'mails_waiting', help: 'E-mails that wait to be sent' }, ({ waiting }) => waiting)
  add(
    { name: 'mails_failed', help: 'E-mails of the last day that no further attempt is made for' },
    (value) => value.failed,
  )
  add({ name: 'mail_oldest_age_seconds', help: 'How long the oldest e-mail has waited to be sent' }, ({ oldest }) =>
    oldest === null ? 0 : Math.max(0, (clock.now().getTime() - oldest.getTime()) / 1000),
  )
  const attempts = new Counter({
    name: 'mail_attempts_total',
    help: 'Attempts of this process to send an e-mail by outcome: sent, retry, or failed for good',
    labelNames: ['outcome'],
    registers: [registry],
  })
  // Present from the start, so that a rate can be computed from the first attempt on.
  for (const outcome of ['sent', 'retry', 'failed']) attempts.labels(outcome).inc(0)
  return attempts
}
