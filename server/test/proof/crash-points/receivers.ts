// Receivers of webhooks without a network. They record what arrives, and can refuse or lose the next deliveries.
import { Readable } from 'node:stream'

/** What becomes of the next delivery. */
export const RECEPTIONS = ['accepts', '500', 'accepts, no answer', 'no answer', 'refused connection', 'cut'] as const
export type Reception = (typeof RECEPTIONS)[number]

export interface Delivery {
  readonly id: string
  readonly type: string
  readonly isAccepted: boolean
  /** Undefined if the sender got no answer. */
  readonly statusCode: number | undefined
}

export class Receivers {
  readonly #arrived = new Map<string, Delivery[]>()
  /** Applies to the next delivery; then every delivery is accepted. */
  reception: Reception = 'accepts'

  arrivedAt(path: string): readonly Delivery[] {
    return this.#arrived.get(path) ?? []
  }

  async receive(path: string, headers: unknown, body: unknown): Promise<{ answer: Promise<never> }> {
    const { reception } = this
    this.reception = 'accepts'
    const answer = this.#answer(path, headers, String(body), reception)
    // A node that crashed meanwhile does not wait for the answer.
    answer.catch(() => undefined)
    // The deliverer reads the status, the headers and the body, and nothing else of undici's answer.
    return { answer: answer as Promise<never> }
  }

  #answer(path: string, headers: unknown, body: string, reception: Reception): Promise<unknown> {
    const fail = (code: string) => Promise.reject(Object.assign(new Error(code), { code }))
    if (reception === 'refused connection') return fail('ECONNREFUSED')
    if (reception === 'no answer') return new Promise(() => {})
    const { type } = JSON.parse(body) as { type: string }
    const id = (headers as Record<string, string>)['webhook-id'] ?? ''
    const isAccepted = reception !== '500'
    const isAnswered = reception === 'accepts' || reception === '500'
    const statusCode = isAnswered ? (isAccepted ? 200 : 500) : undefined
    this.#arrived.set(path, [...this.arrivedAt(path), { id, type, isAccepted, statusCode }])
    if (reception === 'accepts, no answer') return new Promise(() => {})
    if (reception === 'cut') return fail('UND_ERR_SOCKET')
    return Promise.resolve({ statusCode, headers: {}, body: Readable.from([]) })
  }
}
