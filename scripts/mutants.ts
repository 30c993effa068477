// `npm run mutants -- --sample 300 --seed 1 --jobs 2 --journal mutants.jsonl`: makes small changes in the core, one at a time, and
// runs the tests of its domain on each. It lists the mutants that no test noticed, and ends with 1 if the score is too low.
// Without `--sample` it tries all of them. `--only <text>` tries those whose name has this text, and `--list` names them.
import { parseArgs } from 'node:util'
import { EQUIVALENT } from '../server/test/proof/mutants/equivalent.ts'
import { findMutants } from '../server/test/proof/mutants/find.ts'
import { type Line, MutantJournal } from '../server/test/proof/mutants/journal.ts'
import { type Lane, withLane } from '../server/test/proof/mutants/lane.ts'
import type { Mutant } from '../server/test/proof/mutants/mutant.ts'
import { reportScore, SCORE_MIN, scoreOf } from '../server/test/proof/mutants/report.ts'
import { domainOf, testsOf } from '../server/test/proof/mutants/tests.ts'
import { createRandom } from '../server/test/proof/simulation/random.ts'

const { values } = parseArgs({
  options: {
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
    jobs: { type: 'string', default: '1' },
    minutes: { type: 'string', default: 'Infinity' },
    journal: { type: 'string' },
    only: { type: 'string', default: '' },
    list: { type: 'boolean', default: false },
  },
})
/** A mutant that makes the tests take so much longer has been noticed. */
const SLOWER_MAX = 5
const LIMIT_MS_MIN = 120_000

for (const name of ['jobs', 'minutes', 'seed', 'sample'] as const)
  if (!(Number(values[name] ?? 1) >= 1)) throw new Error(`"${name}" must be a number from 1.`)

const found = findMutants().filter(({ name }) => name.includes(values.only))
const chosen = values.sample === undefined ? found : takeSample(found, Number(values.sample), Number(values.seed))
if (chosen.length === 0) throw new Error(`No mutant's name has the text "${values.only}".`)

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
  const waiting = chosen.filter(({ name }) => !known.has(name)).values()
  const noticed = new Map<string, number>()
  const limits = new Map<string, Promise<number>>()
  const endMs = performance.now() + Number(values.minutes) * 60_000
  const work = async (lane: Lane) => {
    for (const mutant of waiting) {
      if (performance.now() > endMs) return
      const limitMs = await limitOf(lane, mutant.file, limits)
      const startedMs = performance.now()
      const verdict = await lane.run(mutant, orderOf(mutant.file, noticed), limitMs)
      const seconds = Math.round((performance.now() - startedMs) / 100) / 10
      if (verdict.kind === 'noticed') noticed.set(verdict.by, (noticed.get(verdict.by) ?? 0) + 1)
      journal.add({ name: mutant.name, kind: verdict.kind, by: 'by' in verdict ? verdict.by : null, seconds })
      show(journal.lines.at(-1))
    }
  }
  await Promise.all(Array.from({ length: Number(values.jobs) }, () => withLane(work)))
  const names = new Set(chosen.map(({ name }) => name))
  const lines = journal.lines.filter(({ name }) => names.has(name))
  for (const line of reportScore(lines, found.length)) console.log(line)
  if (lines.length === 0 || scoreOf(lines) < SCORE_MIN) process.exitCode = 1
}

/** The tests of a domain must pass without a mutant. They are run once, which shows how long they take. */
function limitOf(lane: Lane, file: string, limits: Map<string, Promise<number>>): Promise<number> {
  const domain = domainOf(file)
  const known = limits.get(domain)
  if (known !== undefined) return known
  const measure = async () => {
    const startedMs = performance.now()
    const verdict = await lane.run(undefined, testsOf(file), Infinity)
    if (verdict.kind !== 'survived')
      throw new Error(`The tests of ${domain} fail without a mutant: ${JSON.stringify(verdict)}`)
    return Math.max(LIMIT_MS_MIN, SLOWER_MAX * (performance.now() - startedMs))
  }
  const limit = measure()
  limits.set(domain, limit)
  return limit
}

/** Files that noticed most mutants so far come first. */
function orderOf(file: string, noticed: ReadonlyMap<string, number>): string[] {
  const tests = testsOf(file)
  const best = [...noticed].filter(([by]) => tests.some((path) => by.startsWith(path)))
  return [...best.toSorted(([, a], [, b]) => b - a).map(([by]) => by), ...tests]
}

function show(line: Line | undefined): void {
  if (line === undefined) return
  const equivalent = EQUIVALENT.get(line.name)
  const verdict = { noticed: `noticed by ${line.by}`, survived: 'SURVIVED', invalid: 'invalid' }[line.kind]
  console.log(`${equivalent === undefined ? verdict : `equivalent: ${equivalent}`} (${line.seconds} s)  ${line.name}`)
}

if (values.list) for (const { name } of chosen) console.log(name)
else await run()
