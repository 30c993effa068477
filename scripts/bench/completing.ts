// `npm run bench -- --completing`: what users feel of an operation from its acceptance to its completion, with the processes that `npm start`
// runs: how many complete per second, what each costs, and how long accepting takes at half of that rate. Whatever depends on the machine has
// beside it the same measurement of an equal second server, or of fastify that stores nothing.
import { createPool } from '../../server/src/db/pool.ts'
import { sql } from '../../server/src/db/sql.ts'
import { auditLedger } from '../../server/src/ledger/audit.ts'
import { type Bench, FULL, QUICK, runLoad } from './bench.ts'
import { measureLatency } from './completing/latency.ts'
import { CREATED, makeSite, type Site, startOn, subscribe, workOff } from './completing/product.ts'
import { measureRates } from './completing/rates.ts'
import { measureSustained } from './completing/sustained.ts'
import { createMigrated } from './database.ts'
import { closeLater, elapsedSeconds, openBench, runBench } from './open.ts'
import { startPeer } from './peers/start.ts'
import { Rounds } from './rounds.ts'

const WARM_UP = { connections: 64, rate: 500, seconds: 3 }
const STATEMENT_TIMEOUT_MS = 600_000

runBench(async () => {
  const isQuick = process.argv.includes('--quick')
  const bench = await openBench(isQuick ? QUICK : FULL)
  const site = await makeSite('ours', bench.connection, bench.db)
  const second = await makeSecondSite(bench)
  const ours = await startOn(bench, site)
  const control = await startOn(bench, second)
  const accepting = await startOn(bench, site, { args: ['--role', 'api'] })
  const keys = site.companies.map(({ key }) => key)
  const bare = await startPeer(bench, { keys, tigerBeetle: undefined })
  for (const product of [ours, control]) await subscribe(product)
  for (const { port, site: own } of [ours, control, accepting, { ...bare, site }]) {
    await runLoad(bench, { port, requests: [...own.requests], ...WARM_UP }, [CREATED])
    await workOff(own)
  }
  const sustained = await measureSustained(bench, { ours, control, accepting, bare }, new Rounds(), isQuick)
  await control.child.stop()
  await accepting.child.stop()
  const rates = await measureRates(bench, ours, { bareCpuMs: sustained.bareCpuMs, isQuick })
  const latency = await measureLatency({ bench, bare, rate: sustained.perSecond / 2, isQuick }, ours)
  process.stdout.write(`\n${[sustained.table, rates, latency].join('\n\n')}\n\n`)
  return report([site, second])
})

/** The control needs a database of its own, because the worker of one server works for all that use its database. */
async function makeSecondSite(bench: Bench): Promise<Site> {
  const connection = await createMigrated(bench, 'bench_control')
  const db = createPool(connection, { size: 2, statementTimeoutMs: STATEMENT_TIMEOUT_MS, onError: () => {} })
  closeLater(() => db.close())
  return makeSite('control', connection, db)
}

/** Every operation of the sandbox must have been completed, and the books must agree. */
async function report(sites: readonly Site[]): Promise<number> {
  let isGood = true
  for (const { name, db } of sites) {
    const { differences } = await auditLedger(db)
    const left = await db.find<{ count: bigint }>(
      sql`select count(*) as count from operation where environment = 'sandbox' and status <> 'completed'`,
    )
    process.stdout.write(`${name}: ${differences.length} differences in the ledger, ${left?.count} not completed.\n`)
    isGood &&= differences.length === 0 && left?.count === 0n
  }
  process.stdout.write(`Took ${elapsedSeconds()} s.\n`)
  return isGood ? 0 : 1
}
