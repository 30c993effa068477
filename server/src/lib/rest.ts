// Long work in small parts: a rest after each part, so that it takes at most half of the time of what others wait for.
import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'

/** A part that waited for a lock or a slow disk used little, and its work should end at some time. */
const REST_MAX_MS = 100

/** Rests for as long as the part took that began then, by `performance.now()`. */
export async function restAfter(startedMs: number): Promise<void> {
  await pause(Math.min(performance.now() - startedMs, REST_MAX_MS))
}
