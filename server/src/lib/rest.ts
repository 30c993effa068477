// Long work in small parts: a rest after each part, so that others find the database and the event loop free between them.
import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'

/** A part that waited for a lock or a slow disk used little, and its work should end at some time. */
const REST_MAX_MS = 100

/** Rests as long as the part took, or a multiple of that. `performance.now()` gave the time at which the part began. */
export async function restAfter(startedMs: number, times = 1): Promise<void> {
  await pause(Math.min((performance.now() - startedMs) * times, REST_MAX_MS))
}
