// Counts the records that the request log had to drop.
import { Gauge, type Registry } from 'prom-client'
import type { RequestLog } from './record.ts'

export function addRequestLogMetrics(registry: Registry, requestLog: Pick<RequestLog, 'dropped'>): void {
  const gauge = new Gauge({
    name: 'request_log_dropped_records',
    help: 'Records of the request log that were dropped since the start',
    registers: [registry],
    collect() {
      gauge.set(requestLog.dropped())
    },
  })
}
