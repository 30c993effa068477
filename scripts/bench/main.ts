// `npm run bench`: compares this server with other ways of doing the same work, on a private durable database.
// --quick takes about three minutes, --json prints one object on standard output, --books, --statements, --webhooks,
// --request-log, --beside, --completing, --steps, --storage, --start, --neighbours, --growth, --peers and --citus run another benchmark instead. docs/benchmarks.md explains them all.
import { cpus } from 'node:os'
import type { Db } from '../../server/src/db/pool.ts'
import { auditLedger } from '../../server/src/ledger/audit.ts'
import { measureAccepting } from './accepting.ts'
import { makeQueue, measureClaims, measureLists, measureSettling } from './backlog.ts'
import { measureBeside } from './beside.ts'
import { type Bench, FULL, type Plan, QUICK } from './bench.ts'
import { canKeepOnCores } from './cores.ts'
import { closeLater, elapsedSeconds, note, openBench, runBench } from './open.ts'
import { type Figures, toJson, toRows, toTable } from './report.ts'
import { Rounds } from './rounds.ts'

const flags = new Set(process.argv.slice(2))

async function run(plan: Plan): Promise<number> {
  const bench = await openBench(plan)
  const rounds = new Rounds()
  const accepting = await measureAccepting(bench, rounds)
  const thousand = await makeQueue(bench, 'bench_thousand', 1000)
  closeLater(() => thousand.db.close())
  const million = await makeQueue(bench, 'bench_million', 1_000_000)
  closeLater(() => million.db.close())
  await measureClaims(bench, rounds, { thousand, million })
  const settleRates = await measureSettling(bench, million)
  await measureLists(bench, rounds, million)
  const alone = await makeQueue(bench, 'bench_alone', 0)
  closeLater(() => alone.db.close())
  await measureBeside(bench, rounds, { alone, million })
  const figures: Figures = { ...accepting, settleRates }

  const rows = toRows(rounds, figures)
  const isClean = await audit([bench.db, thousand.db, million.db, alone.db])
  const table = toTable(rows, figures, await describe(bench, isClean))
  if (flags.has('--json')) process.stdout.write(`${JSON.stringify(toJson(rows))}\n`)
  ;(flags.has('--json') ? process.stderr : process.stdout).write(`\n${table}\n`)
  return isClean ? 0 : 1
}

async function audit(databases: readonly Db[]): Promise<boolean> {
  let isClean = true
  for (const db of databases) {
    const { accounts, entries, differences } = await auditLedger(db)
    note(`ledger audit: ${accounts} accounts, ${entries} entries, ${differences.length} differences`)
    for (const { companyId, difference } of differences.slice(0, 10)) note(`${companyId}: ${difference}`)
    isClean &&= differences.length === 0
  }
  return isClean
}

async function describe({ db, plan }: Bench, isClean: boolean): Promise<string[]> {
  const text = `select current_setting('server_version') as version, current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit`
  const server = await db.find<{ version: string; fsync: string; commit: string }>({
    name: undefined,
    text,
    values: [],
  })
  const processors = cpus()
  return [
    `${processors.length} cores (${processors[0]?.model.trim() ?? 'unknown'}, ${process.arch}) shared by server, database and load generator; Node ${process.versions.node};`,
    ...(canKeepOnCores ? ["the server's main thread and the load generator each pinned to a core;"] : []),
    `PostgreSQL ${server?.version}, fsync ${server?.fsync}, synchronous_commit ${server?.commit};`,
    `${plan.closeSprints} interleaved rounds of ${plan.sprintSeconds} s against the stub, ${plan.sprints} for other rates of requests, ${plan.claims} claims, ${plan.rounds} rounds of ${plan.seconds} s for the rest;`,
    `a value is the median of the rounds' ratios, "rounds" their range.`,
    `Ledger audit: ${isClean ? 'clean' : 'DIFFERENCES, see above'}. Took ${elapsedSeconds()} s.`,
  ]
}

const others = {
  '--books': './books.ts',
  '--statements': './statements.ts',
  '--webhooks': './webhooks.ts',
  '--request-log': './request-log.ts',
  '--beside': './beside-worker.ts',
  '--completing': './completing.ts',
  '--steps': './steps.ts',
  '--storage': './storage.ts',
  '--start': './start.ts',
  '--neighbours': './neighbours.ts',
  '--growth': './growth.ts',
  '--peers': './peers.ts',
  '--citus': './citus.ts',
} as const
const other = ([...flags] as (keyof typeof others)[]).find((flag) => flag in others)
const known = new Set<string>([
  '--quick',
  ...(other === undefined || other === '--books' ? ['--json'] : []),
  ...(other === undefined ? [] : [other]),
])
const unknown = [...flags].filter((flag) => !known.has(flag))
if (unknown.length > 0) {
  process.stderr.write(
    `Unknown option: ${unknown.join(' ')}. The options are --quick, --json, --books, and --statements, --webhooks, --request-log, --beside, --completing, --steps, --storage, --start, --neighbours, --growth, --peers or --citus (without --json).\n`,
  )
  process.exit(2)
}
if (other === undefined) runBench(() => run(flags.has('--quick') ? QUICK : FULL))
// Each of the others is a program of its own and reads the remaining flags.
else await import(others[other])
