// Keeps a measured value for a while, so that readers of /metrics cannot make the database measure again and again.
import type { Clock } from '../lib/clock.ts'
import { shareWhileUnderWay } from '../lib/shared-value.ts'

/** Short against the interval of a scrape, and long against what a measurement takes. */
export const MEASUREMENT_AGE_MAX_MS = 5_000

/** Returns a function that returns the last value until it is too old. A failed call is not kept. */
export function remember<Value>(clock: Clock, call: () => Promise<Value>): () => Promise<Value> {
  let last: { value: Value; atMs: number } | undefined
  const measure = shareWhileUnderWay(async () => {
    const atMs = clock.now().getTime()
    const value = await call()
    last = { value, atMs }
    return value
  })
  return async () => {
    // A clock that was set back makes the difference negative.
    const isRecent = last !== undefined && Math.abs(clock.now().getTime() - last.atMs) < MEASUREMENT_AGE_MAX_MS
    return isRecent && last !== undefined ? last.value : measure()
  }
}
