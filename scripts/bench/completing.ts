// `npm run bench -- --completing`: what one operation costs from its acceptance to its completed webhook, with the processes that
// `npm start` runs: CPU time, WAL and storage per operation, and memory. Requests arrive at fixed rates, whether or not answers come
// back. The control is the same rate a second time: the difference is the machine's own noise.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from '../../server/src/db/sql.ts'
import { auditLedger } from '../../server/src/ledger/audit.ts'
import { type Bench, COMPANIES, FULL, QUICK, runLoad } from './bench.ts'
import { cpuMs, databaseCpuMs, findPostmaster } from './cpu.ts'
import { closeLater, elapsedSeconds, note, openBench, runBench } from './open.ts'
import { childrenOf, productSettings, proportionalMb, startProduct } from './processes.ts'
import { format } from './rounds.ts'
import { type Company, issueRequest, seedCompanies } from './seed.ts'

const CREATED = 201
const CONNECTIONS = 64
const WARM_UP = { rate: 500, seconds: 5 }
/** Operations per second. */
const RATES = { quick: [500, 2000, 2000], full: [50, 500, 1000, 2000, 2000, 3000, 4000, 5000] }
const ROUND_SECONDS = { quick: 8, full: 30 }
/** How long what was accepted may take to complete, on a machine that cannot keep up. */
const DRAIN_MS_MAX = 300_000
const POLL_MS = 100

let delivered = 0

runBench(async () => {
  const isQuick = process.argv.includes('--quick')
  const bench = await openBench(isQuick ? QUICK : FULL)
  const companies = await seedCompanies(bench.db, COMPANIES, { funded: true })
  const { child, port } = await startProduct(productSettings(bench), bench.children)
  await subscribe(port, companies[0] as Company)
  const product = { pids: [child.pid, ...childrenOf(child.pid)], port, requests: companies.map(issueRequest) }
  await measure(bench, product, WARM_UP)
  const rows: Row[] = []
  for (const rate of RATES[isQuick ? 'quick' : 'full']) {
    const row = await measure(bench, product, { rate, seconds: ROUND_SECONDS[isQuick ? 'quick' : 'full'] })
    note(toLine(row))
    rows.push(row)
  }
  await child.stop()
  const { differences } = await auditLedger(bench.db)
  process.stdout.write(`\n${HEAD}\n${rows.map(toLine).join('\n')}\n\n`)
  process.stdout.write(`Took ${elapsedSeconds()} s. Ledger audit: ${differences.length} differences.\n`)
  return differences.length === 0 ? 0 : 1
})

/** One endpoint that gets every event of one of the companies. */
async function subscribe(port: number, { key }: Company): Promise<void> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      delivered += 1
      response.writeHead(204).end()
    })
  })
  closeLater(() => server.close().closeAllConnections())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/webhook-endpoints`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` }),
  })
  if (answer.status !== CREATED) throw new Error(`The endpoint was refused: ${await answer.text()}`)
}

interface Product {
  readonly pids: readonly number[]
  readonly port: number
  readonly requests: readonly string[]
}

interface Row {
  readonly rate: number
  readonly accepted: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** What was left to complete when the last request was answered, in seconds of this rate. */
  readonly behindSeconds: number
  readonly cpuMs: readonly number[]
  readonly databaseCpuMs: number
  readonly walBytes: number
  readonly storedBytes: number
  readonly memoryMb: number
}

async function measure(
  bench: Bench,
  { pids, port, requests }: Product,
  { rate, seconds }: { rate: number; seconds: number },
): Promise<Row> {
  const { db } = bench
  const postmaster = await findPostmaster(db)
  const before = { cpu: pids.map(cpuMs), database: databaseCpuMs(postmaster), ...(await readSizes(bench)) }
  const job = { port, connections: CONNECTIONS, requests: [...requests], rate, seconds }
  const { rate: accepted, p50Ms, p99Ms } = await runLoad(bench, job, [CREATED])
  const open = await countOpen(bench)
  const memoryMb = pids.map(proportionalMb).reduce((sum, mb) => sum + mb)
  const endMs = performance.now() + DRAIN_MS_MAX
  while ((await countOpen(bench)) > 0) {
    if (performance.now() > endMs) throw new Error('What was accepted does not complete.')
    await delay(POLL_MS)
  }
  const after = { cpu: pids.map(cpuMs), database: databaseCpuMs(postmaster), ...(await readSizes(bench)) }
  const count = after.operations - before.operations
  return {
    rate,
    accepted,
    p50Ms,
    p99Ms,
    behindSeconds: open / rate,
    cpuMs: after.cpu.map((ms, index) => (ms - (before.cpu[index] ?? 0)) / count),
    databaseCpuMs: (after.database - before.database) / count,
    walBytes: (after.wal - before.wal) / count,
    storedBytes: (after.stored - before.stored) / count,
    memoryMb,
  }
}

async function countOpen({ db }: Bench): Promise<number> {
  const row = await db.find<{ count: string }>(sql`
    select (select count(*) from issuer_request) + (select count(*) from delivery where status = 'pending') as count`)
  return Number(row?.count)
}

async function readSizes({ db }: Bench) {
  const row = await db.find<{ operations: string; wal: string; stored: string }>(sql`
    select (select count(*) from operation) as operations, pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') as wal,
           pg_database_size(current_database()) as stored`)
  return { operations: Number(row?.operations), wal: Number(row?.wal), stored: Number(row?.stored) }
}

const HEAD = [
  '| rate | accepted | p50, ms | p99, ms | behind, s | CPU, ms | of it PostgreSQL | processes | WAL, bytes | stored, bytes | memory, MB |',
  '| ---- | -------- | ------- | ------- | --------- | ------- | ---------------- | --------- | ---------- | ------------- | ---------- |',
].join('\n')

function toLine(row: Row): string {
  const cpu = row.cpuMs.reduce((sum, ms) => sum + ms, row.databaseCpuMs)
  return `| ${[
    row.rate,
    Math.round(row.accepted),
    row.p50Ms.toFixed(1),
    row.p99Ms.toFixed(1),
    row.behindSeconds.toFixed(2),
    cpu.toFixed(3),
    row.databaseCpuMs.toFixed(3),
    row.cpuMs.map((ms) => ms.toFixed(3)).join(' + '),
    Math.round(row.walBytes),
    Math.round(row.storedBytes),
    format(row.memoryMb),
  ].join(' | ')} |`
}
