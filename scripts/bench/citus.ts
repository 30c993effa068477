// `npm run bench -- --citus`: the processor time of an accepted operation on one PostgreSQL, and on Citus with one and with more
// workers, and where Citus sent the statements. TEST_CITUS_URL names the coordinator, as for the tests; all nodes run on this machine.
import pg from 'pg'
import { migrate } from '../../server/src/db/migrate.ts'
import { createPool, type Pool } from '../../server/src/db/pool.ts'
import { auditLedger } from '../../server/src/ledger/audit.ts'
import { deposit } from '../../server/src/ledger/deposit.ts'
import { systemClock } from '../../server/src/lib/clock.ts'
import { cents } from '../../server/src/lib/money.ts'
import { listWorkers } from '../../server/test/support/citus.ts'
import { parseTestUrl, query, type TestConnection } from '../../server/test/support/postgres.ts'
import { accept } from './backlog.ts'
import { explainStatements, PLACES } from './citus-plans.ts'
import { canReadCpu, databaseCpuMs, findPostmaster } from './cpu.ts'
import { closeLater, elapsedSeconds, note, runBench } from './open.ts'
import { format, Rounds } from './rounds.ts'
import { type Company, seedCompanies } from './seed.ts'

const ROUNDS = { quick: 5, full: 21 }
const SHARDS = 8
/** At least as many as calls in flight, so that no two calls wait for one account. */
const COMPANIES = 16
const CALLS_IN_FLIGHT = 8
const DEPOSIT_CENTS = 1_000_000_000_000n
const STATEMENT_TIMEOUT_MS = 600_000
/** The calls of one round: enough that the ticks in which the kernel counts do not matter. */
const LOADS = [
  { name: 'batches of 64 of one company, one at a time', size: 64, calls: 48, inFlight: 1 },
  { name: 'single operations, eight at a time', size: 1, calls: 480, inFlight: CALLS_IN_FLIGHT },
] as const
type Load = (typeof LOADS)[number]

interface Side {
  readonly name: string
  readonly database: string
  readonly workers: readonly TestConnection[]
  readonly db: Pool
  readonly companies: readonly Company[]
}

const rounds = new Rounds()

runBench(async () => {
  const url = process.env['TEST_CITUS_URL']
  if (url === undefined || !canReadCpu) {
    process.stderr.write('Set TEST_CITUS_URL to the coordinator of a cluster on this machine, which must run Linux.\n')
    return 2
  }
  const coordinator = parseTestUrl(url)
  const workers = await listWorkers(coordinator)
  const counts = [0, ...workers.map((_, index) => index + 1)]
  const sides: Side[] = []
  for (const count of counts) sides.push(await openSide(coordinator, workers.slice(0, count)))
  const nodes = await Promise.all([coordinator, ...workers].map(postmasterOf))

  // Plans and pages are not cached yet, and V8 has not optimised anything.
  for (const side of sides) for (const load of LOADS) await run(side, load)
  await forgetStatements(coordinator)
  const count = ROUNDS[process.argv.includes('--quick') ? 'quick' : 'full']
  for (let round = 0; round < count; round += 1) {
    for (let turn = 0; turn < sides.length; turn += 1) {
      const side = sides[(round + turn) % sides.length] as Side
      for (const load of LOADS) await measure(side, load, nodes)
    }
    note(`round ${round + 1}/${count}`)
  }
  for (const load of LOADS) process.stdout.write(`\n${toTable(load, sides)}\n`)
  process.stdout.write(`\n${await describeStatements(coordinator, sides)}\n`)
  process.stdout.write(`\n${await describePlans({ ...coordinator, database: (sides.at(-1) as Side).database })}\n`)
  let isClean = true
  for (const { name, db } of sides) {
    const { accounts, differences } = await auditLedger(db)
    note(`ledger audit, ${name}: ${accounts} accounts, ${differences.length} differences`)
    isClean &&= differences.length === 0
  }
  process.stdout.write(`\nMedians of ${count} interleaved rounds. Took ${elapsedSeconds()} s.\n`)
  return isClean ? 0 : 1
})

/** Makes a database on the coordinator and the workers. Without workers it is a plain database on the same PostgreSQL. */
async function openSide(coordinator: TestConnection, workers: readonly TestConnection[]): Promise<Side> {
  const database = `cardstock_bench_${workers.length}_${process.pid}`
  const nodes = [coordinator, ...workers]
  closeLater(async () => {
    for (const node of nodes) await query(node, `drop database if exists ${database} with (force)`)
  })
  for (const node of nodes) {
    await query(node, `create database ${database} template template0`)
    if (workers.length > 0) await query({ ...node, database }, 'create extension citus')
  }
  const connection = { ...coordinator, database }
  if (workers.length > 0) {
    await query(coordinator, `alter database ${database} set citus.shard_count = ${SHARDS}`)
    await query(connection, `select citus_set_coordinator_host('${coordinator.host}', ${coordinator.port})`)
    for (const { host, port } of workers) await query(connection, `select citus_add_node('${host}', ${port})`)
  }
  await migrate(connection, { citus: workers.length > 0 })
  const db = createPool(connection, {
    size: CALLS_IN_FLIGHT,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    onError: () => {},
  })
  closeLater(() => db.close())
  const companies = await seedCompanies(db, COMPANIES, { funded: false })
  for (const { id: companyId } of companies) {
    const funds = { amount: cents(DEPOSIT_CENTS), fee: cents(0n), idempotencyKey: 'bench', digest: '00'.repeat(32) }
    await deposit({ db, clock: systemClock }, { companyId, environment: 'sandbox' }, funds)
  }
  const name =
    workers.length === 0 ? 'one PostgreSQL' : `Citus, ${workers.length} worker${workers.length > 1 ? 's' : ''}`
  note(`${name} is ready`)
  return { name, database, workers, db, companies }
}

async function postmasterOf(node: TestConnection): Promise<number> {
  const db = createPool(node, { size: 1, onError: () => {} })
  try {
    return await findPostmaster(db)
  } finally {
    await db.close()
  }
}

async function run({ db, companies }: Side, { size, calls, inFlight }: Load): Promise<void> {
  let next = 0
  const client = async () => {
    while (next < calls) {
      const company = companies[next % companies.length] as Company
      next += 1
      await accept(db, company, size)
    }
  }
  await Promise.all(Array.from({ length: inFlight }, client))
}

/** Adds the milliseconds of processor time per operation, of the coordinator and of the workers together. */
async function measure(side: Side, load: Load, postmasters: readonly number[]): Promise<void> {
  const before = postmasters.map(databaseCpuMs)
  const startedMs = performance.now()
  await run(side, load)
  const operations = load.size * load.calls
  const [coordinator = 0, ...workers] = postmasters.map(
    (pid, node) => (databaseCpuMs(pid) - (before[node] ?? 0)) / operations,
  )
  rounds.add(key(load, side, 'coordinator'), coordinator)
  rounds.add(
    key(load, side, 'workers'),
    workers.reduce((sum, ms) => sum + ms, 0),
  )
  rounds.add(key(load, side, 'all'), coordinator + workers.reduce((sum, ms) => sum + ms, 0))
  rounds.add(key(load, side, 'rate'), (operations * 1000) / (performance.now() - startedMs))
}

const key = (load: Load, side: Side, figure: string) => `${load.name}, ${side.name}, ${figure}`

function toTable(load: Load, sides: readonly Side[]): string {
  const base = sides[0] as Side
  const lines = sides.map((side) => {
    const figures = ['coordinator', 'workers', 'all'].map((figure) => rounds.median(key(load, side, figure)).toFixed(3))
    const ratios = ['all', 'rate'].map((figure) => {
      const [low, high] = rounds.spread(key(load, side, figure), key(load, base, figure))
      return `${format(rounds.ratio(key(load, side, figure), key(load, base, figure)))} (${format(low)}–${format(high)})`
    })
    return `| ${side.name} | ${figures.join(' | ')} | ${ratios.join(' | ')} |`
  })
  const head = `| ${load.name} | coordinator, ms | workers, ms | together, ms | : one PostgreSQL | rate : one PostgreSQL |`
  return [head, '| --- | --- | --- | --- | --- | --- |', ...lines].join('\n')
}

/** They are counted only if pg_stat_statements is loaded and citus.stat_statements_track is "all". */
async function canCountStatements(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ can: boolean }>(`
    select current_setting('shared_preload_libraries') like '%pg_stat_statements%'
      and current_setting('citus.stat_statements_track', true) = 'all' as can`)
  return rows[0]?.can === true
}

async function forgetStatements(coordinator: TestConnection): Promise<void> {
  await withClient(coordinator, async (client) => {
    if (!(await canCountStatements(client))) return
    await client.query('create extension if not exists pg_stat_statements')
    await client.query('select pg_stat_statements_reset(), citus_stat_statements_reset()')
  })
}

/** Returns what the coordinator sent to nodes: calls of functions that it passed on, and statements with and without a company. */
async function describeStatements(coordinator: TestConnection, sides: readonly Side[]): Promise<string> {
  return withClient(coordinator, async (client) => {
    if (!(await canCountStatements(client))) return 'Citus does not count statements here.'
    const { rows } = await client.query<{ database: string; what: string; calls: string }>(
      `select d.datname as database, sum(s.calls) as calls,
              coalesce('call of ' || substring(s.query from 'public\\.(\\w+)\\('),
                       case when s.partition_key is null then 'without a company' else 'of one company' end) as what
       from citus_stat_statements s join pg_database d on d.oid = s.dbid
       where d.datname = any ($1) group by 1, 3 order by 1, 3`,
      [sides.map(({ database }) => database)],
    )
    const lines = rows.map(({ database, what, calls }) => {
      return `| ${sides.find((side) => side.database === database)?.name} | ${what} | ${calls} |`
    })
    return ['| citus_stat_statements | statement | calls |', '| --- | --- | --- |', ...lines].join('\n')
  })
}

/** Returns how many statements of the sources go where, and the names of those that need several shards or that Citus refuses. */
async function describePlans(connection: TestConnection): Promise<string> {
  const plans = await explainStatements(connection)
  const lines = PLACES.map((place) => `| ${place} | ${plans.filter((plan) => plan.place === place).length} |`)
  const names = plans
    .filter(({ place }) => place === 'several shards' || place === 'refused')
    .map(({ place, statement, error }) => `${place}: ${statement}${error === undefined ? '' : ` (${error})`}`)
  return ['| explain | statements of the sources |', '| --- | --- |', ...lines, '', ...names].join('\n')
}

async function withClient<Result>(connection: TestConnection, work: (client: pg.Client) => Promise<Result>) {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
