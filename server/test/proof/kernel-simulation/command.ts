// `npm run simulate -- --kernel`: runs seeds of the kernel's simulation on a private database, or looks for every planted bug.
import { createDatabase, withCluster } from '../support/cluster.ts'
import { PLANTS } from './plants.ts'
import { KernelDatabase, runKernelSeed } from './run.ts'

export interface KernelWanted {
  readonly first: number
  readonly count: number
  readonly hasPlants: boolean
}

/** Returns the code with which the process ends: 1 if the judge reports something, or misses a planted bug. */
export async function runKernel({ first, count, hasPlants }: KernelWanted): Promise<number> {
  let isGood = true
  await withCluster(async (superuser) => {
    const { connection } = await createDatabase(superuser, 'kernel_simulation')
    const database = new KernelDatabase(connection)
    const seeds = Array.from({ length: count }, (_, index) => first + index)
    isGood = hasPlants ? await runPlants(database, seeds) : await runSeeds(database, seeds)
    await database.close()
  })
  return isGood ? 0 : 1
}

async function runSeeds(database: KernelDatabase, seeds: readonly number[]): Promise<boolean> {
  const totals = new Map<string, number>()
  let failed = 0
  for (const seed of seeds) {
    const { violations, counts } = await runKernelSeed(database, seed)
    for (const [what, number] of counts) totals.set(what, (totals.get(what) ?? 0) + number)
    if (violations.length === 0) continue
    failed += 1
    console.log(`Seed ${seed} failed. Run it again with: npm run simulate -- --kernel --seed ${seed}`)
    for (const violation of violations) console.log(`  ${violation}`)
  }
  for (const [what, number] of [...totals].toSorted(([a], [b]) => (a < b ? -1 : 1))) console.log(`${what}: ${number}`)
  console.log(`${seeds.length} seeds of the kernel, ${failed} failed`)
  return failed === 0
}

async function runPlants(database: KernelDatabase, seeds: readonly number[]): Promise<boolean> {
  let caught = 0
  for (const plant of PLANTS) {
    let result = 'MISSED'
    for (const seed of seeds) {
      const [violation] = (await runKernelSeed(database, seed, plant)).violations
      if (violation === undefined) continue
      result = `caught by seed ${seed}: ${violation}`
      caught += 1
      break
    }
    console.log(`${plant.name}\n  ${result}`)
  }
  console.log(`${caught} of ${PLANTS.length} planted bugs caught`)
  return caught === PLANTS.length
}
