// One signed request and its answer, whose signature is checked. Never tries again.
import type { Clock } from '../../lib/clock.ts'
import { findForgery, sign, type Signed } from './signature.ts'
import { SIGNATURE_HEADER } from './protocol.ts'
import { transmit as transmitByHttp, type Transmit, type Transmitted } from './transmit.ts'

export interface Peer {
  readonly baseUrl: string
  readonly secret: string
  readonly timeoutMs: number
  readonly clock: Clock
  /** How messages travel; over HTTP by default. */
  readonly transmit?: Transmit | undefined
}

export type Exchanged =
  | { readonly kind: 'answered'; readonly status: number; readonly body: string }
  | Exclude<Transmitted, { kind: 'answered' }>
  /** Somebody answered, and it is not certain that it was the peer. */
  | { readonly kind: 'unknown'; readonly reason: string; readonly status: number }

export async function exchange(
  peer: Peer,
  direction: 'request' | 'event',
  request: { method: 'GET' | 'PUT' | 'POST'; path: string; body?: unknown },
): Promise<Exchanged> {
  const { origin, pathname } = new URL(peer.baseUrl)
  const { secret, clock, timeoutMs, transmit = transmitByHttp } = peer
  const { method } = request
  const body = request.body === undefined ? '' : JSON.stringify(request.body)
  // Sign the path without the prefix of the base address, because a proxy may have added that.
  const signature = sign(secret, clock.now(), { direction, method, path: request.path, body })
  const answer = await transmit({
    method,
    origin,
    path: pathname.replace(/\/$/, '') + request.path,
    headers: { 'content-type': 'application/json', [SIGNATURE_HEADER]: signature },
    body: request.body === undefined ? undefined : body,
    timeoutMs,
  })
  if (answer.kind !== 'answered') return answer
  const { status } = answer
  const header = answer.headers[SIGNATURE_HEADER]
  const answers = signature.slice(signature.indexOf('v1=') + 3)
  const signed: Signed = { direction: 'answer', status, answers, body: answer.body }
  const forgery = findForgery(secret, clock.now(), typeof header === 'string' ? header : undefined, signed)
  if (forgery === undefined) return { kind: 'answered', status, body: answer.body }
  return { kind: 'unknown', reason: `the answer (${status}) has a ${forgery} signature`, status }
}
