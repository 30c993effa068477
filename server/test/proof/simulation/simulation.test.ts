// The short form of the simulation: the first seeds hold every promise, reach the rare branches and repeat themselves exactly, and
// planted bugs are caught. `npm run simulate` runs more seeds and all plants.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDatabase, type TestDatabase } from '../../support/harness.ts'
import { SimDatabase } from './database.ts'
import { MARKS } from './marks.ts'
import { applyPlant, findCatch, patchedFunctions, PLANTS } from './plants/apply.ts'
import { CIRCUIT_PLANTS } from './plants/circuit-plants.ts'
import { runSeed, type SeedResult } from './run.ts'

/** At least this many seeds run, and then more until every rare branch is reached. Which seed reaches which changes with the code. */
const SEEDS_MIN = 6
/** A branch that none of this many seeds reaches is no longer tested. */
const SEEDS_MAX = 24
/** Run a second time. In seed 3 a batch that needs two accounts races with one that needs the second of them. */
const REPEATED = [3]
/** A planted bug must be caught by one of this many seeds. */
const SEEDS_PER_PLANT = 4

/** Plants that are caught quickly. The command runs all plants. */
const SAMPLE = [
  'a key with another payload is answered with the first object',
  'the seal skips fees',
  'a request is sent again after a time-out',
  'the money is released when a look-up finds nothing',
  'a delivery is marked delivered before the receiver answered 2xx',
  'an answered look-up lets requests out',
  'an answered request lets requests of another kind out',
]

let template: TestDatabase
let database: SimDatabase
const results: SeedResult[] = []

function findUnreached(): readonly string[] {
  const reached = new Set(results.flatMap(({ counts }) => [...counts.keys()]))
  return MARKS.filter((mark) => !reached.has(mark))
}

beforeAll(async () => {
  template = await createDatabase()
  database = await SimDatabase.open(template.connection)
  for (let seed = 1; seed <= SEEDS_MAX && (seed <= SEEDS_MIN || findUnreached().length > 0); seed += 1)
    results.push(await runSeed(database, seed))
})
afterAll(async () => {
  await database.close()
  await template.drop()
})

it('holds every promise', () => {
  const failed = results.filter(({ violations }) => violations.length > 0)
  const commands = failed.map(({ options, violations }) => [
    `npm run simulate -- --seed ${options.seed}`,
    ...violations,
  ])
  expect(commands).toEqual([])
})

it('reaches the rare branches', () => {
  expect(findUnreached()).toEqual([])
})

it.each(REPEATED)('takes the same course again with seed %i', async (seed) => {
  const { digest } = await runSeed(database, seed)
  expect(digest).toBe(results.find(({ options }) => options.seed === seed)?.digest)
})

it.each(CIRCUIT_PLANTS)(
  'breaks no promise under the fault in which this plant shows: $name',
  async ({ options = {} }) => {
    const { violations } = await runSeed(database, 1, { plant: { name: 'the fault alone', options } })
    expect(violations).toEqual([])
  },
)

it('plants at least thirty bugs, whose text is still in the functions', () => {
  expect(PLANTS.length).toBeGreaterThanOrEqual(30)
  for (const plant of PLANTS) patchedFunctions(plant)
})

describe('the judge notices that', () => {
  it.each(PLANTS.filter(({ name }) => SAMPLE.includes(name)))('$name', async (plant) => {
    const restore = await applyPlant(database.main, plant)
    const caught = await findCatch(database, plant, 1, SEEDS_PER_PLANT)
    await restore()
    expect(caught, 'no seed caught it').toBeDefined()
  })
  it('the list of samples has no unknown plant', () => {
    expect(SAMPLE.filter((name) => !PLANTS.some((plant) => plant.name === name))).toEqual([])
  })
})
