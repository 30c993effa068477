// Gauges of the database as this process sees it. They read the monitor and cause no query.
import { Gauge, type Registry } from 'prom-client'
import type { Health } from './health.ts'

export function addDatabaseMetrics(registry: Registry, health: Health): void {
  const usable: Gauge = new Gauge({
    name: 'database_usable',
    help: '1 while the database answers, writes, and its clock agrees with this machine; otherwise 0',
    registers: [registry],
    collect() {
      usable.set(health.trouble() === undefined ? 1 : 0)
    },
  })
  const skew: Gauge = new Gauge({
    name: 'database_clock_skew_seconds',
    help: "By how much the database's clock is ahead of this machine's",
    registers: [registry],
    collect() {
      skew.set(health.skewMs() / 1000)
    },
  })
}
