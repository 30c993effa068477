// What the steps of the examples share: the company that they are about, and how they wait.
import type { EventType } from '../../../src/events/catalogue.ts'
import type { LiveWorld } from '../../support/live.ts'
import { until } from '../../support/wait.ts'
import type { Recorder } from './recorder.ts'

export const OPERATIONS = '/api/v1/operations'

export interface Made {
  id: string
  status: string
  key: string
  result: { cardId: string }
}

export interface Journey {
  readonly world: LiveWorld
  readonly recorder: Recorder
  readonly operator: string
  company: string
  /** Of the sandbox, with every scope. */
  key: string
  live: string
}

/** Moves the clock between two calls, so that the order of lists is certain. */
export function next({ world }: Journey): void {
  world.server.clock.advance(1_000)
}

export async function finish({ world, key }: Journey, id: string): Promise<Made> {
  return until(`${id} is final`, async () => {
    const { body } = await world.server.get<Made>(`${OPERATIONS}/${id}`, key)
    return ['completed', 'failed', 'manual_review'].includes(body.status) ? body : undefined
  })
}

export async function untilEvent({ world, key }: Journey, type: EventType): Promise<void> {
  await until(`there is an event ${type}`, async () => {
    const { body } = await world.server.get<{ data: object[] }>(`/api/v1/events?type=${type}`, key)
    return body.data.length > 0 ? true : undefined
  })
}
