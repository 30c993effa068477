// Sends an event to a URL the way the server would deliver it, signed with the caller's secret. For `cardstock listen` only: the
// URL is the developer's own, so its address is not checked.
import { type WebhookEvent, webhooks } from '@cardstock/sdk'

/** As long as the server waits for a complete answer. */
const DEADLINE_MS = 15_000
/** The server reads no more of an answer either. */
const RESPONSE_BYTES_MAX = 64 * 1024

/** Returns the status code of the answer, or why there is none. */
export async function forwardEvent(url: string, secret: string, event: WebhookEvent): Promise<number | string> {
  const { body, headers } = await webhooks.signTestRequest(event, secret)
  const signal = AbortSignal.timeout(DEADLINE_MS)
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'user-agent': `Cardstock-Webhooks/${event.version}` },
      body,
      redirect: 'manual',
      signal,
    })
    await readBeginning(answer)
    return answer.status
  } catch (error) {
    if (signal.aborted) return `no complete answer within ${DEADLINE_MS / 1000} s`
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    const code = cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined
    return code === undefined ? 'the exchange failed' : `the exchange failed (${code})`
  }
}

/** Reads the answer up to its limit, because it counts only when it is complete. Leaving the loop closes the connection. */
async function readBeginning(answer: Response): Promise<void> {
  let bytes = 0
  for await (const chunk of answer.body ?? []) {
    bytes += (chunk as Uint8Array).length
    if (bytes >= RESPONSE_BYTES_MAX) return
  }
}
