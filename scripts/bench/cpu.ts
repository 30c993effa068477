// Reads how much CPU time processes have used, on Linux. Unlike a rate, CPU time per request hardly depends on what else the
// machine is doing.
import { existsSync, readFileSync } from 'node:fs'
import type { Db } from '../../server/src/db/pool.ts'
import { sql } from '../../server/src/db/sql.ts'

/** The kernel counts in hundredths of a second for programs, whatever its own clock is. */
const MS_PER_TICK = 10
/** Positions in /proc/<pid>/stat, counted from after the name of the program, which may contain spaces. */
const [PARENT, OWN_USER, OWN_SYSTEM, ENDED_USER, ENDED_SYSTEM] = [1, 11, 12, 13, 14] as const

export const canReadCpu = existsSync('/proc/self/stat')

/** Returns the CPU time of all threads of a process in ms, and that of its children that have ended. */
export function cpuMs(pid: number): number {
  const fields = readStat(pid)
  const ticks = [OWN_USER, OWN_SYSTEM, ENDED_USER, ENDED_SYSTEM].map((position) => Number(fields[position] ?? 0))
  return MS_PER_TICK * ticks.reduce((sum, count) => sum + count, 0)
}

/** Returns the CPU time of PostgreSQL with all its processes in ms. */
export function databaseCpuMs(postmaster: number): number {
  const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8').trim().split(' ')
  return [postmaster, ...children.map(Number)].reduce((sum, pid) => sum + cpuMs(pid), 0)
}

/** Returns the process of PostgreSQL that started all its others. */
export async function findPostmaster(db: Db): Promise<number> {
  const backend = await db.find<{ pid: number }>(sql`select pg_backend_pid() as pid`)
  return Number(readStat(backend?.pid ?? 0)[PARENT])
}

/** Returns no fields for a process that has just ended. Its parent then has its time. */
function readStat(pid: number): string[] {
  const file = `/proc/${pid}/stat`
  if (!existsSync(file)) return []
  const text = readFileSync(file, 'utf8')
  return text.slice(text.lastIndexOf(')') + 2).split(' ')
}
