// Waits for something that the server's worker does in the background.

/** A sandbox operation takes about a second; this allows for a slow machine. */
const WAIT_MS = 20_000
const POLL_INTERVAL_MS = 200

export async function waitFor<Value>(find: () => Promise<Value | undefined>, what: string): Promise<Value> {
  const end = Date.now() + WAIT_MS
  for (;;) {
    const value = await find()
    if (value !== undefined) return value
    if (Date.now() > end)
      throw new Error(`${what} did not appear within ${WAIT_MS / 1000} s. Check that a worker is running.`)
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS))
  }
}
