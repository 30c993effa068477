// What the tests of late events begin with: a live issuer, and a company with funds and a holder.
import { afterAll } from 'vitest'
import type { TestCompany } from '../../support/harness.ts'
import { EventSender } from '../../support/issuer-events.ts'
import { LiveWorld } from '../../support/live.ts'
import { addHolder } from '../rows.ts'

/**
 * The clock stands still, so that a request waits for its only look-up until a test moves the clock. No test waits for a
 * time-out, so a long one keeps a busy machine from losing answers.
 */
export const LOOK_UP_DELAY_MS = 3_600_000

interface Start {
  readonly world: LiveWorld
  readonly company: TestCompany
  readonly holderId: string
  readonly events: EventSender
}

export async function startWorld(): Promise<Start> {
  const world = await LiveWorld.start([LOOK_UP_DELAY_MS])
  afterAll(() => world.stop())
  const company = await world.createCompany()
  await world.fund(company, '10000')
  const holderId = await addHolder(world.server, company.scope)
  return { world, company, holderId, events: new EventSender(world, company) }
}
