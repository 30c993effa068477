// What one operation costs from its acceptance to its completed webhook when requests arrive at a fixed rate, whether or not answers come
// back: CPU time, WAL and storage per operation, and memory.
import type { Pool } from '../../../server/src/db/pool.ts'
import { sql } from '../../../server/src/db/sql.ts'
import { type Bench, runLoad } from '../bench.ts'
import { proportionalMb } from '../processes.ts'
import { format } from '../rounds.ts'
import { countOpen, CREATED, type Product, readCpu, workOff } from './product.ts'

const CONNECTIONS = 64
/** Operations per second. */
const RATES = { quick: [500, 2000, 2000], full: [50, 500, 1000, 2000, 2000, 3000, 4000, 5000] }
const ROUND_SECONDS = { quick: 5, full: 30 }

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

/** Returns a table with a line for each rate. CPU time is also a multiple of that of a request to fastify that stores nothing. */
export async function measureRates(
  bench: Bench,
  product: Product,
  { bareCpuMs, isQuick }: { bareCpuMs: number; isQuick: boolean },
): Promise<string> {
  const seconds = ROUND_SECONDS[isQuick ? 'quick' : 'full']
  const lines: string[] = []
  for (const rate of RATES[isQuick ? 'quick' : 'full']) {
    const line = toLine(await measure(bench, product, { rate, seconds }), bareCpuMs)
    bench.note(line)
    lines.push(line)
  }
  return [...HEAD, ...lines].join('\n')
}

async function measure(
  bench: Bench,
  product: Product,
  { rate, seconds }: { rate: number; seconds: number },
): Promise<Row> {
  const { pids, port, site } = product
  const [cpuBefore, before] = [await readCpu(product), await readSizes(site.db)]
  const job = { port, connections: CONNECTIONS, requests: [...site.requests], rate, seconds }
  const { rate: accepted, p50Ms, p99Ms } = await runLoad(bench, job, [CREATED])
  const open = await countOpen(site.db)
  const memoryMb = pids.map(proportionalMb).reduce((sum, mb) => sum + mb)
  await workOff(site)
  const [cpuAfter, after] = [await readCpu(product), await readSizes(site.db)]
  const count = after.operations - before.operations
  return {
    rate,
    accepted,
    p50Ms,
    p99Ms,
    behindSeconds: open / rate,
    cpuMs: cpuAfter.own.map((ms, index) => (ms - (cpuBefore.own[index] ?? 0)) / count),
    databaseCpuMs: (cpuAfter.database - cpuBefore.database) / count,
    walBytes: (after.wal - before.wal) / count,
    storedBytes: (after.stored - before.stored) / count,
    memoryMb,
  }
}

async function readSizes(db: Pool) {
  const row = await db.find<{ operations: string; wal: string; stored: string }>(sql`
    select (select count(*) from operation) as operations, pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') as wal,
           pg_database_size(current_database()) as stored`)
  return { operations: Number(row?.operations), wal: Number(row?.wal), stored: Number(row?.stored) }
}

const HEAD = [
  '| rate | accepted | p50, ms | p99, ms | behind, s | CPU, ms | : fastify, no store | of it PostgreSQL | processes | WAL, bytes | stored, bytes | memory, MB |',
  '| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |',
]

function toLine(row: Row, bareCpuMs: number): string {
  const cpu = row.cpuMs.reduce((sum, ms) => sum + ms, row.databaseCpuMs)
  return `| ${[
    row.rate,
    Math.round(row.accepted),
    row.p50Ms.toFixed(1),
    row.p99Ms.toFixed(1),
    row.behindSeconds.toFixed(2),
    cpu.toFixed(3),
    (cpu / bareCpuMs).toFixed(1),
    row.databaseCpuMs.toFixed(3),
    row.cpuMs.map((ms) => ms.toFixed(3)).join(' + '),
    Math.round(row.walBytes),
    Math.round(row.storedBytes),
    format(row.memoryMb),
  ].join(' | ')} |`
}
