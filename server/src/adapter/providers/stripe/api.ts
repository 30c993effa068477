// Calls Stripe over HTTP and says what an answer proves. Each call has a connection of its own, a deadline, and is never repeated here. Stripe's
// SDK is not used, because it sends a request again by itself after a connection broke.
import { transmit as transmitByHttp, type Transmitted } from '../../../issuer/http/transmit.ts'
import { hasSecret, replaceEmails } from '../../../lib/sensitive.ts'
import type { Refused } from '../../provider.ts'
import { type Parse, parseError } from './answers.ts'
import type { StripeSettings } from './settings.ts'

/** How long a call to Stripe may take. It answers within a second or two; what takes longer is looked up. */
const TIMEOUT_MS = 15_000
/** How much of Stripe's own message is shown. */
const MESSAGE_LENGTH_MAX = 300
/** The version whose answers this provider parses. It has the status `expired` of authorizations. */
export const STRIPE_VERSION = '2026-07-29.dahlia'

/** The fields of a form, by Stripe's names such as `billing[address][city]`. Those that are undefined are left out. */
export type Form = Readonly<Record<string, string | number | readonly string[] | undefined>>

export interface Change<Value> {
  readonly path: string
  readonly form: Form
  readonly idempotencyKey: string
  /** Returns undefined if the answer is not the one to this request. */
  readonly parse: Parse<Value>
}

export type Changed<Value> =
  | { readonly kind: 'changed'; readonly value: Value }
  | Refused
  | { readonly kind: 'not_sent' | 'unknown'; readonly reason: string }

export type Read<Value> =
  | { readonly kind: 'read'; readonly value: Value }
  /** 404: Stripe does not have it now. */
  | { readonly kind: 'absent'; readonly reason: string }
  | { readonly kind: 'unknown'; readonly reason: string; readonly status?: number }

export interface Api {
  change<Value>(change: Change<Value>): Promise<Changed<Value>>
  read<Value>(path: string, parse: Parse<Value>, query?: Form): Promise<Read<Value>>
}

export function createApi({ url, secretKey, timeoutMs = TIMEOUT_MS, transmit = transmitByHttp }: StripeSettings): Api {
  const { origin, pathname } = new URL(url)
  const prefix = pathname.replace(/\/$/, '')
  const headers = { authorization: `Bearer ${secretKey}`, accept: 'application/json', 'stripe-version': STRIPE_VERSION }
  return {
    async change({ path, form, idempotencyKey, parse }) {
      const answer = await transmit({
        method: 'POST',
        origin,
        path: prefix + path,
        headers: {
          ...headers,
          'content-type': 'application/x-www-form-urlencoded',
          'idempotency-key': idempotencyKey,
        },
        body: encode(form),
        timeoutMs,
      })
      return judgeChange(answer, parse)
    },
    async read(path, parse, query = {}) {
      const text = encode(query)
      const whole = prefix + path + (text === '' ? '' : `?${text}`)
      return judgeRead(
        await transmit({ method: 'GET', origin, path: whole, headers, body: undefined, timeoutMs }),
        parse,
      )
    },
  }
}

/**
 * What the answer to a change proves:
 * - 2xx with a body of this request: it was carried out. With any other body nobody knows.
 * - 401 and 403: the key was refused, and 429: Stripe throttles. Nothing is stored for them, so the request had no effect.
 * - 400, 402 and 404: what was sent is not acceptable, and was not carried out.
 * - `idempotency_error`: another request with the same key came first, and may have been carried out.
 * - 409: a request with the same key may be under way. 5xx, which Stripe also repeats for the same key, other statuses and no answer: it may
 *   have been carried out.
 */
function judgeChange<Value>(answer: Transmitted, parse: Parse<Value>): Changed<Value> {
  if (answer.kind !== 'answered') return answer
  const { status } = answer
  const body = parseJson(answer.body)
  if (isSuccess(status)) {
    const value = parse(body)
    return value === undefined
      ? { kind: 'unknown', reason: `Stripe answered ${status} with a body that does not fit the request` }
      : { kind: 'changed', value }
  }
  const held = findHeldUp(status)
  if (held !== undefined) return { kind: 'not_sent', reason: held }
  if (parseError(body)?.type === 'idempotency_error') {
    return { kind: 'unknown', reason: 'Stripe has seen this idempotency key with other parameters (idempotency_error)' }
  }
  if (REFUSALS.has(status)) return { kind: 'refused', code: `stripe_${status}`, message: messageOf(status, body) }
  return { kind: 'unknown', reason: messageOf(status, body) }
}

const REFUSALS = new Set([400, 402, 404])

function judgeRead<Value>(answer: Transmitted, parse: Parse<Value>): Read<Value> {
  if (answer.kind !== 'answered') return { kind: 'unknown', reason: answer.reason }
  const { status } = answer
  const body = parseJson(answer.body)
  if (isSuccess(status)) {
    const value = parse(body)
    return value === undefined
      ? { kind: 'unknown', reason: `Stripe answered ${status} with a body that is not in the expected format`, status }
      : { kind: 'read', value }
  }
  if (status === 404) return { kind: 'absent', reason: messageOf(status, body) }
  return { kind: 'unknown', reason: findHeldUp(status) ?? messageOf(status, body), status }
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300
}

function findHeldUp(status: number): string | undefined {
  if (status === 401) return 'Stripe does not accept the key (401): check STRIPE_SECRET_KEY and STRIPE_URL'
  if (status === 403) return 'Stripe does not allow this to the key (403): check STRIPE_SECRET_KEY and its permissions'
  if (status === 429) return 'Stripe throttles (429)'
  return undefined
}

/** Stripe's message may quote what was sent. Nothing is shown of one that may have the digits of a card in it. */
function messageOf(status: number, body: unknown): string {
  const message = parseError(body)?.message
  if (message === undefined || message.trim() === '' || hasSecret(message)) return `Stripe answered ${status}`
  return `Stripe answered ${status}: ${replaceEmails(message, '[e-mail]').slice(0, MESSAGE_LENGTH_MAX)}`
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function encode(form: Form): string {
  const text = new URLSearchParams()
  for (const [name, value] of Object.entries(form)) {
    if (value === undefined) continue
    for (const one of typeof value === 'object' ? value : [value]) text.append(name, String(one))
  }
  return text.toString()
}
