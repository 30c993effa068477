// `npm run mutants -- --sample 300 --seed 1 --jobs 2 --journal mutants.jsonl`: makes small changes in the core, one at a time, and
// runs the tests of its domain on each. It lists the mutants that no test noticed, and ends with 1 if the score is too low.
// Without `--sample` it tries all of them. `--only <text>` tries those whose name has this text, and `--list` names them.
// `--plants` makes the planted bugs instead, each of which has a test that must notice it.
import { parseArgs } from 'node:util'
import { findReason } from '../server/test/proof/mutants/equivalent.ts'
import { findMutants } from '../server/test/proof/mutants/find.ts'
import { type Line, MutantJournal } from '../server/test/proof/mutants/journal.ts'
import { type Lane, withLane } from '../server/test/proof/mutants/lane.ts'
import { createMeasurements } from '../server/test/proof/mutants/measurements.ts'
import type { Mutant } from '../server/test/proof/mutants/mutant.ts'
import { reportScore, SCORE_MIN, scoreOf } from '../server/test/proof/mutants/report.ts'
import { mutantOf, SOURCE_PLANTS } from '../server/test/proof/mutants/source-plants.ts'
import { createRandom } from '../server/test/proof/world/random.ts'
import { TEMPLATE, withCluster } from '../server/test/proof/support/cluster.ts'

const { values } = parseArgs({
  options: {
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
    jobs: { type: 'string', default: '1' },
    minutes: { type: 'string', default: 'Infinity' },
    journal: { type: 'string' },
    only: { type: 'string', default: '' },
    list: { type: 'boolean', default: false },
    plants: { type: 'boolean', default: false },
  },
})
const PLANT_LIMIT_MS = 600_000

for (const name of ['jobs', 'minutes', 'seed', 'sample'] as const)
  if (!(Number(values[name] ?? 1) >= 1)) throw new Error(`"${name}" must be a number from 1.`)

const found = values.plants ? [] : findMutants().filter(({ name }) => name.includes(values.only))
const chosen = values.sample === undefined ? found : takeSample(found, Number(values.sample), Number(values.seed))
if (chosen.length === 0 && !values.plants) throw new Error(`No mutant's name has the text "${values.only}".`)

function takeSample(mutants: readonly Mutant[], count: number, seed: number): Mutant[] {
  const random = createRandom(seed, 'mutants')
  const left = [...mutants]
  const taken: Mutant[] = []
  while (taken.length < count && left.length > 0) taken.push(...left.splice(random.below(left.length), 1))
  return taken
}

async function run(): Promise<void> {
  const journal = new MutantJournal(values.journal)
  const known = new Set(journal.lines.map(({ name }) => name))
  const waiting = chosen.filter(({ name }) => !known.has(name))
  const measured = createMeasurements(journal.reachFile)
  const next = waiting.values()
  const endMs = performance.now() + Number(values.minutes) * 60_000
  const work = async (lane: Lane) => {
    await measured.complete(lane, waiting)
    for (const mutant of next) {
      if (performance.now() > endMs) return
      const { tests, limitMs } = measured.plan(mutant, journal.lines)
      const startedMs = performance.now()
      const verdict = await lane.run(mutant, tests, limitMs)
      const seconds = Math.round((performance.now() - startedMs) / 100) / 10
      const { name } = mutant
      const { kind } = verdict
      journal.add(
        kind === 'noticed'
          ? { name, kind, by: verdict.by, error: verdict.error, seconds }
          : { name, kind, by: null, seconds },
      )
      show(journal.lines.at(-1))
    }
  }
  await runLanes(work)
  const names = new Set(chosen.map(({ name }) => name))
  const lines = journal.lines.filter(({ name }) => names.has(name))
  for (const line of reportScore(lines, found.length)) console.log(line)
  if (lines.length === 0 || scoreOf(lines) < SCORE_MIN) process.exitCode = 1
}

/** Each lane has a cluster of its own, because a mutant may bring one down or slow it down. */
async function runLanes(work: (lane: Lane) => Promise<void>): Promise<void> {
  const runLane = () => withCluster((superuser) => withLane({ superuser, template: TEMPLATE }, work))
  await Promise.all(Array.from({ length: Number(values.jobs) }, runLane))
}

/** Each planted bug must be noticed by its test. */
async function runPlants(): Promise<void> {
  let noticed = 0
  const next = SOURCE_PLANTS.filter(({ name }) => name.includes(values.only)).values()
  const work = async (lane: Lane) => {
    for (const plant of next) {
      const verdict = await lane.run(mutantOf(plant), [`server/${plant.noticedBy}`], PLANT_LIMIT_MS)
      if (verdict.kind === 'noticed') noticed += 1
      else process.exitCode = 1
      console.log(`${plant.name}\n  ${verdict.kind === 'noticed' ? `noticed by ${verdict.by}` : 'MISSED'}`)
    }
  }
  await runLanes(work)
  console.log(`${noticed} planted bugs noticed`)
}

function show(line: Line | undefined): void {
  if (line === undefined) return
  const equivalent = line.kind === 'survived' ? findReason(line.name) : undefined
  const verdict = { noticed: `noticed by ${line.by}`, survived: 'SURVIVED', invalid: 'invalid' }[line.kind]
  console.log(`${equivalent === undefined ? verdict : `equivalent: ${equivalent}`} (${line.seconds} s)  ${line.name}`)
}

if (values.list) for (const { name } of chosen) console.log(name)
else await (values.plants ? runPlants() : run())
