// Calls Lithic over HTTP and says what an answer proves. Each call has a connection of its own, a deadline, and is never repeated here. The text
// of an answer does not leave this file, because it may have a card number in it.
import { transmit as transmitByHttp, type Transmit, type Transmitted } from '../../../issuer/http/transmit.ts'
import { hasSecret, replaceEmails } from '../../../lib/sensitive.ts'
import type { Refused } from '../../provider.ts'
import { type Parse, parseErrorMessage } from './answers.ts'

/** How long a call to Lithic may take. It answers within a second or two; what takes longer is looked up. */
const TIMEOUT_MS = 15_000
/** How much of Lithic's own message is shown. */
const MESSAGE_LENGTH_MAX = 300

export interface ApiOptions {
  readonly url: string
  readonly apiKey: string
  readonly timeoutMs?: number | undefined
  /** How messages travel; over HTTP by default. */
  readonly transmit?: Transmit | undefined
}

export interface Change<Value> {
  readonly method: 'POST' | 'PATCH'
  readonly path: string
  readonly body: object
  readonly idempotencyKey?: string
  /** The statuses with which Lithic documents that it did not accept what was sent, for this call. */
  readonly refusals: readonly number[]
  /** Returns undefined if the answer is not the one to this request. */
  readonly parse: Parse<Value>
}

export type Changed<Value> =
  | { readonly kind: 'changed'; readonly value: Value }
  | Refused
  | { readonly kind: 'not_sent' | 'unknown'; readonly reason: string }

export type Read<Value> =
  | { readonly kind: 'read'; readonly value: Value }
  /** 404: Lithic does not have it now. */
  | { readonly kind: 'absent'; readonly reason: string }
  | { readonly kind: 'unknown'; readonly reason: string; readonly status?: number }

export type Query = Readonly<Record<string, string | number | undefined>>

export interface Api {
  change<Value>(change: Change<Value>): Promise<Changed<Value>>
  read<Value>(path: string, parse: Parse<Value>, query?: Query): Promise<Read<Value>>
}

export function createApi({ url, apiKey, timeoutMs = TIMEOUT_MS, transmit = transmitByHttp }: ApiOptions): Api {
  const { origin, pathname } = new URL(url)
  const prefix = pathname.replace(/\/$/, '')
  const send = (method: 'GET' | 'POST' | 'PATCH', path: string, body?: object, idempotencyKey?: string) =>
    transmit({
      method,
      origin,
      path: prefix + path,
      headers: {
        authorization: apiKey,
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
      timeoutMs,
    })
  return {
    async change({ method, path, body, idempotencyKey, refusals, parse }) {
      return judgeChange(await send(method, path, body, idempotencyKey), refusals, parse)
    },
    async read(path, parse, query = {}) {
      return judgeRead(await send('GET', path + formatQuery(query)), parse)
    },
  }
}

/**
 * What the answer to a change proves:
 * - 2xx with a body of this request: it was carried out. With any other body nobody knows.
 * - 401 and 403: the key was refused, and 429: Lithic throttles. Both are decided before a request is looked at, so it had no effect.
 * - The statuses that are documented for the call (400, 404, 422): what was sent is not acceptable, and was not carried out.
 * - 409: another request with the same key may be under way. 5xx, other statuses and no answer: it may have been carried out.
 */
function judgeChange<Value>(answer: Transmitted, refusals: readonly number[], parse: Parse<Value>): Changed<Value> {
  if (answer.kind !== 'answered') return answer
  const { status } = answer
  const body = parseJson(answer.body)
  if (isSuccess(status)) {
    const value = parse(body)
    return value === undefined
      ? { kind: 'unknown', reason: `Lithic answered ${status} with a body that does not fit the request` }
      : { kind: 'changed', value }
  }
  const held = findHeldUp(status)
  if (held !== undefined) return { kind: 'not_sent', reason: held }
  if (refusals.includes(status)) return { kind: 'refused', code: `lithic_${status}`, message: messageOf(status, body) }
  return { kind: 'unknown', reason: messageOf(status, body) }
}

function judgeRead<Value>(answer: Transmitted, parse: Parse<Value>): Read<Value> {
  if (answer.kind !== 'answered') return { kind: 'unknown', reason: answer.reason }
  const { status } = answer
  const body = parseJson(answer.body)
  if (isSuccess(status)) {
    const value = parse(body)
    return value === undefined
      ? { kind: 'unknown', reason: `Lithic answered ${status} with a body that is not in the expected format`, status }
      : { kind: 'read', value }
  }
  if (status === 404) return { kind: 'absent', reason: messageOf(status, body) }
  return { kind: 'unknown', reason: findHeldUp(status) ?? messageOf(status, body), status }
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300
}

function findHeldUp(status: number): string | undefined {
  if (status === 401) return 'Lithic does not accept the key (401): check LITHIC_API_KEY and LITHIC_URL'
  if (status === 403) return 'Lithic does not allow this to the key (403): check LITHIC_API_KEY and its permissions'
  if (status === 429) return 'Lithic throttles (429)'
  return undefined
}

/** Lithic's message may quote what was sent. Nothing is shown of one that may have the digits of a card in it. */
function messageOf(status: number, body: unknown): string {
  const message = parseErrorMessage(body)
  if (message === undefined || message.trim() === '' || hasSecret(message)) return `Lithic answered ${status}`
  return `Lithic answered ${status}: ${replaceEmails(message, '[e-mail]').slice(0, MESSAGE_LENGTH_MAX)}`
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function formatQuery(query: Query): string {
  const text = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) text.set(name, String(value))
  return text.size === 0 ? '' : `?${text.toString()}`
}
