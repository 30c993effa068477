// `npm run bench -- --beside`: how long an accept takes while a backlog of operations and deliveries is worked off, with the
// worker in the process that answers, in a process of its own, and without a worker. One server runs at a time, on one database.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from '../../server/src/db/sql.ts'
import { auditLedger } from '../../server/src/ledger/audit.ts'
import { accept } from './backlog.ts'
import { type Bench, FULL, QUICK, runLoad } from './bench.ts'
import { closeLater, elapsedSeconds, note, openBench, runBench } from './open.ts'
import { childrenOf, productSettings, residentMb, startProduct } from './processes.ts'
import { format, Rounds } from './rounds.ts'
import { type Company, issueRequest, seedCompanies } from './seed.ts'

const CREATED = 201
const ROUNDS = { quick: 4, full: 11 }
/** Slow enough that a server without a worker is idle most of the time, so that latency is not the wait for other accepts. */
const ACCEPTS_PER_SECOND = 20
const CONNECTIONS = 8
const WARM_UP_SECONDS = 8
const ROUND_SECONDS = 8
/** More than a worker finishes in a round with its warm-up. Otherwise only deliveries would be left to measure. */
const BACKLOG = 120_000
const BATCH = 500
const WORKER_START_MS_MAX = 60_000
const WORKER_POLL_MS = 100
/** Each of them gets every event of the backlog, so that there are several deliveries for each operation. */
const ENDPOINTS = 3

const SIDES = {
  together: ['--processes', '0'],
  apart: [],
  'without a worker': ['--role', 'api'],
} as const
type Side = keyof typeof SIDES
const NAMES = Object.keys(SIDES) as Side[]

const rounds = new Rounds()
let delivered = 0

runBench(async () => {
  const isQuick = process.argv.includes('--quick')
  const bench = await openBench(isQuick ? QUICK : FULL)
  const [backlog, ...clients] = (await seedCompanies(bench.db, 1 + CONNECTIONS, { funded: true })) as [
    Company,
    ...Company[],
  ]
  const count = ROUNDS[isQuick ? 'quick' : 'full']
  await addEndpoints(bench, backlog)
  for (let round = 0; round < count; round += 1) {
    // Every side is first, second and last equally often.
    for (let turn = 0; turn < NAMES.length; turn += 1) {
      const side = NAMES[(round + turn) % NAMES.length] as Side
      // Before the start: a worker would finish operations as fast as they are added.
      await fill(bench, backlog)
      const { child, port } = await startProduct(productSettings(bench), bench.children, SIDES[side])
      if (side !== 'without a worker') await untilWorking(bench)
      await measure(bench, side, { pid: child.pid, port, requests: clients.map(issueRequest) })
      await child.stop()
      note(`medians after round ${round + 1}/${count}, ${side}: ${describe(side)}`)
    }
  }
  const { differences } = await auditLedger(bench.db)
  process.stdout.write(`\n${toTable()}\n\n`)
  process.stdout.write(
    `Medians of ${count} interleaved rounds of ${ROUND_SECONDS} s, ${ACCEPTS_PER_SECOND} accepts per second.`,
  )
  process.stdout.write(` Took ${elapsedSeconds()} s.\nLedger audit: ${differences.length} differences.\n`)
  return differences.length === 0 ? 0 : 1
})

/** Returns the address of a receiver that counts what arrives. Every path below it is an endpoint. */
async function startReceiver(): Promise<string> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      delivered += 1
      response.writeHead(204).end()
    })
  })
  closeLater(() => server.close().closeAllConnections())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

async function addEndpoints(bench: Bench, { key }: Company): Promise<void> {
  const receiver = await startReceiver()
  const { child, port } = await startProduct(productSettings(bench), bench.children, SIDES['without a worker'])
  for (let n = 0; n < ENDPOINTS; n += 1) await createEndpoint(port, key, receiver + n)
  await child.stop()
}

async function createEndpoint(port: number, key: string, url: string): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/webhook-endpoints`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url }),
  })
  if (answer.status !== CREATED) throw new Error(`The endpoint was refused: ${await answer.text()}`)
}

const countQueued = async ({ db }: Bench, { id }: { id: string }) =>
  Number(
    (
      await db.find<{ count: string }>(
        sql`select count(*) as count from operation where company_id = ${id} and environment = 'sandbox' and status = 'queued'`,
      )
    )?.count,
  )

async function fill(bench: Bench, company: Company): Promise<void> {
  for (let queued = await countQueued(bench, company); queued < BACKLOG; queued += BATCH) {
    await accept(bench.db, company, BATCH)
  }
}

/** A worker in a process of its own starts after the process that answers. */
async function untilWorking(bench: Bench): Promise<void> {
  const before = await countFinished(bench)
  const deadlineMs = performance.now() + WORKER_START_MS_MAX
  while ((await countFinished(bench)) === before) {
    if (performance.now() > deadlineMs) throw new Error('The worker does not finish any operation.')
    await delay(WORKER_POLL_MS)
  }
}

async function measure(
  bench: Bench,
  side: Side,
  { pid, port, requests }: { pid: number; port: number; requests: string[] },
): Promise<void> {
  const job = { port, connections: CONNECTIONS, requests, rate: ACCEPTS_PER_SECOND }
  // On a busy machine a new server may answer nothing in this time, which runLoad would refuse.
  await bench.load.ask({ ...job, seconds: WARM_UP_SECONDS })
  const [deliveredBefore, finishedBefore] = [delivered, await countFinished(bench)]
  const startedMs = performance.now()
  const { p50Ms, p99Ms } = await runLoad(bench, { ...job, seconds: ROUND_SECONDS }, [CREATED])
  const seconds = (performance.now() - startedMs) / 1000
  rounds.add(`p50, ${side}`, p50Ms)
  rounds.add(`p99, ${side}`, p99Ms)
  rounds.add(`operations, ${side}`, ((await countFinished(bench)) - finishedBefore) / seconds)
  rounds.add(`deliveries, ${side}`, (delivered - deliveredBefore) / seconds)
  rounds.add(
    `memory, ${side}`,
    [pid, ...childrenOf(pid)].map(residentMb).reduce((sum, mb) => sum + mb),
  )
}

async function countFinished({ db }: Bench): Promise<number> {
  const row = await db.find<{ count: string }>(sql`select count(*) as count from operation where status = 'completed'`)
  return Number(row?.count)
}

const describe = (side: Side) =>
  ['p50', 'p99', 'operations', 'deliveries', 'memory']
    .map((figure) => `${figure} ${format(rounds.median(`${figure}, ${side}`))}`)
    .join(', ')

function toTable(): string {
  const figures = ['p50', 'p99', 'operations', 'deliveries', 'memory'] as const
  const titles = ['p50, ms', 'p99, ms', 'operations per second', 'deliveries per second', 'memory, MB']
  const lines = figures.map((figure, index) => {
    const ratio = (side: Side) => format(rounds.ratio(`${figure}, ${side}`, `${figure}, together`))
    const [low, high] = rounds.spread(`${figure}, apart`, `${figure}, together`)
    const values = NAMES.map((side) => format(rounds.median(`${figure}, ${side}`)))
    return `| ${titles[index]} | ${values.join(' | ')} | ${ratio('apart')} (${format(low)}–${format(high)}) |`
  })
  return [`| | ${NAMES.join(' | ')} | apart : together |`, '| --- | --- | --- | --- | --- |', ...lines].join('\n')
}
