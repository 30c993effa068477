// `npm run crash-points`: crashes a node before and after every call of every scenario, and checks what is left. It ends with 1
// if a promise was broken. `-- --scenario issue --outcome completes` runs a part, `--reads` also
// crashes at calls that only read, and `--calls` lists the calls.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { startEmbedded } from '../server/src/db/embedded/start.ts'
import { exploreOne, type Place } from '../server/test/proof/crash-points/laboratory.ts'
import { SCENARIOS } from '../server/test/proof/crash-points/scenarios.ts'
import { prepareTemplate } from '../server/test/support/global-setup.ts'

const TEMPLATE = 'crash_points_template'

const { values } = parseArgs({
  options: {
    scenario: { type: 'string' },
    outcome: { type: 'string' },
    calls: { type: 'boolean' },
    reads: { type: 'boolean' },
  },
})
const folder = mkdtempSync(join(tmpdir(), 'cardstock-crash-points-'))
const cluster = await startEmbedded({ folder: join(folder, 'postgres'), durable: false, log: () => {} })

async function cleanUp(): Promise<void> {
  await cluster.stop()
  rmSync(folder, { recursive: true, force: true })
}
const interrupt = () => void cleanUp().finally(() => process.exit(130))
process.once('SIGINT', interrupt).once('SIGTERM', interrupt)

async function asAdmin(statement: string): Promise<void> {
  const client = new pg.Client(cluster.superuser)
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

let databases = 0
async function createPlace(): Promise<Place> {
  databases += 1
  const database = `crash_points_${databases}`
  await asAdmin(`create database ${database} template ${TEMPLATE}`)
  const connection = { ...cluster.superuser, database }
  return { connection, drop: () => asAdmin(`drop database ${database} with (force)`) }
}

let violations = 0
try {
  await asAdmin(`create database ${TEMPLATE}`)
  await prepareTemplate({ ...cluster.superuser, database: TEMPLATE })
  const sum = { groups: 0, calls: 0, points: 0 }
  for (const scenario of SCENARIOS) {
    if (values.scenario !== undefined && scenario.name !== values.scenario) continue
    for (const outcome of scenario.outcomes) {
      if (values.outcome !== undefined && outcome !== values.outcome) continue
      const startedMs = performance.now()
      const explored = await exploreOne(createPlace, { scenario, outcome, reads: values.reads === true })
      const seconds = ((performance.now() - startedMs) / 1000).toFixed(1)
      const { points } = explored
      const calls = explored.calls.length
      if (values.calls === true)
        for (const { label, wrote } of explored.calls) console.log(`  ${wrote ? '*' : ' '} ${label}`)
      console.log(
        `${scenario.name}, ${outcome}: ${calls} calls, ${points} crash points, ${explored.violations.length} violations, ${seconds} s`,
      )
      for (const violation of explored.violations) console.log(`  ${violation}`)
      sum.groups += 1
      sum.calls += calls
      sum.points += points
      violations += explored.violations.length
    }
  }
  console.log(
    `${sum.groups} scenarios with outcomes, ${sum.calls} calls, ${sum.points} crash points, ${violations} violations`,
  )
} finally {
  await cleanUp()
}
if (violations > 0) process.exitCode = 1
