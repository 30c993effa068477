// Explores scenarios, each with each outcome on a database of its own, and judges what is left in it.
import type { TestDatabase } from '../support/cluster.ts'
import { Explorer, type Explored } from './explore.ts'
import type { Scenario } from './scenario.ts'
import { World } from './world.ts'

export interface Work {
  readonly scenario: Scenario
  readonly outcome: string
  /** Crash at calls that only read, too. */
  readonly reads: boolean
}

/** `createPlace` returns a new migrated database. */
export async function exploreOne(
  createPlace: () => Promise<TestDatabase>,
  { scenario, outcome, reads }: Work,
): Promise<Explored> {
  const startedMs = performance.now()
  const place = await createPlace()
  const world = await World.open(place.connection)
  try {
    const node = await world.startNode()
    await world.addOperatorToken()
    node.crash()
    const explorer = new Explorer(world)
    const explored = await explorer.explore(scenario, outcome, { reads })
    const name = `${scenario.name}, ${outcome}, judge`
    const judged = (await explorer.judge()).map((violation) => `${name}: ${violation}`)
    const seconds = (performance.now() - startedMs) / 1000
    return { ...explored, violations: [...explored.violations, ...judged], seconds }
  } finally {
    await world.close()
    await place.drop()
  }
}
