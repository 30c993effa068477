// A folder for databases that are thrown away: in memory, where there is enough of it.
import { mkdtempSync, statfsSync } from 'node:fs'
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
 * Makes a folder whose name begins with the prefix. A copy of a database is four hundred files, and on a disk making and
 * removing them takes four times as much CPU time as in memory.
 */
export function makeMemoryFolder(prefix: string): string {
  return mkdtempSync(join(hasMemory() ? MEMORY : tmpdir(), prefix))
}

function hasMemory(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    return bavail * bsize >= MEMORY_BYTES_MIN
  } catch {
    return false
  }
}
