// The receivers of webhooks: they answer, fail, hang, ask for patience or are gone. They keep every arrival.
import type { Dispatcher } from 'undici'
import { findId } from '../../../src/lib/ids.ts'
import type { Arrival } from '../judge/evidence.ts'
import type { World } from './world.ts'

const SLOW_MS_MAX = 20_000

export class Receivers {
  readonly arrivals: Arrival[] = []
  /** The endpoint of each URL path. */
  readonly endpoints = new Map<string, string>()
  readonly #world: World

  constructor(world: World) {
    this.#world = world
  }

  /** What a node's deliveries go through instead of real connections. */
  agent(): Dispatcher {
    const request = ({ path, body, signal }: { path: string; body: Buffer; signal: AbortSignal }) =>
      this.#receive(path, JSON.parse(body.toString()) as { id: string }, signal)
    return { request } as unknown as Dispatcher
  }

  #receive(path: string, event: { id: string }, signal: AbortSignal): Promise<unknown> {
    const world = this.#world
    const { scheduler, random } = world
    const life = scheduler.current
    const isTroubled = !world.isCalm && random.receivers.chance(world.options.receiverTroubleRate)
    const behaviour = isTroubled ? random.receivers.weighted({ 500: 4, 503: 1, hang: 2, slow: 2, 410: 0.1 }) : '200'
    if (behaviour !== '200') world.count(`receiver: ${behaviour}`)
    const record = (statusCode: number | undefined) => {
      const endpointId = this.endpoints.get(path) ?? path
      this.arrivals.push({ endpointId, eventId: findId('evt', event.id) ?? event.id, statusCode })
    }
    return new Promise((resolve, reject) => {
      if (behaviour === 'hang') {
        record(undefined)
        signal.addEventListener('abort', () => reject(new Error('aborted')))
        return
      }
      const delayMs = behaviour === 'slow' ? random.receivers.between(1, SLOW_MS_MAX) : random.receivers.between(1, 200)
      const statusCode = behaviour === 'slow' ? 200 : Number(behaviour)
      const step = scheduler.add({
        label: `receiver answers ${statusCode}`,
        life: undefined,
        atMs: scheduler.nowMs + delayMs,
        run: async () => {
          record(statusCode)
          const headers = statusCode === 503 ? { 'retry-after': '120' } : {}
          if (life?.isAlive === true)
            await scheduler.enter(life, () => resolve({ statusCode, headers, body: EMPTY_BODY }))
        },
      })
      signal.addEventListener('abort', () => {
        scheduler.remove(step)
        record(undefined)
        reject(new Error('aborted'))
      })
    })
  }
}

/** An answer without a body. */
const EMPTY_BODY: AsyncIterable<Buffer> = {
  [Symbol.asyncIterator]: () => ({ next: async () => ({ done: true, value: undefined }) }),
}
