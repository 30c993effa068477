// One signed HTTP request and its answer. Never tries again. Each exchange has a connection of its own: a kept one may be
// closed by the other side just as a request goes out, and then nobody knows whether it arrived.
import type { buildConnector } from 'undici'
import type { Clock } from '../../lib/clock.ts'
import { findForgery, sign, type Signed } from './signature.ts'
import { SIGNATURE_HEADER } from './protocol.ts'

/** Most of the time is for the answer. A connection that takes longer than this will not succeed. */
const CONNECT_SHARE = 3
const ANSWER_BYTES_MAX = 1024 * 1024

export interface Peer {
  readonly baseUrl: string
  readonly secret: string
  readonly timeoutMs: number
  readonly clock: Clock
}

export type Exchanged =
  | { readonly kind: 'answered'; readonly status: number; readonly body: string }
  /** No connection was made, so nothing can have been sent. */
  | { readonly kind: 'not_sent'; readonly reason: string }
  /** A connection was made, so it is not known whether the request arrived. */
  | { readonly kind: 'unknown'; readonly reason: string }

/** Call it early: loading may take longer than an exchange and would count as the issuer's time. The sandbox does not need it. */
export function loadClient() {
  return import('undici')
}

export async function exchange(
  peer: Peer,
  direction: 'request' | 'event',
  request: { method: 'GET' | 'PUT' | 'POST'; path: string; body?: unknown },
): Promise<Exchanged> {
  const { origin, pathname } = new URL(peer.baseUrl)
  const path = pathname.replace(/\/$/, '') + request.path
  const body = request.body === undefined ? '' : JSON.stringify(request.body)
  // Sign the path without the prefix of the base address, because a proxy may have added that.
  const signature = sign(peer.secret, peer.clock.now(), { direction, method: request.method, path: request.path, body })
  const undici = await loadClient()
  const connection = watchConnection(undici.buildConnector({ timeout: peer.timeoutMs / CONNECT_SHARE }))
  // Pipelining 0: the connection carries this request and ends.
  const client = new undici.Client(origin, {
    pipelining: 0,
    connect: connection.connect,
    headersTimeout: peer.timeoutMs,
    bodyTimeout: peer.timeoutMs,
    maxResponseSize: ANSWER_BYTES_MAX,
  })
  try {
    const answer = await client.request({
      method: request.method,
      path,
      headers: { 'content-type': 'application/json', [SIGNATURE_HEADER]: signature },
      ...(request.body === undefined ? {} : { body }),
      signal: AbortSignal.timeout(peer.timeoutMs),
    })
    const text = await answer.body.text()
    const header = answer.headers[SIGNATURE_HEADER]
    const answers = signature.slice(signature.indexOf('v1=') + 3)
    const signed: Signed = { direction: 'answer', status: answer.statusCode, answers, body: text }
    const forgery = findForgery(peer.secret, peer.clock.now(), typeof header === 'string' ? header : undefined, signed)
    if (forgery === undefined) return { kind: 'answered', status: answer.statusCode, body: text }
    return { kind: 'unknown', reason: `the answer (${answer.statusCode}) has a ${forgery} signature` }
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
