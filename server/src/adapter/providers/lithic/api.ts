// Calls Lithic over HTTP. Each call has a connection of its own, a deadline, and is never repeated here.
import { transmit as transmitByHttp, type Transmit } from '../../../issuer/http/transmit.ts'
import { type Changed, createJudge, type Read } from '../../provider-kit/judge.ts'
import type { Parse } from '../../provider-kit/parse.ts'
import { parseErrorMessage } from './answers.ts'

/** How long a call to Lithic may take. It answers within a second or two; what takes longer is looked up. */
const TIMEOUT_MS = 15_000

const judge = createJudge({
  provider: 'Lithic',
  keySetting: 'LITHIC_API_KEY',
  urlSetting: 'LITHIC_URL',
  parseMessage: parseErrorMessage,
})

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
      return judge.change(await send(method, path, body, idempotencyKey), refusals, parse)
    },
    async read(path, parse, query = {}) {
      return judge.read(await send('GET', path + formatQuery(query)), parse)
    },
  }
}

function formatQuery(query: Query): string {
  const text = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) text.set(name, String(value))
  return text.size === 0 ? '' : `?${text.toString()}`
}
