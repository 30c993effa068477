// Waits until an object that the server works on has reached a state in which nothing more happens by itself.
import { AbortedError, WaitTimeoutError } from './errors.ts'
import { type CallOptions, requireWhole, sleep, WHOLE_MAX } from './options.ts'

export interface WaitOptions {
  /** How long to wait. Default: 60 000. */
  readonly timeoutMs?: number | undefined
  /** Ends the wait when it is aborted. */
  readonly signal?: AbortSignal | undefined
}

const WAIT_MS_DEFAULT = 60_000
/** The sandbox completes within a second; a live issuer may take longer, so the waits grow. */
const POLL_MS_FIRST = 200
const POLL_MS_MAX = 5_000
const POLL_GROWTH = 1.5
/** Enough for the last request of a wait, which may begin when the wait is over. */
const LAST_POLL_MS = 5_000

/**
 * Reads an object until its status is none of `open`.
 * @internal
 */
export async function waitUntilSettled<Item extends { readonly id: string; readonly status: string }>(
  read: (options: CallOptions) => Promise<Item>,
  open: readonly string[],
  { timeoutMs = WAIT_MS_DEFAULT, signal }: WaitOptions = {},
): Promise<Item> {
  const deadline = Date.now() + requireWhole('timeoutMs', timeoutMs, 1)
  for (let pollMs = POLL_MS_FIRST; ; pollMs = Math.min(pollMs * POLL_GROWTH, POLL_MS_MAX)) {
    const totalTimeoutMs = Math.min(Math.max(0, deadline - Date.now()) + LAST_POLL_MS, WHOLE_MAX)
    const item = await read({ signal, totalTimeoutMs })
    if (!open.includes(item.status)) return item
    const leftMs = deadline - Date.now()
    if (leftMs <= 0) throw tooLate(item, timeoutMs)
    await pause(Math.min(pollMs, leftMs), item, signal)
  }
}

async function pause(ms: number, { id }: { readonly id: string }, signal: AbortSignal | undefined): Promise<void> {
  await sleep(ms, signal).catch((error: unknown) => {
    throw new AbortedError(`Waiting for ${id} was aborted. It goes on.`, { code: 'aborted' }, { cause: error })
  })
}

function tooLate({ id, status }: { readonly id: string; readonly status: string }, timeoutMs: number) {
  const message = `${id} is still ${status} after ${timeoutMs} ms. It goes on: wait again, or use webhooks.`
  return new WaitTimeoutError(message, { code: 'wait_timeout', details: { id, status } })
}
