// Gauges of the background work: what is queued, and how long the oldest review has been waiting.
import { Gauge, type Registry } from 'prom-client'
import type { Db } from '../db/pool.ts'
import type { Clock } from '../lib/clock.ts'
import { shareWhileUnderWay } from '../lib/share.ts'
import { measureQueue } from './queries.ts'

/** Queries the database on each scrape. If that fails, the other metrics are still served. */
export function addOperationMetrics(registry: Registry, { db, clock }: { db: Db; clock: Clock }): void {
  // The gauges are collected concurrently and share one measurement. Each sets itself: a gauge that another one sets could
  // show the figure of the previous scrape.
  const measure = shareWhileUnderWay(() => measureQueue(db).catch(() => undefined))
  const age = new Gauge({
    name: 'review_oldest_age_seconds',
    help: 'How long the oldest operation in manual review has been there',
    registers: [registry],
    async collect() {
      const queue = await measure()
      if (queue === undefined) return
      const oldest = queue.oldest_review
      age.set(oldest === null ? 0 : Math.max(0, (clock.now().getTime() - oldest.getTime()) / 1000))
    },
  })
  const gauge = new Gauge({
    name: 'operations_unfinished',
    help: 'Operations that are not completed or failed, by status',
    labelNames: ['status'],
    registers: [registry],
    async collect() {
      const queue = await measure()
      if (queue === undefined) return
      gauge.labels('queued').set(queue.queued)
      gauge.labels('processing').set(queue.processing)
      gauge.labels('manual_review').set(queue.in_review)
    },
  })
}
