// The short form of the kernel's simulation. `npm run simulate -- --kernel` runs more seeds, and with `--plants` all planted bugs.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createDatabase, type TestDatabase } from '../../support/harness.ts'
import { PLANTS } from './plants.ts'
import { KernelDatabase, patched, runKernelSeed } from './run.ts'

const SEEDS = [1, 3]
/** Plants that the first seed catches. The command runs all plants. */
const SAMPLE = ['a call without an answer is sent again', 'a fence does not look at what was sent']
let template: TestDatabase
let database: KernelDatabase

beforeAll(async () => {
  template = await createDatabase()
  database = new KernelDatabase(template.connection)
})
afterAll(async () => {
  await database.close()
  await template.drop()
})

it('the first seeds hold every promise', { timeout: 600_000 }, async () => {
  let done = 0
  for (const seed of SEEDS) {
    const { violations, counts } = await runKernelSeed(database, seed)
    expect(violations, `seed ${seed}`).toEqual([])
    done += counts.get('an order was done') ?? 0
  }
  expect(done).toBeGreaterThan(0)
})

it.each(SAMPLE)('a planted bug is caught: %s', { timeout: 600_000 }, async (name) => {
  const plant = PLANTS.find((each) => each.name === name)
  const { violations } = await runKernelSeed(database, 1, plant)
  expect(violations).not.toEqual([])
})

it('the texts that plants replace are still there', () => {
  for (const plant of PLANTS) expect(() => patched(plant)).not.toThrow()
})
