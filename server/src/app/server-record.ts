// Connects the record of the server's minutes to what it counts and measures.
import type { Db } from '../db/pool.ts'
import type { Gates } from '../issuer/gate.ts'
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import { ENVIRONMENTS } from '../lib/scope.ts'
import { measureUnfinished } from '../operations/queries.ts'
import type { MeasuredMinute } from '../programme/queries.ts'
import { createServerRecord, type ServerRecord } from '../programme/server-record.ts'
import { measureQueues } from '../webhooks/queries.ts'
import type { AllMetrics } from './metrics.ts'

/** Returns the record, and the metrics of requests and attempts with each of them counted in it. */
export function recordServer(
  { metrics, onAttempt }: AllMetrics,
  { gates, ...deps }: { db: Db; clock: Clock; log: Log; gates: Gates },
): { serverRecord: ServerRecord } & Pick<AllMetrics, 'metrics' | 'onAttempt'> {
  const serverRecord = createServerRecord({
    ...deps,
    takeCalls: () => takeCalls(gates),
    measure: (now) => measure(deps.db, now),
  })
  return {
    serverRecord,
    metrics: {
      ...metrics,
      observe(request, reply) {
        metrics.observe(request, reply)
        serverRecord.onAnswer(reply.statusCode)
      },
    },
    onAttempt(status, latencyMs) {
      onAttempt(status, latencyMs)
      serverRecord.onAttempt(status === 'delivered')
    },
  }
}

function takeCalls(gates: Gates) {
  const all = ENVIRONMENTS.flatMap((environment) => gates[environment] ?? [])
  return {
    callsInFlight: all.reduce((sum, gate) => sum + gate.takeMostCallsInFlight(), 0),
    areCallsStopped: all.some((gate) => gate.status().stopped.length > 0),
  }
}

async function measure(db: Db, now: Date): Promise<MeasuredMinute> {
  const [operations, queues] = await Promise.all([measureUnfinished(db), measureQueues(db, now)])
  const count = (wanted: string) =>
    operations.reduce((sum, { status, count: some }) => sum + (status === wanted ? some : 0), 0)
  const oldest = queues.find(({ failing }) => !failing)?.oldest ?? null
  return {
    queued: count('queued'),
    inReview: count('manual_review'),
    oldestDeliveryMs: oldest === null ? 0 : now.getTime() - oldest.getTime(),
  }
}
