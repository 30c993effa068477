// `npm run bench`: ratios of this server to other ways of doing the same work, on a private durable database.
// --quick takes about three minutes, --json prints one object on standard output. docs/benchmarks.md explains both.
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbedded } from '../../server/src/db/embedded/start.ts'
import { migrate } from '../../server/src/db/migrate.ts'
import { createPool, type Db } from '../../server/src/db/pool.ts'
import { auditLedger } from '../../server/src/ledger/audit.ts'
import { measureAccepting } from './accepting.ts'
import { makeQueue, measureClaims, measureLists, measureSettling } from './backlog.ts'
import { type Bench, FULL, type Plan, QUICK } from './bench.ts'
import { type Child, startChild } from './processes.ts'
import { type Figures, toJson, toRows, toTable } from './report.ts'
import { Rounds } from './rounds.ts'

/** The servers under test, the naive pool and the direct clients together. */
const CONNECTIONS_MAX = '250'
const STATEMENT_TIMEOUT_MS = 600_000

const flags = new Set(process.argv.slice(2))
const unknown = [...flags].filter((flag) => flag !== '--json' && flag !== '--quick')
const startedMs = performance.now()
const note = (text: string) =>
  process.stderr.write(`${((performance.now() - startedMs) / 1000).toFixed(0).padStart(4)} s  ${text}\n`)
const undo: (() => unknown)[] = []
let stopping: Promise<void> | undefined

async function unwind(): Promise<void> {
  for (let step = undo.pop(); step !== undefined; step = undo.pop()) await step()
}

function stop(code: number): void {
  stopping ??= unwind()
    .catch((error: unknown) => note(String(error)))
    .then(() => process.exit(code))
}

async function open(plan: Plan): Promise<Bench> {
  const folder = mkdtempSync(join(tmpdir(), 'cardstock bench '))
  undo.push(() => rmSync(folder, { recursive: true, force: true }))
  const settings = { max_connections: CONNECTIONS_MAX }
  const database = await startEmbedded({ folder: join(folder, 'postgres'), durable: true, log: () => {}, settings })
  undo.push(() => database.stop())
  await migrate(database.connection)
  const db = createPool(database.connection, { size: 4, statementTimeoutMs: STATEMENT_TIMEOUT_MS, onError: () => {} })
  undo.push(() => db.close())
  const children: Child[] = []
  undo.push(() => Promise.all(children.map((child) => child.stop())))
  const load = startChild('./load.ts', children)
  return { plan, folder, connection: database.connection, db, children, load, note }
}

async function run(plan: Plan): Promise<number> {
  const bench = await open(plan)
  const rounds = new Rounds()
  const accepting = await measureAccepting(bench, rounds)
  const thousand = await makeQueue(bench, 'bench_thousand', 1000)
  undo.push(() => thousand.db.close())
  const million = await makeQueue(bench, 'bench_million', 1_000_000)
  undo.push(() => million.db.close())
  await measureClaims(bench, rounds, { thousand, million })
  const settleRates = await measureSettling(bench, million)
  await measureLists(bench, rounds, million)
  const figures: Figures = { ...accepting, settleRates }

  const rows = toRows(rounds, figures)
  const isClean = await audit([bench.db, thousand.db, million.db])
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
    `PostgreSQL ${server?.version}, fsync ${server?.fsync}, synchronous_commit ${server?.commit};`,
    `${plan.rounds} interleaved rounds of ${plan.seconds} s each; a value is the median of the rounds' ratios, "rounds" their range.`,
    `Ledger audit: ${isClean ? 'clean' : 'DIFFERENCES, see above'}. Took ${((performance.now() - startedMs) / 1000).toFixed(0)} s.`,
  ]
}

process.on('SIGINT', () => stop(130))
process.on('SIGTERM', () => stop(143))
if (unknown.length > 0) {
  process.stderr.write(`Unknown: ${unknown.join(' ')}. Use --quick, --json, both or neither.\n`)
  process.exit(2)
}
run(flags.has('--quick') ? QUICK : FULL).then(
  (code) => stop(code),
  (error: unknown) => {
    if (stopping === undefined) note(error instanceof Error ? (error.stack ?? error.message) : String(error))
    stop(1)
  },
)
