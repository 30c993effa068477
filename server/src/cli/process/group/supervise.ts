// The supervisor of a group of processes on one machine: it shares the port between those that answer requests, starts a
// dead one again, and stops all of them. It serves no requests itself. Rejected: child processes with SO_REUSEPORT, which
// Node has only since version 22.
import type { Worker } from 'node:cluster'
import type { Connection } from '../../../db/pool.ts'
import type { Log } from '../../../lib/log.ts'
import type { Undo } from '../stop.ts'
import { fork } from './fork.ts'
import { createGroupMetrics, type GroupMetrics } from './group-metrics.ts'
import type { ChildRole, Ports, Task, ToChild, ToSupervisor } from './messages.ts'
import { createTakeAll } from './take-all.ts'
import { send } from './send.ts'

export interface GroupOptions {
  /**
   * Resolves when the database is prepared, with the private one. Undefined: each process opens the one in DATABASE_URL. The first
   * process loads the server meanwhile.
   */
  readonly connection: Promise<Connection | undefined>
  /** What changes in the environment of its processes. */
  readonly environ: Readonly<Record<string, string>>
  readonly ports: Ports
  readonly log: Log
  /** How many processes have each role. */
  readonly counts: Readonly<Record<ChildRole, number>>
  readonly undo: Undo
  /** Called when no process is left that works, and none can be started. */
  onGivenUp(): void
}

interface Child {
  readonly role: ChildRole
  readonly ended: Promise<void>
  /** When it began to serve, in milliseconds. Undefined: it has not yet. */
  readyAt: number | undefined
}

/** The pause before a dead process is started again. It doubles with each failure in a row. */
const RESTART_MS_MIN = 100
const RESTART_MS_MAX = 5_000
/** About half a minute of failures in a row. */
const FAILURES_MAX = 10
/** A process that served this long does not end because of how it starts, so its end is the first failure of a new row. */
const STABLE_MS = 10_000

/** Resolves when every process is ready. Rejects with the reason if the first one cannot start. */
export async function startGroup({
  connection,
  environ,
  ports,
  log,
  counts,
  undo,
  onGivenUp,
}: GroupOptions): Promise<void> {
  const alive = new Map<Worker, Child>()
  const metrics = createGroupMetrics(() => listReady(alive))
  const answer = createAnswer(alive, metrics)
  let stopping = false
  const backOff = createBackOff()

  const launch = (role: ChildRole, isFirst: boolean) =>
    new Promise<void>((resolve, reject) => {
      const { worker, isIdle } = fork(environ)
      let reason: Error | undefined
      const ended = new Promise<void>((done) => {
        worker.once('exit', (code, signal) => {
          const servedMs = performance.now() - (alive.get(worker)?.readyAt ?? performance.now())
          alive.delete(worker)
          reject(reason ?? new Error(`The ${role} process ended (${signal ?? `code ${code}`}) before it was ready.`))
          done()
          if (!stopping && !isFirst) replace(role, servedMs, { code, signal, reason: reason?.message })
        })
      })
      alive.set(worker, { role, ended, readyAt: undefined })
      const receive = (message: ToSupervisor) => {
        if (message.type === 'idle') {
          // A stop that was sent to it earlier is lost.
          if (stopping) send(worker, { type: 'stop' })
          else void giveTask(worker, { role, isFirst, ports, sharesLimits: counts.api > 1 })
        } else if (message.type === 'ready') {
          const own = alive.get(worker)
          if (own !== undefined) own.readyAt = performance.now()
          isFirst = false
          resolve()
        } else if (message.type === 'failed') reason = Object.assign(new Error(message.message), { name: message.name })
        else answer(worker, message)
      }
      worker.on('message', receive)
      worker.on('error', () => undefined)
      if (isIdle) receive({ type: 'idle' })
    })
  const giveTask = async (worker: Worker, task: Omit<Task, 'connection'>) => {
    const message = await connection.then(
      (found): ToChild => (stopping ? { type: 'stop' } : { type: 'task', task: { ...task, connection: found } }),
      (): ToChild => ({ type: 'stop' }),
    )
    send(worker, message)
  }
  const replace = (role: ChildRole, servedMs: number, how: object) => {
    const { isHopeless, pauseMs } = backOff(role, servedMs)
    if (isHopeless && listReady(alive).length === 0) {
      log.fatal({ role, ...how }, 'No process is left, and none can be started. The server stops.')
      onGivenUp()
      return
    }
    log.error({ role, ...how }, 'A process ended. Another one is started.')
    metrics.countRestart(role)
    setTimeout(() => {
      if (!stopping) launch(role, false).catch(() => undefined)
    }, pauseMs)
  }
  const stopAll = async () => {
    stopping = true
    for (const worker of alive.keys()) send(worker, { type: 'stop' })
    await Promise.all([...alive.values()].map(({ ended }) => ended))
  }
  // The others need the credentials that the first one makes.
  const first = launch('api', true)
  // If the database cannot be prepared, that is the error to report.
  first.catch(() => undefined)
  await connection.catch(async (error: unknown) => {
    await stopAll()
    throw error
  })
  // Pushed after what stops the database, so that the processes stop first.
  undo.push(stopAll)
  await first
  // One that cannot start is started again like one that ended later.
  await Promise.allSettled(listOthers(counts).map((role) => launch(role, false)))
}

function listReady(alive: ReadonlyMap<Worker, Child>): { worker: Worker; role: ChildRole }[] {
  return [...alive].flatMap(([worker, { role, readyAt }]) => (readyAt === undefined ? [] : [{ worker, role }]))
}

/** Returns a function that counts the failures in a row of each role, and says how long to wait before the next start. */
function createBackOff() {
  const failures = { api: 0, worker: 0 }
  return (role: ChildRole, servedMs: number) => {
    failures[role] = servedMs >= STABLE_MS ? 1 : failures[role] + 1
    const pauseMs = Math.min(RESTART_MS_MAX, RESTART_MS_MIN * 2 ** (failures[role] - 1))
    return { isHopeless: failures[role] > FAILURES_MAX, pauseMs }
  }
}

/** The roles of all processes but the first. */
function listOthers({ api, worker }: GroupOptions['counts']): ChildRole[] {
  const first = Array.from({ length: api - 1 }, () => 'api' as const)
  return [...first, ...Array.from({ length: worker }, () => 'worker' as const)]
}

type Question = Exclude<ToSupervisor, { type: 'idle' | 'ready' | 'failed' }>

/** Returns a function that answers what a process asks or says while it serves. */
function createAnswer(alive: ReadonlyMap<Worker, Child>, metrics: GroupMetrics) {
  const takeAll = createTakeAll()
  return (worker: Worker, message: Question) => {
    switch (message.type) {
      case 'collected':
        return metrics.collected(message)
      case 'take':
        return send(worker, { type: 'answer', id: message.id, value: takeAll(message.requests) })
      case 'metrics':
        return void metrics.read().then((value) => send(worker, { type: 'answer', id: message.id, value }))
      case 'accepted':
        for (const [other, { role }] of alive) if (role === 'worker') send(other, { type: 'wake' })
    }
  }
}
