// Gauges of the database as this process sees it: whether it is usable, its clock, and how busy its connections are.
import { Gauge, type Registry } from 'prom-client'
import type { Clock } from '../lib/clock.ts'
import { must } from '../lib/invariant.ts'
import { addMeasuredGauge } from '../telemetry/measured-gauge.ts'
import { remember } from '../telemetry/remember.ts'
import type { Health } from './health.ts'
import type { Db, Pool } from './pool.ts'
import { countConnections } from './queries.ts'

interface Deps {
  db: Db
  clock: Clock
  health: Health
  /** Undefined if the process was given no pool to watch. */
  poolStats: Pool['stats'] | undefined
}

export function addDatabaseMetrics(registry: Registry, { db, clock, health, poolStats }: Deps): void {
  addHealth(registry, health)
  if (poolStats !== undefined) addPool(registry, poolStats)
  const measure = remember(clock, async () =>
    must(await db.find<{ used: number; available: number }>(countConnections())),
  )
  addMeasuredGauge(
    registry,
    {
      name: 'database_connections',
      help: 'Connections of all clients to the PostgreSQL server, those of other programs included',
    },
    measure,
    ({ used }, set) => set({}, used),
  )
  addMeasuredGauge(
    registry,
    {
      name: 'database_connections_max',
      help: 'Connections that the PostgreSQL server accepts, without those reserved for superusers',
    },
    measure,
    ({ available }, set) => set({}, available),
  )
}

/** They read the monitor and cause no query. */
function addHealth(registry: Registry, health: Health): void {
  const usable: Gauge = new Gauge({
    name: 'database_usable',
    help: '1 while the database answers, writes, and its clock agrees with this machine; otherwise 0',
    aggregator: 'min',
    registers: [registry],
    collect() {
      usable.set(health.trouble() === undefined ? 1 : 0)
    },
  })
  const skew: Gauge = new Gauge({
    name: 'database_clock_skew_seconds',
    help: "By how much the database's clock is ahead of this machine's",
    aggregator: 'average',
    registers: [registry],
    collect() {
      skew.set(health.skewMs() / 1000)
    },
  })
}

function addPool(registry: Registry, stats: Pool['stats']): void {
  const connections: Gauge = new Gauge({
    name: 'database_pool_connections',
    help: "Open connections of this process's pool by state: busy or idle",
    labelNames: ['state'],
    registers: [registry],
    collect() {
      const { total, idle } = stats()
      connections.labels('busy').set(total - idle)
      connections.labels('idle').set(idle)
    },
  })
  const waiting: Gauge = new Gauge({
    name: 'database_pool_waiting',
    help: 'Statements of this process that wait for a free connection',
    registers: [registry],
    collect() {
      waiting.set(stats().waiting)
    },
  })
}
