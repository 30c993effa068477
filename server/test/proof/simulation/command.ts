// The command that runs seeds on a private PostgreSQL and reports what happened.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { startEmbedded } from '../../../src/db/embedded/start.ts'
import { migrate } from '../../../src/db/migrate.ts'
import { SimDatabase } from './database.ts'
import { applyPlant, findCatch, PLANTS } from './plants/apply.ts'
import type { Plant } from './plants/plant.ts'
import { runSeed, type SeedResult } from './run.ts'

/** One seed in so many is run a second time and must leave the same trace. */
const REPEATED_EVERY = 10

export async function runFromCommandLine(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      seed: { type: 'string', default: '1' },
      seeds: { type: 'string', default: '1' },
      trace: { type: 'boolean', default: false },
      plants: { type: 'boolean', default: false },
      plant: { type: 'string' },
    },
  })
  const wanted = { first: Number(values.seed), count: Number(values.seeds), keepsTrace: values.trace }
  const planted = PLANTS.filter(({ name }) => values.plants || name === values.plant)
  if (values.plant !== undefined && planted.length === 0) throw new Error(`There is no plant "${values.plant}".`)
  return withCluster((clone) => (planted.length > 0 ? runPlants(clone, planted, wanted) : runClean(clone, wanted)))
}

/** Makes a database of its own from the migrated template. */
type Clone = () => Promise<SimDatabase>

async function withCluster<Value>(use: (clone: Clone) => Promise<Value>): Promise<Value> {
  const folder = mkdtempSync(join(tmpdir(), 'cardstock simulation '))
  const server = await startEmbedded({ folder: join(folder, 'postgres'), durable: false, log: () => {} })
  const client = new pg.Client(server.superuser)
  try {
    await client.connect()
    // Statistics that are gathered at some moment would change plans, and with them the order of rows.
    await client.query('alter system set autovacuum = off')
    await client.query('select pg_reload_conf()')
    await client.query('create database template')
    await migrate({ ...server.superuser, database: 'template' })
    let clones = 0
    return await use(async () => {
      clones += 1
      await client.query(`create database simulation_${clones} template template`)
      return SimDatabase.open({ ...server.superuser, database: `simulation_${clones}` })
    })
  } finally {
    await client.end()
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function runClean(clone: Clone, wanted: Wanted): Promise<number> {
  const database = await clone()
  try {
    return await runSeeds(database, wanted)
  } finally {
    await database.close()
  }
}

/** Each planted bug must be caught by one of the seeds. */
async function runPlants(clone: Clone, plants: readonly Plant[], { first, count }: Wanted): Promise<number> {
  let missed = 0
  for (const plant of plants) {
    const database = await clone()
    await applyPlant(database.main, plant)
    const startedMs = performance.now()
    const caught = await findCatch(database, plant, first, count)
    await database.close()
    const seconds = ((performance.now() - startedMs) / 1000).toFixed(1)
    if (caught === undefined) missed += 1
    const result = caught === undefined ? 'MISSED' : `caught by seed ${caught.seed}: ${caught.sentence}`
    console.log(`${plant.name} (${seconds} s)\n  ${result}`)
  }
  console.log(`${plants.length - missed} of ${plants.length} planted bugs caught`)
  return missed === 0 ? 0 : 1
}

interface Wanted {
  first: number
  count: number
  keepsTrace: boolean
}

async function runSeeds(database: SimDatabase, { first, count, keepsTrace }: Wanted): Promise<number> {
  const results: SeedResult[] = []
  let failed = 0
  const startedMs = performance.now()
  for (let seed = first; seed < first + count; seed += 1) {
    const result = await runSeed(database, seed, { keepsTrace })
    results.push(result)
    if (keepsTrace) for (const line of result.trace ?? []) process.stdout.write(line)
    const problems = [...result.violations]
    if (seed % REPEATED_EVERY === 0 || count === 1) {
      const again = await runSeed(database, seed)
      if (again.digest !== result.digest) problems.push('a second run of this seed took another course')
    }
    if (problems.length === 0) continue
    failed += 1
    console.log(`Seed ${seed} failed. Run it again with: npm run simulate -- --seed ${seed}`)
    for (const problem of problems.slice(0, 20)) console.log(`  ${problem}`)
  }
  report(results, (performance.now() - startedMs) / 1000)
  return failed === 0 ? 0 : 1
}

function report(results: readonly SeedResult[], seconds: number): void {
  const sum = (valueOf: (result: SeedResult) => number) => results.reduce((total, result) => total + valueOf(result), 0)
  const counts = new Map<string, number>()
  for (const result of results)
    for (const [name, count] of result.counts) counts.set(name, (counts.get(name) ?? 0) + count)
  for (const [name, count] of [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1)))
    console.log(`${String(count).padStart(8)}  ${name}`)
  const hours = Math.round(sum(({ simulatedMs }) => simulatedMs) / 3_600_000)
  const failed = results.filter(({ violations }) => violations.length > 0).length
  console.log(
    `${results.length} seeds, ${failed} with violations, ${sum(({ operations }) => operations)} operations, ${sum(({ steps }) => steps)} steps, ` +
      `${sum(({ statements }) => statements)} statements, ${hours} simulated hours in ${seconds.toFixed(1)} s (${(results.length / seconds).toFixed(1)} seeds/s)`,
  )
}
