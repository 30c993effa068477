// Starts a process of a group. The first one can be started before anybody has a task for it, because loading the server takes longest of a
// start.
import cluster, { type Worker } from 'node:cluster'
import { packagePath } from '../../../lib/package-path.ts'
import type { ToSupervisor } from './messages.ts'

export interface Forked {
  readonly worker: Worker
  /** Whether it has asked for its task already. */
  readonly isIdle: boolean
}

type Environ = Readonly<Record<string, string>>

const CHILD = packagePath('program/dist/child.js')

let early: Forked | undefined

/** Starts the process that the first call of `fork` returns. It has the environment of this process, and ends with it. */
export function forkEarly(): void {
  const worker = start({})
  const forked = { worker, isIdle: false }
  worker.once('message', ({ type }: ToSupervisor) => (forked.isIdle = type === 'idle'))
  worker.on('error', () => undefined)
  early = forked
}

/** `environ` is what changes in the environment. */
export function fork(environ: Environ): Forked {
  const waiting = early
  early = undefined
  if (waiting !== undefined && !waiting.worker.isDead() && Object.keys(environ).length === 0) return waiting
  waiting?.worker.kill()
  return { worker: start(environ), isIdle: false }
}

function start(environ: Environ): Worker {
  // Each process accepts connections itself. If the supervisor handed them on, as Node does by default, one that it handed to a
  // process that has just died would neither be answered nor closed.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  cluster.setupPrimary({ exec: CHILD, args: ['serve', '--child'] })
  return cluster.fork(environ)
}
