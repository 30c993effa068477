// Tells people how far a backup or a restore is, at most once a second.
import type { Clock } from '../lib/clock.ts'

const INTERVAL_MS = 1_000

export interface Progress {
  /** A part of this table is done. */
  tick(table: string): void
  /** The table is done. */
  add(table: string, bytes: number): void
}

export function createProgress(
  { clock, note }: { clock: Clock; note(text: string): void },
  { verb, size }: { verb: string; size: number },
): Progress {
  let done = 0
  let last = clock.now().getTime()
  const tick = (table: string) => {
    const now = clock.now().getTime()
    if (now - last < INTERVAL_MS) return
    last = now
    note(`${verb} ${formatBytes(done)} of ${formatBytes(size)}; at ${table}`)
  }
  return {
    tick,
    add(table, bytes) {
      done += bytes
      tick(table)
    },
  }
}

export function formatBytes(bytes: number): string {
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(0)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}
