// Measures webhook deliveries: healthy endpoints beside hanging ones, and many events through several workers, one of
// which is killed. `npm run bench -- --webhooks [--quick]`. Exits with 1 when an event is missing or a bound is exceeded.
import { endProcess, openStage, type Stage, wait } from './webhooks/stage.ts'

const isQuick = process.argv.includes('--quick')
const eventsArgument = process.argv.indexOf('--events')
const wanted = eventsArgument > 0 ? Number(process.argv[eventsArgument + 1]) : isQuick ? 40_000 : 100_000
if (!Number.isInteger(wanted) || wanted <= 0) throw new Error('--events takes a whole number.')
/** A multiple of a hundred, so that every endpoint gets the same number. */
const EVENTS = Math.ceil(wanted / 100) * 100
/** Each case waits for a dead worker's lease of half a minute, so a quick run has only one case. */
const WORKER_COUNTS = isQuick ? [2] : [1, 2, 4]
const ENDPOINTS = 20
const PACED_SECONDS = isQuick ? 4 : 20
const PER_ENDPOINT_PER_SECOND = 10
/** A new worker is slow at first. Its first deliveries would make up the whole slowest hundredth. */
const PACED_WARM_SECONDS = 3
/** Rates count from this share of the events on, when both sides have warmed up and no worker has been killed yet. */
const WARM_SHARE = 0.2
/** The lease of a killed worker, and several times what the rest takes. */
const FINISH_WITHIN_MS = 120_000

let failed = false
const check = (what: string, isTrue: boolean) => {
  if (!isTrue) failed = true
  console.log(`${isTrue ? 'ok  ' : 'FAIL'} ${what}`)
}

/** Sends events at a steady pace to each port, and returns the delays that the healthy receivers see. */
async function measureDelays(stage: Stage, hanging: number): Promise<{ p50: number; p99: number; count: number }> {
  const { ports } = await stage.ask({ kind: 'listen', healthy: ENDPOINTS - 10, hanging })
  const scopes = await stage.register([...(ports?.healthy ?? []), ...(ports?.hanging ?? [])])
  const worker = await stage.startWorker()
  const ids = scopes.map((scope) => scope.companyId)
  const ticks = (PACED_WARM_SECONDS + PACED_SECONDS) * PER_ENDPOINT_PER_SECOND
  for (let tick = 0; tick < ticks; tick += 1) {
    const startedMs = Date.now()
    await stage.client.query(
      `select emit_event(c, 'sandbox', 'card.updated', gen_random_uuid(), '{"id": "card_bench"}', $2) from unnest($1::uuid[]) as c order by c`,
      [ids, new Date(startedMs)],
    )
    await wait(Math.max(0, 1000 / PER_ENDPOINT_PER_SECOND - (Date.now() - startedMs)))
  }
  const healthy = ENDPOINTS - 10
  await waitForCount(stage, healthy * ticks)
  const { delays = [] } = await stage.ask({ kind: 'delays' })
  const sorted = delays.slice(healthy * PACED_WARM_SECONDS * PER_ENDPOINT_PER_SECOND).toSorted((a, b) => a - b)
  await endProcess(worker)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return { p50: at(0.5), p99: at(0.99), count: sorted.length }
}

async function waitForCount(stage: Stage, expected: number): Promise<void> {
  const end = Date.now() + FINISH_WITHIN_MS
  for (;;) {
    const { count } = await stage.ask({ kind: 'count' })
    if ((count?.unique ?? 0) >= expected || Date.now() > end) return
    await wait(50)
  }
}

async function fill(stage: Stage): Promise<{ companies: string[]; ids: string[] }> {
  const { ports } = await stage.ask({ kind: 'listen', healthy: ENDPOINTS, hanging: 0 })
  const companies = (await stage.register(ports?.healthy ?? [])).map((scope) => scope.companyId)
  for (const company of companies) {
    await stage.client.query(
      `select count(emit_event($1, 'sandbox', 'card.updated', gen_random_uuid(), '{"id": "card_bench", "status": "active"}', $3)) from generate_series(1, $2)`,
      [company, EVENTS / ENDPOINTS, new Date()],
    )
  }
  const { rows } = await stage.client.query<{ id: string }>(
    `select 'evt_' || replace(id::text, '-', '') as id from event_log where company_id = any($1)`,
    [companies],
  )
  return { companies, ids: rows.map((row) => row.id) }
}

interface Run {
  /** Measured before a worker is killed. */
  rate: number
  seconds: number
  victim: number
  killedShare: number
  verdict: { missing: number; unexpected: number; duplicates: number }
  pending: number
}

/** Delivers all events and kills one worker at a random moment. A single worker is replaced. */
async function deliverAll(stage: Stage, workerCount: number): Promise<Run> {
  const { companies, ids } = await fill(stage)
  const startedMs = Date.now()
  const workers = await Promise.all(Array.from({ length: workerCount }, () => stage.startWorker()))
  await waitForCount(stage, EVENTS * WARM_SHARE)
  const warm = await countAt(stage)
  const killedShare = 0.5 + Math.random() * 0.4
  await waitForCount(stage, EVENTS * killedShare)
  const atKill = await countAt(stage)
  const victim = Math.floor(Math.random() * workerCount)
  const [killed] = workers.splice(victim, 1)
  if (killed !== undefined) await endProcess(killed)
  if (workers.length === 0) workers.push(await stage.startWorker())
  await waitForCount(stage, EVENTS)
  const seconds = (Date.now() - startedMs) / 1000
  const pending = await waitForRecords(stage, companies)
  const { verdict } = await stage.ask({ kind: 'verify', expected: ids })
  await Promise.all(workers.map(endProcess))
  return {
    rate: (1000 * (atKill.unique - warm.unique)) / (atKill.atMs - warm.atMs),
    seconds,
    victim: victim + 1,
    killedShare,
    verdict: verdict ?? { missing: EVENTS, unexpected: 0, duplicates: 0 },
    pending,
  }
}

async function countAt(stage: Stage): Promise<{ unique: number; atMs: number }> {
  const { count } = await stage.ask({ kind: 'count' })
  return { unique: count?.unique ?? 0, atMs: performance.now() }
}

/** Waits until the deliveries that arrived are recorded, and returns how many are still waiting. */
async function waitForRecords(stage: Stage, companies: readonly string[]): Promise<number> {
  const end = Date.now() + FINISH_WITHIN_MS
  for (;;) {
    const { rows } = await stage.client.query<{ pending: number }>(
      `select count(*)::int as pending from delivery where company_id = any($1) and status = 'pending'`,
      [companies],
    )
    const pending = rows[0]?.pending ?? 0
    if (pending === 0 || Date.now() > end) return pending
    await wait(200)
  }
}

const stage = await openStage()
try {
  const alone = await measureDelays(stage, 0)
  console.log(
    `10 healthy endpoints alone:            p50 ${alone.p50} ms, p99 ${alone.p99} ms (${alone.count} deliveries)`,
  )
  const beside = await measureDelays(stage, 10)
  console.log(
    `10 healthy endpoints beside 10 hanging: p50 ${beside.p50} ms, p99 ${beside.p99} ms (${beside.count} deliveries)`,
  )
  check(`p99 ratio ${(beside.p99 / alone.p99).toFixed(2)} is below 2`, beside.p99 < 2 * alone.p99)

  for (const workers of WORKER_COUNTS) {
    // Measure the plain loop just before each case, so that both sides of the ratio see the same machine.
    const { ports } = await stage.ask({ kind: 'listen', healthy: ENDPOINTS, hanging: 0 })
    const bare = await stage.runBare({ ports: ports?.healthy ?? [], warm: EVENTS * WARM_SHARE, count: EVENTS / 2 })
    const { rate, seconds, victim, killedShare, verdict, pending } = await deliverAll(stage, workers)
    const name = `${workers} worker${workers === 1 ? '' : 's'}`
    console.log(
      `${name}: ${(rate / bare).toFixed(2)} of the bare POST loop (${Math.round(rate)}/s : ${Math.round(bare)}/s)`,
    )
    check(
      `${name}, number ${victim} killed after ${Math.round(killedShare * 100)} %: ${verdict.missing} of ${EVENTS} missing, ` +
        `${verdict.duplicates} arrived more than once, ${pending} left waiting, all within ${seconds.toFixed(0)} s`,
      verdict.missing === 0 && verdict.unexpected === 0 && pending === 0,
    )
  }
} finally {
  await stage.close()
}
process.exit(failed ? 1 : 0)
