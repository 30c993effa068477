// Waits for something that the server's worker does a moment later.
import { systemClock } from '../lib/clock.ts'

/** An operation of the sandbox takes a second at most. */
const WAIT_MS = 20_000
const POLL_INTERVAL_MS = 200

export async function waitFor<Value>(find: () => Promise<Value | undefined>, what: string): Promise<Value> {
  const end = systemClock.now().getTime() + WAIT_MS
  for (;;) {
    const value = await find()
    if (value !== undefined) return value
    if (systemClock.now().getTime() > end)
      throw new Error(`${what} did not come within ${WAIT_MS / 1000} s; is a worker running?`)
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS))
  }
}
