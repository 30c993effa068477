// Works through the rows of a file without using up the rate limit: few requests at a time, a limited number a second, and a pause whenever the
// server asks for one.
import { RateLimitError } from '../errors.ts'
import { sleep } from '../options.ts'

/** The server allows 100 a second for each key by default. The rest stays for the company's other programs. */
const REQUESTS_PER_SECOND = 40
/** Hides the time that an answer takes, and is far below what one company may have open. */
const AT_ONCE = 4
/** After so many pauses for one request the limit is not passing. */
const PAUSES_MAX = 10
/** What the server asks for when it does not say for how long. */
const PAUSE_MS_DEFAULT = 1_000
const PAUSE_MS_MAX = 60_000

export interface Pace {
  /** Sends a request when it is its turn, again after a pause if the server says that there were too many. */
  send<Answer>(request: () => Promise<Answer>): Promise<Answer>
}

export function createPace(signal: AbortSignal | undefined): Pace {
  let nextAt = 0
  const turn = async () => {
    const now = performance.now()
    const at = Math.max(now, nextAt)
    nextAt = at + 1000 / REQUESTS_PER_SECOND
    if (at > now) await sleep(at - now, signal)
    signal?.throwIfAborted()
  }
  return {
    async send(request) {
      for (let pauses = 0; ; pauses += 1) {
        await turn()
        try {
          return await request()
        } catch (error) {
          if (!(error instanceof RateLimitError) || pauses === PAUSES_MAX) throw error
          // Everything waits, not only this request: the limit is that of the key.
          const pauseMs = Math.min(error.retryAfterMs ?? PAUSE_MS_DEFAULT, PAUSE_MS_MAX)
          nextAt = Math.max(nextAt, performance.now() + pauseMs)
        }
      }
    },
  }
}

/** Calls `work` for each value, a few at a time and in their order. The first failure ends it, once what was begun has ended. */
export async function forEachPaced<Value>(
  values: readonly Value[],
  work: (value: Value, index: number) => Promise<void>,
): Promise<void> {
  let next = 0
  let failure: { readonly error: unknown } | undefined
  const workOn = async () => {
    while (next < values.length && failure === undefined) {
      const index = next
      next += 1
      try {
        await work(values[index]!, index)
      } catch (error) {
        failure ??= { error }
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, workOn))
  if (failure !== undefined) throw failure.error
}
