// The short form of the simulation: fixed seeds hold every promise, reach the rare branches and repeat themselves exactly, and
// planted bugs are caught. `npm run simulate` runs more of all of it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDatabase, type TestDatabase } from '../../support/harness.ts'
import { SimDatabase } from './database.ts'
import { applyPlant, findCatch, patchedFunctions, PLANTS } from './plants/apply.ts'
import { runSeed, type SeedResult } from './run.ts'

const SEEDS = 14
/** Seeds that are run a second time. */
const REPEATED = [2, 7]
/** A planted bug must be caught by one of this many seeds. */
const SEEDS_PER_PLANT = 4

/** Branches that are rare in practice. The fixed seeds must reach each of them. */
const MARKS = [
  'answer of the database lost',
  'batch sent again after a lost answer',
  'breaker of the issuer opened',
  'crash after a statement',
  'crash before a statement',
  'event of the issuer sent twice',
  'event of the issuer: issuer.completed',
  'exchange: look_up absent',
  'exchange: request not_sent',
  'fence refused a late request',
  'look-up did not see a fresh record',
  'look-up found nothing',
  'node suspended',
  'statements raced',
  'webhook endpoint disabled',
]

/** A sample that shows quickly. The command runs them all. */
const SAMPLE = [
  'a key with another payload is answered with the first object',
  'a failed issue is not given back to the quota',
  'the seal skips fees',
  'a request is sent again after a time-out',
  'the money is released after a time-out',
  'the money is released when a look-up finds nothing',
  'a delivery is marked delivered before the receiver answered 2xx',
  'a payment is credited without an entry',
]

let template: TestDatabase
let database: SimDatabase
const results: SeedResult[] = []

beforeAll(async () => {
  template = await createDatabase()
  database = await SimDatabase.open(template.connection)
  for (let seed = 1; seed <= SEEDS; seed += 1) results.push(await runSeed(database, seed))
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
  const reached = new Set(results.flatMap(({ counts }) => [...counts.keys()]))
  expect(MARKS.filter((mark) => !reached.has(mark))).toEqual([])
})

it.each(REPEATED)('takes the same course again with seed %i', async (seed) => {
  const { digest } = await runSeed(database, seed)
  expect(digest).toBe(results[seed - 1]?.digest)
})

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
