// How many operations per second are accepted and completed when clients send as fast as they can, against accepting alone, against an
// equal second server (the control), and against fastify that stores nothing; and the CPU time of each operation.
import { setTimeout as delay } from 'node:timers/promises'
import type { Pool } from '../../../server/src/db/pool.ts'
import { sql } from '../../../server/src/db/sql.ts'
import { type Bench, type Listening, runLoad } from '../bench.ts'
import { cpuMs } from '../cpu.ts'
import { format, type Rounds } from '../rounds.ts'
import type { LoadResult } from '../wire.ts'
import { CREATED, type Product, readCpu, whileResting, workOff } from './product.ts'

const ROUNDS = {
  quick: { count: 7, seconds: 1, connections: [256] },
  full: { count: 15, seconds: 3, connections: [64, 256] },
}
/** How exactly the end of the last operation is known. */
const POLL_MS = 10
/** An operation may complete this long after the last answer. Then nothing works. */
const LAST_MS_MAX = 300_000

/** The servers that take turns. `accepting` works on the database of `ours`, whose worker rests meanwhile. */
export interface Servers {
  readonly ours: Product
  readonly control: Product
  readonly accepting: Product
  readonly bare: Listening
}

const SIDES = ['ours', 'control', 'accepting', 'bare'] as const
type Side = (typeof SIDES)[number]
const TITLES: Record<Side, string> = {
  ours: 'accepted and completed',
  control: 'the same, a second server',
  accepting: 'accepting alone, no worker',
  bare: 'fastify, no store',
}

export interface Sustained {
  /** Operations per second that are accepted and completed, with the most connections. */
  readonly perSecond: number
  /** CPU time of a request to fastify that stores nothing, in ms. */
  readonly bareCpuMs: number
  readonly table: string
}

export async function measureSustained(
  bench: Bench,
  servers: Servers,
  rounds: Rounds,
  isQuick: boolean,
): Promise<Sustained> {
  const { count, seconds, connections } = ROUNDS[isQuick ? 'quick' : 'full']
  const requests = [...servers.ours.site.requests]
  for (const many of connections) {
    await rounds.run(
      SIDES.map((side) => ({
        name: nameOf('rate', side, many),
        measure: async () => {
          const own = side === 'control' ? [...servers.control.site.requests] : requests
          const load = () => ({ port: servers[side].port, connections: many, requests: own, seconds })
          const { perSecond, cpu } = await runSide(bench, servers, side, load())
          rounds.add(nameOf('cpu', side, many), cpu)
          return perSecond
        },
      })),
      count,
      bench.note,
    )
  }
  const most = connections.at(-1) ?? 0
  return {
    perSecond: rounds.median(nameOf('rate', 'ours', most)),
    bareCpuMs: rounds.median(nameOf('cpu', 'bare', most)),
    table: connections.map((many) => toTable(rounds, many)).join('\n\n'),
  }
}

interface Job {
  port: number
  connections: number
  requests: string[]
  seconds: number
}

interface Turn {
  readonly perSecond: number
  /** CPU time of one operation, in ms. */
  readonly cpu: number
}

function runSide(bench: Bench, servers: Servers, side: Side, job: Job): Promise<Turn> {
  switch (side) {
    case 'ours':
    case 'control':
      return complete(bench, servers[side], job)
    case 'accepting':
      return acceptOnly(bench, servers, job)
    case 'bare':
      return askBare(bench, servers.bare, job)
  }
}

/** The time is that from the first request until the last operation has completed. The CPU time includes the deliveries. */
async function complete(bench: Bench, product: Product, job: Job): Promise<Turn> {
  const before = await readCpu(product)
  const load = runLoad(bench, job, [CREATED])
  const completedAtMs = await watchLast(product.site.db, load, job.seconds)
  const { firstAtMs, statuses } = await load
  await workOff(product.site)
  const count = statuses[CREATED] ?? 0
  return {
    perSecond: (count * 1000) / (completedAtMs - firstAtMs),
    cpu: perOperation(before, await readCpu(product), count),
  }
}

async function acceptOnly(bench: Bench, { ours, accepting }: Servers, job: Job): Promise<Turn> {
  const turn = await whileResting(ours, async () => {
    const before = await readCpu(accepting)
    const { firstAtMs, lastAtMs, statuses } = await runLoad(bench, job, [CREATED])
    const count = statuses[CREATED] ?? 0
    const cpu = perOperation(before, await readCpu(accepting), count)
    return { perSecond: (count * 1000) / (lastAtMs - firstAtMs), cpu }
  })
  await workOff(ours.site)
  return turn
}

async function askBare(bench: Bench, { port, child }: Listening, job: Job): Promise<Turn> {
  const before = cpuMs(child.pid)
  const { firstAtMs, lastAtMs, statuses } = await runLoad(bench, { ...job, port }, [CREATED])
  const count = statuses[CREATED] ?? 0
  return { perSecond: (count * 1000) / (lastAtMs - firstAtMs), cpu: (cpuMs(child.pid) - before) / count }
}

type Cpu = Awaited<ReturnType<typeof readCpu>>

function perOperation(before: Cpu, after: Cpu, count: number): number {
  const total = ({ own, database }: Cpu) => own.reduce((sum, ms) => sum + ms, database)
  return (total(after) - total(before)) / count
}

/** Returns when a look into the database that began after the last answer first found nothing left to carry out. */
async function watchLast(db: Pool, load: Promise<LoadResult>, seconds: number): Promise<number> {
  let lastAtMs = Number.POSITIVE_INFINITY
  void load.then(
    (result) => (lastAtMs = result.lastAtMs),
    () => undefined,
  )
  await delay(seconds * 1000)
  const nowMs = () => performance.timeOrigin + performance.now()
  const deadlineMs = nowMs() + LAST_MS_MAX
  const empty: { askedAtMs: number; atMs: number }[] = []
  for (;;) {
    const askedAtMs = nowMs()
    const isEmpty = (await db.find(sql`select from issuer_request where environment = 'sandbox' limit 1`)) === undefined
    if (isEmpty) empty.push({ askedAtMs, atMs: nowMs() })
    const found = empty.find((look) => look.askedAtMs >= lastAtMs)
    if (found !== undefined) return found.atMs
    if (askedAtMs > deadlineMs) throw new Error('What was accepted does not complete.')
    await delay(POLL_MS)
  }
}

const nameOf = (figure: 'rate' | 'cpu', side: Side, connections: number) =>
  `${figure}, ${connections} connections, ${TITLES[side]}`

/** A ratio is the median of the rounds' ratios, with its range. */
function toTable(rounds: Rounds, connections: number): string {
  const ratio = (figure: 'rate' | 'cpu', side: Side, base: Side) => {
    const pair = [nameOf(figure, side, connections), nameOf(figure, base, connections)] as const
    const [low, high] = rounds.spread(...pair)
    return `${rounds.ratio(...pair).toFixed(2)} (${low.toFixed(2)}–${high.toFixed(2)})`
  }
  const lines = SIDES.map((side) =>
    [
      TITLES[side],
      format(rounds.median(nameOf('rate', side, connections))),
      ratio('rate', side, 'accepting'),
      rounds.median(nameOf('cpu', side, connections)).toFixed(3),
      ratio('cpu', side, 'bare'),
    ].join(' | '),
  )
  return [
    `| ${connections} connections, as fast as they can | per second | : accepting alone | CPU, ms | CPU : fastify, no store |`,
    '| --- | --- | --- | --- | --- |',
    ...lines.map((line) => `| ${line} |`),
    `| control, accepted and completed : a second server | | ${ratio('rate', 'ours', 'control')} | | ${ratio('cpu', 'ours', 'control')} |`,
  ].join('\n')
}
