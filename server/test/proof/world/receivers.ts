// The receivers of webhooks, without a network. They keep every arrival; what becomes of a delivery is the proof's choice.
import type { Dispatcher } from 'undici'
import { findId } from '../../../src/lib/ids.ts'
import { type Reply, type Request, toDispatcher } from '../../support/dispatcher.ts'
import type { Arrival } from '../judge/evidence.ts'
import type { VirtualTime } from './time.ts'

/** What becomes of a delivery. `isKept`: it arrived, although the sender does not know. */
export type Reception =
  | { readonly kind: 'answers'; readonly status: number; readonly afterMs: number }
  | { readonly kind: 'hangs'; readonly isKept: boolean }
  | { readonly kind: 'fails'; readonly code: string; readonly isKept: boolean }

/** A receiver that is overloaded asks for this pause. */
const RETRY_AFTER = { 'retry-after': '120' }

export class Receivers {
  readonly arrivals: Arrival[] = []
  /** The endpoint of each URL path. */
  readonly endpoints = new Map<string, string>()
  readonly #time: VirtualTime
  readonly #choose: () => Reception

  constructor(time: VirtualTime, choose: () => Reception) {
    this.#time = time
    this.#choose = choose
  }

  /** What a node's deliveries go through instead of real connections. */
  agent(): Dispatcher {
    return toDispatcher((delivery) => this.receive(delivery))
  }

  /** The deliverer reads the status, the headers and the body of an answer, and nothing else of it. */
  receive({ path, body, signal }: Request): Promise<Reply> {
    const time = this.#time
    const life = time.current
    const reception = this.#choose()
    const record = (statusCode: number | undefined) => {
      const { id } = JSON.parse((body as Buffer).toString()) as { id: string }
      const endpointId = this.endpoints.get(path) ?? path
      this.arrivals.push({ endpointId, eventId: findId('evt', id) ?? id, statusCode })
    }
    return new Promise((resolve, reject) => {
      const whenAborted = (act: () => void) => signal.addEventListener('abort', act)
      if (reception.kind !== 'answers' && reception.isKept) record(undefined)
      if (reception.kind === 'fails') return reject(Object.assign(new Error(reception.code), { code: reception.code }))
      if (reception.kind === 'hangs') return whenAborted(() => reject(new Error('aborted')))
      const { status, afterMs } = reception
      const answer = async () => {
        record(status)
        const headers: Reply['headers'] = status === 503 ? RETRY_AFTER : {}
        const settle = () => resolve({ statusCode: status, headers, body: [] })
        if (life === undefined) settle()
        else if (life.isAlive) await time.enter(life, settle)
      }
      if (afterMs === 0) return void answer()
      const atMs = time.nowMs + afterMs
      const step = time.add({ label: `receiver answers ${status}`, life: undefined, atMs, run: answer })
      return whenAborted(() => {
        time.remove(step)
        record(undefined)
        reject(new Error('aborted'))
      })
    })
  }
}
