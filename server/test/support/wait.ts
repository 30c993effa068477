// Waiting for conditions. Tests never wait for a length of time: the limit below only ends a test that cannot pass.
import { setTimeout as delay } from 'node:timers/promises'

/** Shorter than testTimeout in vitest.config.ts, so that the error names the condition that never became true. */
export const WAIT_MS_MAX = Number(process.env['WAIT_MS_MAX'] ?? 240_000)
/** The first pause is too short to be felt. Pauses grow, to leave the processor to what the test waits for. */
const POLL_MS = { first: 10, max: 50, growth: 1.3 }

/** Calls `find` until it returns something other than undefined or false, and returns that. */
export async function until<Value>(
  what: string,
  find: () => Promise<Value | undefined | false> | Value | undefined | false,
): Promise<Value> {
  const end = performance.now() + WAIT_MS_MAX
  for (let pauseMs = POLL_MS.first; ; pauseMs = Math.min(pauseMs * POLL_MS.growth, POLL_MS.max)) {
    const value = await find()
    if (value !== undefined && value !== false) return value
    if (performance.now() > end) throw new Error(`Timed out waiting until ${what}.`)
    await delay(pauseMs)
  }
}
