// Gauges of the reviews of all kinds: how many wait for a decision, and for how long the oldest has waited.
import type { Registry } from 'prom-client'
import type { Db } from '../db/pool.ts'
import type { Clock } from '../lib/clock.ts'
import { addMeasuredGauge } from '../telemetry/measured-gauge.ts'
import { remember } from '../telemetry/remember.ts'
import { measureReviews } from './queries.ts'

export function addReviewMetrics(registry: Registry, { db, clock }: { db: Db; clock: Clock }): void {
  const measure = remember(clock, () => measureReviews(db))
  addMeasuredGauge(
    registry,
    {
      name: 'reviews_open',
      help: 'Objects in manual review, by what they are; counted up to 10000',
      labelNames: ['object'],
    },
    measure,
    (reviews, set) => {
      for (const { object, count } of reviews) set({ object }, count)
    },
  )
  addMeasuredGauge(
    registry,
    { name: 'review_oldest_age_seconds', help: 'How long the oldest review has waited for a decision' },
    measure,
    (reviews, set) => {
      const since = reviews.flatMap(({ oldest }) => (oldest === null ? [] : [oldest.getTime()]))
      set({}, since.length === 0 ? 0 : Math.max(0, (clock.now().getTime() - Math.min(...since)) / 1000))
    },
  )
}
