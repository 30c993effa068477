// A folder for databases that are thrown away: in memory, where there is enough of it.
import { mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
/** What the databases of a long run need, and as much again. */
const MEMORY_BYTES_MIN = 2_000_000_000

/** Settings for a cluster in such a folder. */
export const MEMORY_SETTINGS = {
  // The log is never read, and may be kept in memory.
  max_wal_size: '256MB',
}

/**
 * Makes a folder whose name begins with the prefix and the number of this process. A copy of a database is four hundred files, and
 * on a disk making and removing them takes four times as much CPU time as in memory.
 */
export function makeMemoryFolder(prefix: string): string {
  const parent = hasMemory() ? MEMORY : tmpdir()
  removeLeftOvers(parent, prefix)
  return mkdtempSync(join(parent, `${prefix}${process.pid} `))
}

function hasMemory(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    return bavail * bsize >= MEMORY_BYTES_MIN
  } catch {
    return false
  }
}

/** A run that was killed could not remove its folder, and nobody else would give the memory back. */
function removeLeftOvers(parent: string, prefix: string): void {
  for (const name of readdirSync(parent)) {
    if (!name.startsWith(prefix)) continue
    const [, pid] = /^(\d+) /.exec(name.slice(prefix.length)) ?? []
    if (pid === undefined || isRunning(Number(pid))) continue
    try {
      rmSync(join(parent, name), { recursive: true, force: true })
    } catch {
      // It belongs to somebody else.
    }
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // A process of somebody else may not be asked.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
