// Sends one signed POST with one deadline over the whole exchange. It never throws, follows no redirect, and reads no
// more of the answer than it needs.
import type { Dispatcher } from 'undici'
import { EVENT_VERSION } from '../events/catalogue.ts'
import { NameNotResolvedError, ResolverFailureError } from './resolver.ts'
import type { SignatureHeaders } from './sign.ts'

/** A receiver must have answered completely by then. */
export const DEADLINE_MS = 15_000
/** The rest of a longer answer is not read. */
const RESPONSE_BYTES_MAX = 64 * 1024
/** The log of attempts keeps this much of an answer. */
const RESPONSE_BYTES_KEPT = 1024

export interface Sent {
  /** Undefined when no complete answer arrived. */
  readonly statusCode: number | undefined
  readonly error: string | undefined
  readonly retryAfter: string | undefined
  readonly response: string | undefined
  readonly latencyMs: number
  /** Our own DNS servers did not answer: nothing was sent, and the receiver is not to blame. */
  readonly hasResolverFailed: boolean
}

export interface Message {
  readonly url: string
  readonly headers: SignatureHeaders
  readonly body: Buffer
}

export async function send(agent: Dispatcher, message: Message, deadlineMs: number): Promise<Sent> {
  const startedMs = performance.now()
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(), deadlineMs)
  const latencyMs = () => Math.round(performance.now() - startedMs)
  try {
    const { origin, pathname, search } = new URL(message.url)
    const answer = await agent.request({
      origin,
      path: pathname + search,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': `Cardstock-Webhooks/${EVENT_VERSION}`,
        ...message.headers,
      },
      body: message.body,
      signal: controller.signal,
    })
    const response = await readBeginning(answer.body)
    const isRedirect = answer.statusCode >= 300 && answer.statusCode < 400
    const retryAfter = answer.headers['retry-after']
    return {
      statusCode: answer.statusCode,
      error: isRedirect ? 'redirects are not followed' : undefined,
      retryAfter: typeof retryAfter === 'string' ? retryAfter : undefined,
      response,
      latencyMs: latencyMs(),
      hasResolverFailed: false,
    }
  } catch (error) {
    const reason = controller.signal.aborted ? `no complete answer within ${deadlineMs / 1000} s` : reasonOf(error)
    return {
      statusCode: undefined,
      error: reason,
      retryAfter: undefined,
      response: undefined,
      latencyMs: latencyMs(),
      hasResolverFailed: error instanceof ResolverFailureError,
    }
  } finally {
    clearTimeout(timer)
  }
}

async function readBeginning(body: AsyncIterable<Buffer>): Promise<string> {
  const kept: Buffer[] = []
  let keptBytes = 0
  let readBytes = 0
  for await (const chunk of body) {
    readBytes += chunk.length
    if (keptBytes < RESPONSE_BYTES_KEPT) {
      const part = chunk.subarray(0, RESPONSE_BYTES_KEPT - keptBytes)
      kept.push(part)
      keptBytes += part.length
    }
    // Leaving the loop closes the connection.
    if (readBytes >= RESPONSE_BYTES_MAX) break
  }
  // A text column of PostgreSQL cannot store NUL.
  return Buffer.concat(kept).toString('utf8').replaceAll('\0', '\uFFFD')
}

/** Returns the error's code if it has one. The runtime's own messages contain addresses, which must not be revealed. */
function reasonOf(error: unknown): string {
  if (error instanceof NameNotResolvedError) return error.message
  const causes = error instanceof AggregateError ? error.errors : []
  const first = [error, ...causes].find((cause): cause is Error & { code: string } => {
    return cause instanceof Error && 'code' in cause && typeof cause.code === 'string'
  })
  if (first?.name === 'ForbiddenAddressError') return first.message
  return first === undefined ? 'the exchange failed' : `the exchange failed (${first.code})`
}
