// `npm run crash-points`: crashes a node before and after every call of every scenario, and checks what is left. It ends with 1
// if a promise was broken or a point was not reached. `-- --scenario issue --outcome completes` runs a part, `--reads` also
// crashes at calls that only read, `--calls` lists the calls, and `--jobs 2` uses two processes.
import { parseArgs } from 'node:util'
import type { Setup, Task } from '../server/test/proof/crash-points/child.ts'
import type { Explored } from '../server/test/proof/crash-points/explore.ts'
import { SCENARIOS } from '../server/test/proof/crash-points/scenarios.ts'
import { withCluster } from '../server/test/proof/support/cluster.ts'
import { runInProcesses } from '../server/test/proof/support/processes.ts'

const { values } = parseArgs({
  options: {
    scenario: { type: 'string' },
    outcome: { type: 'string' },
    calls: { type: 'boolean', default: false },
    reads: { type: 'boolean', default: false },
    jobs: { type: 'string', default: '1' },
  },
})
const CHILD = new URL('../server/test/proof/crash-points/child.ts', import.meta.url)
/** Statements are long. */
const LABEL_LENGTH = 100

const tasks: Task[] = SCENARIOS.filter(({ name }) => name === (values.scenario ?? name)).flatMap((scenario) =>
  scenario.outcomes
    .filter((outcome) => outcome === (values.outcome ?? outcome))
    .map((outcome) => ({ scenario: scenario.name, outcome, reads: values.reads })),
)
if (tasks.length === 0) throw new Error('No scenario has this name and outcome.')

const all: Explored[] = []
function report(explored: Explored): void {
  all.push(explored)
  const { scenario, outcome, calls, points, reached, violations, seconds } = explored
  if (values.calls)
    for (const { label, wrote } of calls) console.log(`  ${wrote ? '*' : ' '} ${label.slice(0, LABEL_LENGTH)}`)
  console.log(
    `${scenario}, ${outcome}: ${calls.length} calls, ${reached} of ${points} crash points, ${violations.length} violations, ${seconds.toFixed(1)} s`,
  )
  for (const violation of violations) console.log(`  ${violation}`)
}

/** One row for each scenario, as in docs/proof.md. */
function printTable(): void {
  console.log('\n| Scenario | Outcomes | Crash points | Reached | Violations |\n| --- | --- | --- | --- | --- |')
  for (const { name } of SCENARIOS) {
    const own = all.filter(({ scenario }) => scenario === name)
    if (own.length > 0) printRow(name, own)
  }
  printRow('all', all)
}

function printRow(name: string, own: readonly Explored[]): void {
  const sum = (valueOf: (explored: Explored) => number) => own.reduce((total, each) => total + valueOf(each), 0)
  const figures = [
    own.length,
    sum(({ points }) => points),
    sum(({ reached }) => reached),
    sum((each) => each.violations.length),
  ]
  console.log(`| ${[name, ...figures].join(' | ')} |`)
}

const startedMs = performance.now()
await withCluster((superuser) => {
  const setups = Array.from({ length: Number(values.jobs) }, (_, index): Setup => ({
    superuser,
    name: `points_${index}`,
  }))
  return runInProcesses<Setup, Task, Explored>({ module: CHILD, setups, tasks, onResult: report })
})
printTable()
console.log(`${((performance.now() - startedMs) / 1000).toFixed(0)} s with ${values.jobs} processes`)
if (all.some(({ violations }) => violations.length > 0)) process.exitCode = 1
