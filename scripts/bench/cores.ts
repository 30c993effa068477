// Pins processes to cores. The kernel moves a busy thread from core to core, and each move costs it its caches. A server
// with a busy database beside it is moved far more often than one without, so an unpinned comparison would measure the
// scheduler. The database is not pinned.
import { spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'

const LAST_CORE = availableParallelism() - 1

/** True on Linux with util-linux and more than one core. */
export const canKeepOnCores = LAST_CORE > 0 && spawnSync('taskset', ['--version']).status === 0

/** Pins only the main thread, after the start. The garbage collector's threads stay free, or they would compete for its core. */
export const keepServer = (pid: number) => keep(['-c', '-p', '0', String(pid)])

export const keepLoad = (pid: number) => keep(['-a', '-c', '-p', String(LAST_CORE), String(pid)])

function keep(options: readonly string[]): void {
  if (canKeepOnCores) spawnSync('taskset', options)
}
