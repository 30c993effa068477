// The command that runs seeds on a private PostgreSQL, in one or more processes, and reports what happened.
import { parseArgs } from 'node:util'
import { withCluster } from '../support/cluster.ts'
import { runInProcesses } from '../support/processes.ts'
import type { Caught, PlantTask, SeedTask, Setup, Task } from './child.ts'
import { Journal, toLine } from './journal.ts'
import { runKernel } from '../kernel-simulation/command.ts'
import { PLANTS } from './plants/apply.ts'
import { reportCounts, reportTotals } from './report.ts'
import type { SeedResult } from './run.ts'

const CHILD = new URL('child.ts', import.meta.url)
/** Every tenth seed is run a second time and must leave the same trace. */
const REPEATED_EVERY = 10
const PROGRESS_EVERY_MS = 30_000
/** A seed that went wrong once usually breaks many rules. */
const VIOLATIONS_SHOWN_MAX = 20

interface Wanted {
  readonly first: number
  readonly count: number
  readonly jobs: number
  /** Starts no new seed after this many minutes. */
  readonly minutes: number
  readonly keepsTrace: boolean
  readonly journal: string | undefined
}

export async function runFromCommandLine(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      seed: { type: 'string', default: '1' },
      seeds: { type: 'string', default: '1' },
      jobs: { type: 'string', default: '1' },
      minutes: { type: 'string', default: 'Infinity' },
      journal: { type: 'string' },
      trace: { type: 'boolean', default: false },
      plants: { type: 'boolean', default: false },
      plant: { type: 'string' },
      kernel: { type: 'boolean', default: false },
    },
  })
  const { journal, trace: keepsTrace } = values
  const numbers = { first: Number(values.seed), count: Number(values.seeds), jobs: Number(values.jobs) }
  for (const [name, value] of Object.entries({ ...numbers, minutes: Number(values.minutes) }))
    if (!(value >= 1)) throw new Error(`"${name}" must be a number from 1.`)
  if (values.kernel) return runKernel({ ...numbers, hasPlants: values.plants })
  const wanted = { ...numbers, minutes: Number(values.minutes), keepsTrace, journal }
  const planted = PLANTS.filter(({ name }) => values.plants || name === values.plant).map(({ name }) => name)
  if (values.plant !== undefined && planted.length === 0) throw new Error(`There is no plant "${values.plant}".`)
  return planted.length > 0 ? runPlants(planted, wanted) : runSeeds(wanted)
}

/** The result is a `SeedResult` for the task of a seed, and a `Caught` for the task of a plant. */
function runTasks(tasks: readonly Task[], { jobs, minutes }: Wanted, onResult: (result: never) => void): Promise<void> {
  return withCluster((superuser) => {
    const setups = Array.from({ length: jobs }, (_, index): Setup => ({ superuser, name: `simulation_${index}` }))
    const endMs = performance.now() + minutes * 60_000
    const isOver = () => performance.now() > endMs
    return runInProcesses<Setup, Task, never>({ module: CHILD, setups, tasks, isOver, onResult })
  })
}

/** Each planted bug must be caught by one of the seeds. */
async function runPlants(plants: readonly string[], wanted: Wanted): Promise<number> {
  const { first, count } = wanted
  const tasks = plants.map((plant): PlantTask => ({ plant, first, count }))
  const bySeed = new Map<number, number>()
  let caught = 0
  await runTasks(tasks, wanted, ({ plant, seed, sentence, seconds }: Caught) => {
    if (seed !== undefined) {
      caught += 1
      bySeed.set(seed, (bySeed.get(seed) ?? 0) + 1)
    }
    const result = seed === undefined ? 'MISSED' : `caught by seed ${seed}: ${sentence}`
    console.log(`${plant} (${seconds.toFixed(1)} s)\n  ${result}`)
  })
  for (const [seed, number] of [...bySeed].toSorted(([a], [b]) => a - b)) console.log(`seed ${seed} caught ${number}`)
  console.log(`${caught} of ${plants.length} planted bugs caught`)
  return caught === plants.length ? 0 : 1
}

async function runSeeds(wanted: Wanted): Promise<number> {
  const { first, count, keepsTrace } = wanted
  const journal = new Journal(wanted.journal)
  const ended = new Set(journal.lines.map(({ seed }) => seed))
  const tasks: SeedTask[] = []
  for (let seed = first; seed < first + count; seed += 1) {
    const repeats = seed % REPEATED_EVERY === 0 || count === 1
    if (!ended.has(seed)) tasks.push({ seed, repeats, keepsTrace })
  }
  if (ended.size > 0) console.log(`${ended.size} seeds are in the journal already; ${tasks.length} are left.`)
  const startedMs = performance.now()
  const seconds = () => (performance.now() - startedMs) / 1000
  let done = 0
  const tell = () => console.log(`${done} of ${tasks.length} seeds, ${(done / seconds()).toFixed(1)} per second`)
  const progress = setInterval(tell, PROGRESS_EVERY_MS)
  await runTasks(tasks, wanted, (result: SeedResult) => {
    done += 1
    journal.add(toLine(result))
    for (const line of result.trace ?? []) process.stdout.write(line)
    showFailure(result.options.seed, result.violations)
  }).finally(() => clearInterval(progress))
  for (const line of [...reportCounts(journal.lines), ...reportTotals(journal.lines, seconds(), done)])
    console.log(line)
  return journal.lines.every(({ violations }) => violations.length === 0) ? 0 : 1
}

function showFailure(seed: number, violations: readonly string[]): void {
  if (violations.length === 0) return
  console.log(`Seed ${seed} failed. Run it again with: npm run simulate -- --seed ${seed}`)
  for (const violation of violations.slice(0, VIOLATIONS_SHOWN_MAX)) console.log(`  ${violation}`)
}
