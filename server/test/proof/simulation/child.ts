// A child process of `npm run simulate`: runs one seed, or looks for one planted bug, at a time.
import type { Connection } from '../../../src/db/pool.ts'
import { createDatabase } from '../support/cluster.ts'
import { serveTasks } from '../support/processes.ts'
import { SimDatabase } from './database.ts'
import { applyPlant, findCatch, PLANTS } from './plants/apply.ts'
import { runSeed, type SeedResult } from './run.ts'

export interface Setup {
  readonly superuser: Connection
  readonly name: string
}

export interface SeedTask {
  readonly seed: number
  /** Run it a second time: it must take the same course. */
  readonly repeats: boolean
  readonly keepsTrace: boolean
}

export interface PlantTask {
  readonly plant: string
  readonly first: number
  readonly count: number
}

export type Task = SeedTask | PlantTask

export interface Caught {
  readonly plant: string
  /** Undefined if no seed caught it. */
  readonly seed: number | undefined
  readonly sentence: string
  readonly seconds: number
}

serveTasks(async ({ superuser, name }: Setup) => {
  let planted = 0
  const { connection } = await createDatabase(superuser, name)
  const database = await SimDatabase.open(connection)
  return async (task: Task): Promise<SeedResult | Caught> => {
    if ('seed' in task) return runOnce(database, task)
    planted += 1
    const own = await createDatabase(superuser, `${name}_plant_${planted}`)
    try {
      return await findPlant(own.connection, task)
    } finally {
      await own.drop()
    }
  }
})

async function runOnce(database: SimDatabase, { seed, repeats, keepsTrace }: SeedTask): Promise<SeedResult> {
  const result = await runSeed(database, seed, { keepsTrace })
  if (!repeats) return result
  const again = await runSeed(database, seed)
  const isSame = again.digest === result.digest
  const violations = isSame ? [] : ['a second run of this seed took another course']
  return { ...result, violations: [...result.violations, ...violations], isRepeated: true }
}

/** On a database of its own, because some plants drop constraints. */
async function findPlant(connection: Connection, { plant: name, first, count }: PlantTask): Promise<Caught> {
  const plant = PLANTS.find((each) => each.name === name)
  if (plant === undefined) throw new Error(`There is no plant "${name}".`)
  const startedMs = performance.now()
  const database = await SimDatabase.open(connection)
  await applyPlant(database.main, plant)
  const caught = await findCatch(database, plant, first, count)
  await database.close()
  const seconds = (performance.now() - startedMs) / 1000
  return { plant: name, seed: caught?.seed, sentence: caught?.sentence ?? '', seconds }
}
