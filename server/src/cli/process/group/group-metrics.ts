// The metrics of a group: those of its processes added up, or their largest or smallest where all of them see the same
// database, and how many processes there are.
import type { Worker } from 'node:cluster'
import type { ChildRole, ToSupervisor } from './messages.ts'
import { send } from './send.ts'

export interface GroupMetrics {
  read(): Promise<string>
  collected(message: Extract<ToSupervisor, { type: 'collected' }>): void
  countRestart(role: ChildRole): void
}

/** A process that does not answer within this is left out. */
const COLLECT_DEADLINE_MS = 1_000

export function createGroupMetrics(list: () => readonly { worker: Worker; role: ChildRole }[]): GroupMetrics {
  const restarts = new Map<ChildRole, number>()
  const waiting = new Map<number, (metrics: readonly object[]) => void>()
  let lastId = 0
  const collect = (worker: Worker) =>
    new Promise<readonly object[]>((resolve) => {
      lastId += 1
      const id = lastId
      const finish = (metrics: readonly object[]) => {
        clearTimeout(timer)
        waiting.delete(id)
        resolve(metrics)
      }
      const timer = setTimeout(() => finish([]), COLLECT_DEADLINE_MS)
      waiting.set(id, finish)
      send(worker, { type: 'collect', id })
    })
  return {
    async read() {
      // Loaded by the first reader: a supervisor that loads it while it starts is ready a twentieth of a second later.
      const { AggregatorRegistry, Counter, Gauge, Registry } = await import('prom-client')
      const all = await Promise.all(list().map(({ worker }) => collect(worker)))
      const own = new Registry()
      const running = new Gauge({
        name: 'cardstock_processes',
        help: 'Processes of this group, by role',
        labelNames: ['role'],
        registers: [own],
      })
      for (const { role } of list()) running.labels(role).inc()
      const restarted = new Counter({
        name: 'cardstock_process_restarts_total',
        help: 'Processes of this group that ended by themselves and were started again, by role',
        labelNames: ['role'],
        registers: [own],
      })
      for (const [role, count] of restarts) restarted.labels(role).inc(count)
      return AggregatorRegistry.aggregate([...all, await own.getMetricsAsJSON()]).metrics()
    },
    collected: ({ id, metrics }) => waiting.get(id)?.(metrics),
    countRestart: (role) => void restarts.set(role, (restarts.get(role) ?? 0) + 1),
  }
}
