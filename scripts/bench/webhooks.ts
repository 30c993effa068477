// Webhook deliveries, measured: hanging endpoints beside healthy ones, and many events through several workers of which
// one is killed. Run: npx tsx scripts/bench/webhooks.ts [--quick] [--events N]. Exit code 1 when a count or bound is missed.
import { Agent } from 'undici'
import { endProcess, openStage, type Stage, wait } from './webhooks/stage.ts'

const isQuick = process.argv.includes('--quick')
const eventsArgument = process.argv.indexOf('--events')
const EVENTS = eventsArgument > 0 ? Number(process.argv[eventsArgument + 1]) : isQuick ? 5_000 : 100_000
const ENDPOINTS = 20
const PACED_SECONDS = isQuick ? 20 : 40
const PER_ENDPOINT_PER_SECOND = 10
/** As many requests at once as the deliverer has for these endpoints. */
const BARE_IN_FLIGHT = ENDPOINTS * 16
/** The lease of a killed worker, twice, and time to spare. */
const FINISH_WITHIN_MS = 900_000

let failed = false
const check = (what: string, isTrue: boolean) => {
  if (!isTrue) failed = true
  console.log(`${isTrue ? 'ok  ' : 'FAIL'} ${what}`)
}

/** Events at a steady pace to each of the ports; the delays seen by the healthy receivers. */
async function measureDelays(stage: Stage, hanging: number): Promise<{ p50: number; p99: number; count: number }> {
  const { ports } = await stage.ask({ kind: 'listen', healthy: ENDPOINTS - 10, hanging })
  const scopes = await stage.register([...(ports?.healthy ?? []), ...(ports?.hanging ?? [])])
  const worker = await stage.startWorker()
  const ids = scopes.map((scope) => scope.companyId)
  for (let tick = 0; tick < PACED_SECONDS * PER_ENDPOINT_PER_SECOND; tick += 1) {
    const startedMs = Date.now()
    await stage.client.query(
      `select emit_event(c, 'sandbox', 'card.updated', gen_random_uuid(), '{"id": "card_bench"}', $2) from unnest($1::uuid[]) as c order by c`,
      [ids, new Date(startedMs)],
    )
    await wait(Math.max(0, 1000 / PER_ENDPOINT_PER_SECOND - (Date.now() - startedMs)))
  }
  const expected = (ENDPOINTS - 10) * PACED_SECONDS * PER_ENDPOINT_PER_SECOND
  await waitForCount(stage, expected)
  const sorted = ((await stage.ask({ kind: 'delays' })).delays ?? []).toSorted((a, b) => a - b)
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
    `select 'evt_' || replace(id::text, '-', '') as id from event where company_id = any($1)`,
    [companies],
  )
  return { companies, ids: rows.map((row) => row.id) }
}

interface Run {
  seconds: number
  verdict: { missing: number; unexpected: number; duplicates: number }
  pending: number
}

async function deliverAll(stage: Stage, workerCount: number, isKilling: boolean): Promise<Run> {
  const { companies, ids } = await fill(stage)
  const workers = await Promise.all(Array.from({ length: workerCount }, () => stage.startWorker()))
  const startedMs = Date.now()
  if (isKilling) {
    // At random, while it is in the middle of its work.
    const share = 0.1 + Math.random() * 0.6
    await waitForCount(stage, Math.floor(EVENTS * share))
    const victim = Math.floor(Math.random() * workerCount)
    const [killed] = workers.splice(victim, 1)
    if (killed !== undefined) await endProcess(killed)
    if (workers.length === 0) workers.push(await stage.startWorker())
    console.log(`     killed worker ${victim + 1} of ${workerCount} after ${Math.round(share * 100)} % of the events`)
  }
  await waitForCount(stage, EVENTS)
  const seconds = (Date.now() - startedMs) / 1000
  await wait(500)
  const { verdict } = await stage.ask({ kind: 'verify', expected: ids })
  await Promise.all(workers.map(endProcess))
  const { rows } = await stage.client.query<{ pending: number }>(
    `select count(*)::int as pending from delivery where company_id = any($1) and status = 'pending'`,
    [companies],
  )
  return {
    seconds,
    verdict: verdict ?? { missing: EVENTS, unexpected: 0, duplicates: 0 },
    pending: rows[0]?.pending ?? 0,
  }
}

/** The same requests, unsigned, from memory, with nothing written down: what the HTTP client itself can do. */
async function measureBare(stage: Stage): Promise<number> {
  const { ports } = await stage.ask({ kind: 'listen', healthy: ENDPOINTS, hanging: 0 })
  const agent = new Agent()
  const body = Buffer.from(JSON.stringify({ id: 'evt_x', createdAt: new Date().toISOString(), data: 'x'.repeat(200) }))
  const count = Math.min(EVENTS, 20_000)
  let left = count
  const startedMs = performance.now()
  await Promise.all(
    Array.from({ length: BARE_IN_FLIGHT }, async (_, index) => {
      const origin = `http://127.0.0.1:${ports?.healthy[index % ENDPOINTS]}`
      while (left-- > 0) {
        const answer = await agent.request({ origin, path: '/hooks', method: 'POST', body })
        await answer.body.dump()
      }
    }),
  )
  const rate = count / ((performance.now() - startedMs) / 1000)
  await agent.close()
  return rate
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

  const bare = await measureBare(stage)
  console.log(`bare POST loop: ${Math.round(bare)} requests/s`)
  for (const workers of [1, 2, 4]) {
    const { seconds, verdict } = await deliverAll(stage, workers, false)
    const rate = EVENTS / seconds
    console.log(
      `${workers} worker(s): ${EVENTS} events in ${seconds.toFixed(1)} s, ${Math.round(rate)}/s, ${(rate / bare).toFixed(2)} of the bare loop`,
    )
    check(
      `${workers} worker(s): all ${EVENTS} arrived, ${verdict.duplicates} twice`,
      verdict.missing === 0 && verdict.unexpected === 0,
    )
  }
  for (const workers of [1, 2, 4]) {
    const { seconds, verdict } = await deliverAll(stage, workers, true)
    check(
      `${workers} worker(s), one killed: all ${EVENTS} arrived at least once within ${seconds.toFixed(0)} s, ${verdict.duplicates} more than once, ${verdict.missing} missing`,
      verdict.missing === 0 && verdict.unexpected === 0,
    )
  }
} finally {
  await stage.close()
}
process.exit(failed ? 1 : 0)
