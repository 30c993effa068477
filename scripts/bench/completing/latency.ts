// How long accepting takes at half of the sustained rate: alone, beside another company's backlog, and beside a slow issuer, each with
// fastify that stores nothing at the same rate in turns with it, which shows what the machine itself does.
import type { Pool } from '../../../server/src/db/pool.ts'
import { sql } from '../../../server/src/db/sql.ts'
import { must } from '../../../server/src/lib/invariant.ts'
import { type Bench, type Listening, runLoad } from '../bench.ts'
import { seedBacklog } from '../seed.ts'
import { CREATED, type Product, startOn, whileResting, workOff } from './product.ts'
import { seedLive, startSlowIssuer, whileOrderingLive } from './slow-issuer.ts'

const CONNECTIONS = 64
/** How often the server is measured, and for how many seconds fastify is before each time. */
const SLICES = { quick: { count: 3, bareSeconds: 3 }, full: { count: 30, bareSeconds: 10 } }
/** A backlog is filled up after this time, while nothing is measured: a fast worker finishes it in about as long. */
const SLICE_SECONDS = 20
const WARM_UP_SECONDS = 5
const BACKLOG = 100_000

interface Latency {
  /** Sorted, in ms. */
  readonly latencies: Float32Array
  readonly longestPauseMs: number
}

interface Job {
  readonly port: number
  readonly requests: readonly string[]
  readonly rate: number
}

interface Deps {
  readonly bench: Bench
  readonly bare: Listening
  /** Operations per second. */
  readonly rate: number
  readonly isQuick: boolean
}

/** Returns a table. The product is started again for the slow issuer, and stopped at the end. */
export async function measureLatency(deps: Deps, product: Product): Promise<string> {
  const lines = [
    await compare(deps, product, { name: 'alone', measure: (slice) => slice(), remark: () => '' }),
    await compare(deps, product, besideBacklog(product)),
  ]
  await product.child.stop()
  const issuer = await startSlowIssuer(deps.bench)
  const live = await startOn(deps.bench, product.site, { environ: issuer.environ })
  await run(deps.bench, { port: live.port, requests: live.site.requests, rate: deps.rate }, WARM_UP_SECONDS)
  lines.push(await compare(deps, live, await besideIssuer(deps.bench, live)))
  await live.child.stop()
  await issuer.child.stop()
  return [...HEAD, ...lines].join('\n')
}

interface Situation {
  readonly name: string
  /** Runs one slice of the measurement in the situation. */
  measure(slice: () => Promise<Latency>): Promise<Latency>
  /** What the situation was in the end. */
  remark(): string
}

function besideBacklog(product: Product): Situation {
  const { db } = product.site
  let lowest = BACKLOG
  return {
    name: `beside ${BACKLOG.toLocaleString('en')} queued`,
    async measure(slice) {
      await whileResting(product, async () => {
        // On a machine that cannot keep up the queue is longer.
        const missing = BACKLOG - (await countQueued(db))
        if (missing > 0) await seedBacklog(db, missing, () => {})
      })
      const found = await slice()
      lowest = Math.min(lowest, await countQueued(db))
      return found
    },
    remark: () => `at least ${lowest.toLocaleString('en')} of them left after ${SLICE_SECONDS} s`,
  }
}

async function besideIssuer(bench: Bench, { port, site: { db } }: Product): Promise<Situation> {
  const companies = await seedLive(db)
  let [ordered, completed] = [0, 0]
  return {
    name: 'beside an issuer that takes 2 s',
    async measure(slice) {
      let found: Latency | undefined
      const counts = await whileOrderingLive(bench, { db, port, companies, seconds: SLICE_SECONDS }, async () => {
        found = await slice()
      })
      ordered += counts.ordered
      completed += counts.completed
      return must(found)
    },
    remark: () => `${ordered.toLocaleString('en')} live orders, ${completed.toLocaleString('en')} completed`,
  }
}

/** Returns a line of the table: what was measured in a situation, and the machine's own noise between. */
async function compare({ bench, bare, rate, isQuick }: Deps, product: Product, situation: Situation): Promise<string> {
  const { count, bareSeconds } = SLICES[isQuick ? 'quick' : 'full']
  const { port, site } = product
  const [noise, found]: [Latency[], Latency[]] = [[], []]
  const upkeep = await readUpkeep(site.db)
  for (let slice = 0; slice < count; slice += 1) {
    const bareJob = { port: bare.port, requests: site.requests, rate }
    noise.push(await whileResting(product, () => run(bench, bareJob, bareSeconds)))
    const job = { port, requests: site.requests, rate }
    found.push(await situation.measure(() => run(bench, job, SLICE_SECONDS)))
  }
  const { checkpoints, vacuums } = await readUpkeep(site.db)
  const remarks = [
    situation.remark(),
    `checkpoints: ${checkpoints - upkeep.checkpoints}, vacuums: ${vacuums - upkeep.vacuums}`,
  ]
  const line = toLine(situation.name, rate, {
    found: joined(found),
    noise: joined(noise),
    remark: remarks.filter(Boolean).join('; '),
  })
  bench.note(line)
  await workOff(site)
  return line
}

async function run(bench: Bench, { port, requests, rate }: Job, seconds: number): Promise<Latency> {
  const job = { port, requests: [...requests], connections: CONNECTIONS, rate, seconds, keepsLatencies: true }
  const { latencies = new Float32Array(), longestPauseMs } = await runLoad(bench, job, [CREATED])
  return { latencies, longestPauseMs }
}

function joined(parts: readonly Latency[]): Latency {
  const latencies = new Float32Array(parts.reduce((sum, part) => sum + part.latencies.length, 0))
  let at = 0
  for (const part of parts) {
    latencies.set(part.latencies, at)
    at += part.latencies.length
  }
  return { latencies: latencies.toSorted(), longestPauseMs: Math.max(...parts.map((part) => part.longestPauseMs)) }
}

async function countQueued(db: Pool): Promise<number> {
  const row = await db.find<{ count: bigint }>(
    sql`select count(*) as count from issuer_request where environment = 'sandbox' and status = 'queued'`,
  )
  return Number(row?.count)
}

/** Returns what PostgreSQL has done by itself so far. */
async function readUpkeep(db: Pool): Promise<{ checkpoints: number; vacuums: number }> {
  const row = await db.find<{ checkpoints: number; vacuums: number }>(sql`
    select (select num_timed + num_requested from pg_stat_checkpointer)::float8 as checkpoints,
           (select sum(autovacuum_count) from pg_stat_user_tables)::float8 as vacuums`)
  return must(row)
}

const HEAD = [
  '| at half of the sustained rate | per second | p50, ms | p99, ms | longest pause, ms | fastify, no store: p50 | p99 | longest pause | p99 : its p99 | |',
  '| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |',
]

function toLine(
  name: string,
  rate: number,
  { found, noise, remark }: { found: Latency; noise: Latency; remark: string },
): string {
  const quantile = ({ latencies }: Latency, share: number) =>
    latencies[Math.floor(latencies.length * share)] ?? Number.NaN
  const figures = (latency: Latency) => [
    quantile(latency, 0.5).toFixed(1),
    quantile(latency, 0.99).toFixed(1),
    Math.round(latency.longestPauseMs),
  ]
  const ratio = quantile(found, 0.99) / quantile(noise, 0.99)
  return `| ${[name, Math.round(rate), ...figures(found), ...figures(noise), ratio.toFixed(1), remark].join(' | ')} |`
}
