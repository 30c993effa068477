// Long work in small parts: a rest after each part, so that others find the database and the event loop free between them.
import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'

/** A part that waited for a lock or a slow disk used little, and its work should end at some time. */
const REST_MAX_MS = 100

/** Rests for as long as the part took that began then, by `performance.now()`, or for a multiple of that. */
export async function restAfter(startedMs: number, times = 1): Promise<void> {
  await pause(Math.min((performance.now() - startedMs) * times, REST_MAX_MS))
}
