// `npm run bench -- --statements`: what a statement of 10,000 entries costs in each format, and how long the main thread of
// the server is blocked meanwhile, against an idle server that is watched at the same time.
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from '../../server/src/db/sql.ts'
import { toDatabaseUrl } from '../../server/test/support/database-url.ts'
import type { Bench, Plan } from './bench.ts'
import { ENTRIES_PER_DAY, FIRST_DAY, seedEntries, vacuum } from './books/seed.ts'
import { download } from './download.ts'
import { elapsedSeconds, openBench, runBench } from './open.ts'
import { startProduct } from './processes.ts'
import { median } from './rounds.ts'
import { type Company, seedCompanies } from './seed.ts'
import { SECRET_KEY_HEX } from './wire.ts'

const FORMATS = ['json', 'csv', 'pdf'] as const
const ROUNDS = { quick: 5, full: 21 }
/** The first rounds are not counted, until the code is compiled. */
const WARM_UPS = 3
const POLL_MS = 10
const PLAN: Plan = {
  rounds: 0,
  seconds: 0,
  sprints: 0,
  closeSprints: 0,
  sprintSeconds: 0,
  warmUpSeconds: 0,
  claims: 0,
}

interface Seen {
  readonly cpuMs: number
  readonly beforeMb: number
  readonly peakMb: number
  readonly blockedMs: number
  readonly blockedCpuMs: number
}

interface Round {
  readonly busy: Seen
  readonly idle: Seen
  readonly ms: number
  readonly bytes: number
}

runBench(async () => {
  const bench = await openBench(PLAN)
  const [company] = (await seedCompanies(bench.db, 1, { funded: false, createdAt: FIRST_DAY })) as [Company]
  await seedEntries(bench.db, company, ENTRIES_PER_DAY)
  await seedServices(bench, company)
  await vacuum(bench.db, 'entry')
  const [busy, idle] = [await startWatched(bench, 'busy'), await startWatched(bench, 'idle')]
  const day = FIRST_DAY.toISOString().slice(0, 10)
  const rounds = process.argv.includes('--quick') ? ROUNDS.quick : ROUNDS.full
  for (const format of FORMATS) {
    const path = `/api/v1/account-statements?from=${day}&to=${day}&format=${format}`
    const seen: Round[] = []
    let baseMb = Number.POSITIVE_INFINITY
    for (let round = 0; round < WARM_UPS + rounds; round += 1) {
      busy.toggle()
      idle.toggle()
      const startedMs = performance.now()
      const bytes = await download(busy.port, company.key, path)
      const ms = performance.now() - startedMs
      const both = { busy: await busy.read(), idle: await idle.read(), ms, bytes }
      baseMb = Math.min(baseMb, both.busy.beforeMb)
      if (round >= WARM_UPS) seen.push(both)
    }
    process.stdout.write(`${format}: ${describe(seen, baseMb)}\n`)
  }
  process.stdout.write(`${rounds} rounds per format, medians. Took ${elapsedSeconds()} s.\n`)
  return 0
})

/** Medians, and the highest of the figures that have a limit. Memory is compared with that before the first statement. */
function describe(rounds: readonly Round[], baseMb: number): string {
  const middle = (of: (round: Round) => number) => median(rounds.map(of)).toFixed(1)
  const both = (of: (round: Round) => number) => `${middle(of)} (highest ${Math.max(...rounds.map(of)).toFixed(1)})`
  return [
    `${middle((round) => round.ms)} ms`,
    `${middle((round) => round.bytes / 1e6)} MB sent`,
    // Watching and the background jobs cost the same in both.
    `CPU ${both((round) => round.busy.cpuMs - round.idle.cpuMs)} ms`,
    `memory ${both((round) => round.busy.peakMb - baseMb)} MB`,
    `longest block ${both((round) => round.busy.blockedCpuMs)} ms of CPU, ${both((round) => round.busy.blockedMs)} ms in all`,
    `of an idle server ${both((round) => round.idle.blockedCpuMs)} and ${both((round) => round.idle.blockedMs)} ms`,
  ].join(', ')
}

/** The PDF names what each entry is about, so the operations of the entries must be there. */
async function seedServices({ db }: Bench, { id }: Company): Promise<void> {
  await db.run(sql`
    insert into operation (company_id, environment, id, type, status, amount, fee, product_id, recipient, receipt, idempotency_key,
                           request_digest, created_at, status_at, due_at)
    select ${id}, 'sandbox', e.reference, 'service', 'completed', 1232100, 2467, 'prod_service_esim', 'recipient ' || e.number, 'receipt',
           e.number::text, '\\x00', e.created_at, e.created_at, e.created_at
    from entry e where e.company_id = ${id} and e.environment = 'sandbox' and e.kind = 'reservation'`)
}

/** Starts the released server, whose costs are watched between two calls of `toggle`. */
async function startWatched(bench: Bench, name: string) {
  const file = join(bench.folder, `${name}.json`)
  const { child, port } = await startProduct(
    {
      DATABASE_URL: toDatabaseUrl(bench.connection),
      DATA_DIR: join(bench.folder, name),
      SECRET_KEY: SECRET_KEY_HEX,
      PORT: '0',
      DEMO: 'false',
      LOG_LEVEL: 'error',
      STATEMENT_RATE_LIMIT_PER_SECOND: '1000000',
      NODE_OPTIONS: `--import ${new URL('./watch.mjs', import.meta.url).href}`,
      WATCH_FILE: file,
    },
    bench.children,
    ['--processes', '0'],
  )
  const toggle = () => void process.kill(child.pid, 'SIGUSR2')
  return {
    port,
    toggle,
    async read(): Promise<Seen> {
      toggle()
      while (!existsSync(file)) await pause(POLL_MS)
      const seen = JSON.parse(readFileSync(file, 'utf8')) as Seen
      rmSync(file)
      return seen
    },
  }
}
