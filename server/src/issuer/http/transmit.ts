// Carries one request to a peer and its answer back. Never tries again. Each request has a connection of its own: a kept one
// may be closed by the other side just as a request goes out, and then nobody knows whether it arrived.
import type { buildConnector } from 'undici'

/** Most of the time is for the answer. A connection that takes longer than this will not succeed. */
const CONNECT_SHARE = 3
const ANSWER_BYTES_MAX = 1024 * 1024

export interface Outgoing {
  readonly method: 'GET' | 'PUT' | 'POST' | 'PATCH'
  readonly origin: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** Undefined for a request without a body. */
  readonly body: string | undefined
  readonly timeoutMs: number
}

export type Transmitted =
  | {
      readonly kind: 'answered'
      readonly status: number
      readonly headers: Readonly<Record<string, string | string[] | undefined>>
      readonly body: string
    }
  /** No connection was made, so nothing can have been sent. */
  | { readonly kind: 'not_sent'; readonly reason: string }
  /** A connection was made, so it is not known whether the request arrived. */
  | { readonly kind: 'unknown'; readonly reason: string }

export type Transmit = (outgoing: Outgoing) => Promise<Transmitted>

/** Call it early: loading may take longer than an exchange and would count as the issuer's time. The sandbox does not need it. */
export function loadClient() {
  return import('undici')
}

export const transmit: Transmit = async ({ method, origin, path, headers, body, ...outgoing }) => {
  const undici = await loadClient()
  // The client takes whole milliseconds only, and a share of a setting may have a fraction.
  const timeoutMs = Math.ceil(outgoing.timeoutMs)
  const connection = watchConnection(undici.buildConnector({ timeout: timeoutMs / CONNECT_SHARE }))
  // Pipelining 0: the connection carries this request and ends.
  const client = new undici.Client(origin, {
    pipelining: 0,
    connect: connection.connect,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    maxResponseSize: ANSWER_BYTES_MAX,
  })
  try {
    const answer = await client.request({
      method,
      path,
      headers,
      ...(body === undefined ? {} : { body }),
      signal: AbortSignal.timeout(timeoutMs),
    })
    const text = await answer.body.text()
    return { kind: 'answered', status: answer.statusCode, headers: answer.headers, body: text }
  } catch (error) {
    return { kind: connection.isOpen() ? 'unknown' : 'not_sent', reason: describe(error) }
  } finally {
    client.destroy().catch(() => undefined)
  }
}

/** Watches the only connection. Until it is made, nothing has been sent. */
function watchConnection(dial: buildConnector.connector): { connect: buildConnector.connector; isOpen(): boolean } {
  let dialled = false
  let opened = false
  return {
    connect(options, done) {
      if (dialled) {
        done(new Error('a second connection is never made'), null)
        return
      }
      dialled = true
      dial(options, (...result) => {
        if (result[0] === null) opened = true
        done(...result)
      })
    },
    isOpen: () => opened,
  }
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error && typeof error.code === 'string' ? `${error.code}: ` : ''
  return code + (error.message || error.name)
}
