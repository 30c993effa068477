// Calls Stripe over HTTP. Each call has a connection of its own, a deadline, and is never repeated here. Stripe's
// SDK is not used, because it sends a request again by itself after a connection broke.
import { transmit as transmitByHttp, type Transmitted } from '../../../issuer/http/transmit.ts'
import { type Changed, createJudge, type Read } from '../../provider-kit/judge.ts'
import { type Parse, parseJson } from '../../provider-kit/parse.ts'
import { parseError } from './answers.ts'
import type { StripeSettings } from './settings.ts'

/** How long a call to Stripe may take. It answers within a second or two; what takes longer is looked up. */
const TIMEOUT_MS = 15_000
/** The version whose answers this provider parses. It has the status `expired` of authorizations. */
export const STRIPE_VERSION = '2026-07-29.dahlia'

/** What was sent is not acceptable, and was not carried out. */
const REFUSALS = [400, 402, 404]

const judge = createJudge({
  provider: 'Stripe',
  keySetting: 'STRIPE_SECRET_KEY',
  urlSetting: 'STRIPE_URL',
  parseMessage: (body) => parseError(body)?.message,
})

/** The fields of a form, by Stripe's names such as `billing[address][city]`. Those that are undefined are left out. */
export type Form = Readonly<Record<string, string | number | readonly string[] | undefined>>

export interface Change<Value> {
  readonly path: string
  readonly form: Form
  readonly idempotencyKey: string
  /** Returns undefined if the answer is not the one to this request. */
  readonly parse: Parse<Value>
}

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
      return isOfOtherParameters(answer)
        ? { kind: 'unknown', reason: 'Stripe has seen this idempotency key with other parameters (idempotency_error)' }
        : judge.change(answer, REFUSALS, parse)
    },
    async read(path, parse, query = {}) {
      const text = encode(query)
      const whole = prefix + path + (text === '' ? '' : `?${text}`)
      return judge.read(
        await transmit({ method: 'GET', origin, path: whole, headers, body: undefined, timeoutMs }),
        parse,
      )
    },
  }
}

/** Another request with the same key came first, and may have been carried out. */
function isOfOtherParameters(answer: Transmitted): boolean {
  return answer.kind === 'answered' && parseError(parseJson(answer.body))?.type === 'idempotency_error'
}

function encode(form: Form): string {
  const text = new URLSearchParams()
  for (const [name, value] of Object.entries(form)) {
    if (value === undefined) continue
    for (const one of typeof value === 'object' ? value : [value]) text.append(name, String(one))
  }
  return text.toString()
}
