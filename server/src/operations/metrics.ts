// Gauges of operations that are not finished: how many there are, what they hold, and how long they have been due.
import type { Registry } from 'prom-client'
import type { Db } from '../db/pool.ts'
import type { Clock } from '../lib/clock.ts'
import { formatId } from '../lib/ids.ts'
import { addMeasuredGauge } from '../telemetry/measured-gauge.ts'
import { remember } from '../telemetry/remember.ts'
import { ENVIRONMENTS } from '../lib/scope.ts'
import { measureDueQueues, measureUnfinished } from './queries.ts'

const STATUSES = ['queued', 'processing', 'manual_review'] as const
/** The companies that wait for longest. More would make a time series of every company. */
const COMPANIES_SHOWN = 10

interface Deps {
  db: Db
  clock: Clock
  /** Whether only the operator can read the metrics, so that they may name companies. */
  isPrivate: boolean
}

export function addOperationMetrics(registry: Registry, { db, clock, isPrivate }: Deps): void {
  addUnfinished(registry, { db, clock })
  const measure = remember(clock, () => measureAges({ db, clock }))
  addMeasuredGauge(
    registry,
    {
      name: 'operation_queue_age_seconds',
      help: 'How long the operation that has waited for longest has been due',
      labelNames: ['environment'],
    },
    measure,
    (ages, set) => {
      for (const { environment, companies } of ages) set({ environment }, companies[0]?.ageSeconds ?? 0)
    },
  )
  if (!isPrivate) return
  addMeasuredGauge(
    registry,
    {
      name: 'operation_queue_company_age_seconds',
      help: `The same by company, for the ${COMPANIES_SHOWN} companies that have waited for longest`,
      labelNames: ['environment', 'company'],
    },
    measure,
    (ages, set) => {
      for (const { environment, companies } of ages)
        for (const { company, ageSeconds } of companies) set({ environment, company }, ageSeconds)
    },
  )
}

function addUnfinished(registry: Registry, { db, clock }: { db: Db; clock: Clock }): void {
  const measure = remember(clock, () => measureUnfinished(db))
  addMeasuredGauge(
    registry,
    {
      name: 'operations_unfinished',
      help: 'Operations that are not completed or failed, by status; counted up to 100000',
      labelNames: ['status'],
    },
    measure,
    (rows, set) => {
      for (const status of STATUSES) {
        const counts = rows.filter((row) => row.status === status).map(({ count }) => count)
        set(
          { status },
          counts.reduce((sum, count) => sum + count, 0),
        )
      }
    },
  )
  addMeasuredGauge(
    registry,
    {
      name: 'held_funds_dollars',
      help: 'What unfinished operations hold, with fees, by status; of the first 100000 operations of a status',
      labelNames: ['environment', 'status'],
    },
    measure,
    (rows, set) => {
      for (const environment of ENVIRONMENTS) {
        for (const status of STATUSES) {
          const row = rows.find((found) => found.environment === environment && found.status === status)
          set({ environment, status }, row?.held_dollars ?? 0)
        }
      }
    },
  )
}

/** Returns for each environment the companies whose operations have been due for longest, the longest first. */
async function measureAges({ db, clock }: { db: Db; clock: Clock }) {
  const now = clock.now()
  const measured = ENVIRONMENTS.map(async (environment) => ({
    environment,
    companies: (await measureDueQueues(db, environment, now, COMPANIES_SHOWN)).map((row) => ({
      company: formatId('co', row.company_id),
      ageSeconds: (now.getTime() - row.due_at.getTime()) / 1000,
    })),
  }))
  return Promise.all(measured)
}
