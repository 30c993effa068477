// Where processes run. The system moves a busy thread from core to core, and each time it begins with cold caches: a
// server beside which a database works is moved far more often than one beside which there is none. Kept on cores of their
// own, it is the programs that are compared. The database stays free to run wherever there is room.
import { spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'

const LAST_CORE = availableParallelism() - 1

/** Linux with util-linux, and more than one core. */
export const canKeepOnCores = LAST_CORE > 0 && spawnSync('taskset', ['--version']).status === 0

/** Its main thread, once it has started: the collector's threads stay free, else they would take the core from it. */
export const keepServer = (pid: number) => keep(['-c', '-p', '0', String(pid)])

export const keepLoad = (pid: number) => keep(['-a', '-c', '-p', String(LAST_CORE), String(pid)])

function keep(options: readonly string[]): void {
  if (canKeepOnCores) spawnSync('taskset', options)
}
