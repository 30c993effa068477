// Clients that order all the time. Each repeats a request with the same key until it is answered, and every request and answer
// is recorded.
import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { findId } from '../../../src/lib/ids.ts'
import { must } from '../../../src/lib/invariant.ts'
import type { ClientAnswer, ClientRequest } from '../judge/evidence.ts'
import type { Account, Ground } from './ground.ts'

const CLIENTS = 8
/** Longer than a healthy server needs, shorter than a client's patience. */
const PATIENCE_MS = 6_000
/** Keeps the processors free for what the faults do. */
const PAUSE_MS = 60

/** Refusals that tell the client to try again with the same key. */
const RETRIED = new Set(['unavailable', 'internal_error', 'rate_limited'])

export class Load {
  readonly #ground: Ground
  readonly requests: ClientRequest[] = []
  /** When a request was accepted, as `performance.now()` tells. */
  readonly acceptedAtMs: number[] = []
  unanswered = 0
  /** How often each code was the answer. */
  readonly refused = new Map<string, number>()
  #isStopping = false
  #clients: Promise<void>[] = []

  constructor(ground: Ground) {
    this.#ground = ground
  }

  start(): void {
    this.#clients = Array.from({ length: CLIENTS }, () => this.#order())
  }

  /** Resolves when every request has been answered. */
  async stop(): Promise<void> {
    this.#isStopping = true
    await Promise.all(this.#clients)
  }

  async #order(): Promise<void> {
    while (!this.#isStopping) {
      const account = must(this.#ground.accounts[randomInt(3) === 0 ? 1 : 0])
      const key = randomUUID()
      const payload = JSON.stringify(bodyOf(account))
      while (!(await this.#send(account, key, payload))) await delay(PAUSE_MS)
      await delay(PAUSE_MS)
    }
  }

  /** Returns whether the request is decided. */
  async #send({ key: token, scope }: Account, idempotencyKey: string, payload: string): Promise<boolean> {
    const sentAtMs = Date.now()
    const answer = await this.#ask(token, idempotencyKey, payload)
    const request = { ...scope, object: 'operation' as const, idempotencyKey, payload, sentAtMs }
    if (answer === undefined) this.unanswered += 1
    if (answer?.kind === 'refused') this.refused.set(answer.code, (this.refused.get(answer.code) ?? 0) + 1)
    if (answer?.kind === 'accepted') this.acceptedAtMs.push(performance.now())
    this.requests.push(answer === undefined ? request : { ...request, answeredAtMs: Date.now(), answer })
    return answer !== undefined && (answer.kind !== 'refused' || !RETRIED.has(answer.code))
  }

  async #ask(token: string, key: string, payload: string): Promise<ClientAnswer | undefined> {
    const { addresses } = this.#ground
    const address = must(addresses[randomInt(addresses.length)])
    try {
      const response = await fetch(`${address}/api/v1/operations`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'idempotency-key': key, 'content-type': 'application/json' },
        body: payload,
        signal: AbortSignal.timeout(PATIENCE_MS),
      })
      const body = (await response.json()) as { id?: string; code?: string }
      const id = findId('op', body.id ?? '')
      if (response.status < 300 && id !== undefined) return { kind: 'accepted', id }
      return body.code === 'idempotency_conflict'
        ? { kind: 'conflict' }
        : { kind: 'refused', code: body.code ?? String(response.status) }
    } catch {
      return undefined
    }
  }
}

function bodyOf({ holderId }: Account): Record<string, unknown> {
  return randomInt(3) === 0
    ? { type: 'issue', productId: 'prod_card_virtual', holderId, amount: '10.00', name: 'chaos' }
    : { type: 'service', productId: 'prod_service_esim', recipient: 'ada', amount: '10.00' }
}
