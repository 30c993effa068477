// Signatures of the issuer protocol: every request, answer and event, in both directions, with one shared secret. The signed
// text names its direction, so that a message cannot be replayed in the other direction.
import { createHmac, timingSafeEqual } from 'node:crypto'

/** Clocks may differ by this. An older message is refused, so that a recorded message soon becomes useless. */
export const SIGNATURE_TOLERANCE_S = 300

export type Signed =
  | { readonly direction: 'request' | 'event'; readonly method: string; readonly path: string; readonly body: string }
  /** An answer is bound to the request's own signature. */
  | { readonly direction: 'answer'; readonly status: number; readonly answers: string; readonly body: string }

export function sign(secret: string, now: Date, message: Signed): string {
  const t = Math.floor(now.getTime() / 1000).toString()
  return `t=${t},v1=${digest(secret, t, message)}`
}

/** Returns why the message cannot be trusted, or undefined if it can. */
export function findForgery(
  secret: string,
  now: Date,
  header: string | undefined,
  message: Signed,
): 'missing' | 'malformed' | 'stale' | 'wrong' | undefined {
  if (header === undefined) return 'missing'
  const [, t, v1] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(header) ?? []
  if (t === undefined || v1 === undefined) return 'malformed'
  const isRight = timingSafeEqual(Buffer.from(digest(secret, t, message)), Buffer.from(v1))
  if (!isRight) return 'wrong'
  return Math.abs(now.getTime() / 1000 - Number(t)) > SIGNATURE_TOLERANCE_S ? 'stale' : undefined
}

function digest(secret: string, t: string, message: Signed): string {
  const { direction, body } = message
  const about = direction === 'answer' ? [message.status, message.answers] : [message.method, message.path]
  return createHmac('sha256', secret)
    .update([`issuer/1 ${direction}`, t, ...about, body].join('\n'))
    .digest('hex')
}
