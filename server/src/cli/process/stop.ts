// Stopping a server: on a signal, in the reverse order of starting, and within a limit.
import type { Log } from '../../lib/log.ts'

/** What has to be undone, in the order in which it was done. */
export type Undo = (() => Promise<unknown>)[]

/** Requests and batches under way get this long, then the process ends anyway. */
const STOP_TIMEOUT_MS = 10_000

export interface StopOptions {
  /** What stopping may take in addition, such as the time in which a server drains. */
  readonly graceMs?: number
  /** Whether a second signal changes nothing. */
  readonly ignoresRepeated?: boolean
}

/** Returns the function that ends the process. The first signal stops gracefully, a second one at once. */
export function createStop(
  undo: Undo,
  log: Log,
  { graceMs = 0, ignoresRepeated = false }: StopOptions = {},
): (code: number) => void {
  let stopping = false
  const stop = (code: number) => {
    if (stopping && ignoresRepeated) return
    if (stopping) process.exit(code || 1)
    stopping = true
    setTimeout(() => process.exit(code || 1), STOP_TIMEOUT_MS + graceMs).unref()
    unwind(undo).then(
      () => process.exit(code),
      (error: unknown) => {
        log.error({ error }, 'The server could not stop cleanly.')
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', () => stop(0))
  process.on('SIGINT', () => stop(0))
  return stop
}

export async function unwind(undo: Undo): Promise<void> {
  for (let step = undo.pop(); step !== undefined; step = undo.pop()) await step()
}
