// A part of what `npm run crash-points` tries: a node crashes before and after every change, and nothing is lost or doubled.
import { expect, test } from 'vitest'
import { createDatabase } from '../../support/harness.ts'
import { exploreOne } from './laboratory.ts'
import type { Scenario } from './scenario.ts'
import { keyRotation } from './scenarios/key-rotation.ts'
import { service } from './scenarios/operations.ts'
import { webhook } from './scenarios/webhook.ts'

/** Fewer points than this would mean that the calls are no longer seen. */
const SUBSET: readonly [Scenario, string, number][] = [
  [service, 'acts, no answer', 18],
  [keyRotation, 'completes', 4],
  [webhook, 'accepts', 24],
]

test.each(SUBSET.map(([scenario, outcome, pointsMin]) => ({ name: scenario.name, scenario, outcome, pointsMin })))(
  'a crash at any point of "$name" ($outcome) loses nothing and doubles nothing',
  async ({ scenario, outcome, pointsMin }) => {
    const explored = await exploreOne(createDatabase, { scenario, outcome, reads: false })
    expect(explored.violations).toEqual([])
    expect(explored.points).toBeGreaterThanOrEqual(pointsMin)
  },
)
