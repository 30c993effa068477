// Measures POST /operations: against the stub and the naive version, one account against many, with refusals mixed in,
// beside a client that repeats keys, the latency at half load, direct calls without HTTP, and memory.
import pg from 'pg'
import { newId } from '../../server/src/lib/ids.ts'
import { type Bench, COMPANIES, type Listening, runLoad, startServer } from './bench.ts'
import { residentMb, startProduct } from './processes.ts'
import { measureRepeats } from './repeats.ts'
import type { Rounds } from './rounds.ts'
import { AMOUNT_CENTS, type Company, FEE_CENTS, issueRequest, seedCompanies } from './seed.ts'
import { type LoadResult, SECRET_KEY_HEX } from './wire.ts'
import { measureWorkingOff, workOff } from './working-off.ts'

const CREATED = 201
const REFUSED = 400
/** One request in this many comes from an account without money. */
const MIX = 10
const RSS_SAMPLE_MS = 200
const DIRECT_CLIENTS = 64

/** Latencies at half load, right after the measurements before and after a rest. */
export interface HalfLoad {
  readonly rate: number
  readonly busy: LoadResult
  readonly rested: LoadResult
}

export interface AcceptFigures {
  halfLoad: HalfLoad
  directRate: number
  rssMb: number
}

export async function measureAccepting(bench: Bench, rounds: Rounds): Promise<AcceptFigures> {
  const { plan, note } = bench
  const companies = await seedCompanies(bench.db, COMPANIES, { funded: true })
  const poor = await seedCompanies(bench.db, COMPANIES / MIX, { funded: false })
  const spread = companies.map(issueRequest)
  const hot = spread.slice(0, 1)
  const mixed = shuffle([...spread.slice(COMPANIES / MIX), ...poor.map(issueRequest)])

  const engine = await startServer(bench, 'engine')
  const stub = await startServer(bench, 'stub')
  const naive = await startServer(bench, 'naive')
  const worker = await startServer(bench, 'worker')
  const rate = (server: Listening, connections: number, requests: string[], seconds = plan.seconds) =>
    rateOf(bench, server, { connections, requests, seconds })

  for (const server of [engine, stub, naive]) await rate(server, 256, spread, plan.warmUpSeconds)
  note('warmed up')
  await compare(bench, rounds, { engine, stub, naive }, { spread, hot, mixed })
  const [repeater] = await seedCompanies(bench.db, 1, { funded: true })
  await measureRepeats(bench, rounds, engine, { others: spread, repeater: repeater as Company })
  await workOff(bench, worker, plan.warmUpSeconds)
  await measureWorkingOff(bench, rounds, { worker, accept: () => rate(engine, 256, spread) })
  const halfLoad = await measureHalfLoad(bench, engine, {
    requests: spread,
    rate: rounds.median('engine, 256 connections') / 2,
  })
  for (const server of [engine, stub, naive, worker]) await server.child.stop()
  const directRate = await callDirectly(bench, companies)
  const rssMb = await measureResident(bench, spread)
  return { halfLoad, directRate, rssMb }
}

interface Servers {
  readonly engine: Listening
  readonly stub: Listening
  readonly naive: Listening
}

interface Requests {
  readonly spread: string[]
  readonly hot: string[]
  readonly mixed: string[]
}

async function compare(
  bench: Bench,
  rounds: Rounds,
  { engine, stub, naive }: Servers,
  { spread, hot, mixed }: Requests,
): Promise<void> {
  const { plan, note } = bench
  const sprint = (server: Listening, connections: number, requests: string[]) => () =>
    rateOf(bench, server, { connections, requests, seconds: plan.sprintSeconds })
  // Compare with the stub before the engine has refused anything. The stub never refuses, and V8 optimises for the
  // kinds of answers it has seen.
  await rounds.run(
    [
      { name: 'engine, 256 connections', measure: sprint(engine, 256, spread) },
      { name: 'stub, 256 connections', measure: sprint(stub, 256, spread) },
    ],
    plan.closeSprints,
    note,
  )
  await rounds.run(
    [
      { name: 'engine beside naive, 256 connections', measure: sprint(engine, 256, spread) },
      { name: 'naive, 256 connections', measure: sprint(naive, 256, spread) },
    ],
    plan.sprints,
    note,
  )
  await rateOf(bench, engine, { connections: 64, requests: mixed, seconds: plan.warmUpSeconds })
  await rounds.run(
    [
      { name: 'engine, 64 connections', measure: sprint(engine, 64, spread) },
      { name: 'naive, 64 connections', measure: sprint(naive, 64, spread) },
      { name: 'one hot account', measure: sprint(engine, 64, hot) },
      { name: '10 % refused', measure: sprint(engine, 64, mixed) },
    ],
    plan.sprints,
    note,
  )
}

/**
 * A busy database still has to write what the measurements before have left: pages, and the dead rows that vacuum removes. A rested one has
 * done so.
 */
async function measureHalfLoad(
  bench: Bench,
  { port }: Listening,
  { requests, rate }: { requests: string[]; rate: number },
): Promise<HalfLoad> {
  const job = { port, connections: 256, seconds: bench.plan.seconds * 2, requests, rate }
  const busy = await runLoad(bench, job, [CREATED])
  await rest({ ...bench.superuser, database: bench.connection.database })
  bench.note('the database has rested')
  return { rate, busy, rested: await runLoad(bench, job, [CREATED]) }
}

async function rest(superuser: pg.ClientConfig): Promise<void> {
  const client = new pg.Client(superuser)
  await client.connect()
  try {
    await client.query('vacuum analyze')
    await client.query('checkpoint')
  } finally {
    await client.end()
  }
}

async function rateOf(
  bench: Bench,
  { port }: Listening,
  job: { connections: number; requests: string[]; seconds: number },
): Promise<number> {
  return (await runLoad(bench, { port, ...job }, [CREATED, REFUSED])).rate
}

/** Returns how many operations per second the database accepts, one per call, without HTTP and without batches. */
async function callDirectly({ connection, plan }: Bench, companies: readonly Company[]): Promise<number> {
  const clients = Array.from({ length: DIRECT_CLIENTS }, () => new pg.Client({ ...connection, options: '-c jit=off' }))
  await Promise.all(clients.map((client) => client.connect()))
  const endMs = performance.now() + plan.seconds * 1000
  let calls = 0
  const call = async (client: pg.Client, company: Company) => {
    const now = new Date()
    await client.query({
      name: 'accept',
      text: `select * from accept_operation($1, $2, 'sandbox', $3, $4, '00', 'issue', 'prod_card_virtual', $5, $6, $7, null, null, null, null)`,
      values: [company.id, now, newId(now), `direct-${newId(now)}`, AMOUNT_CENTS, FEE_CENTS, company.holderId],
    })
    calls += 1
  }
  try {
    await Promise.all(
      clients.map(async (client, index) => {
        for (let turn = index; performance.now() < endMs; turn += DIRECT_CLIENTS) {
          await call(client, companies[turn % companies.length] as Company)
        }
      }),
    )
  } finally {
    await Promise.all(clients.map((client) => client.end()))
  }
  return calls / plan.seconds
}

/** Returns the highest memory of the released server, API and worker in one process, under the load of 256 connections. */
async function measureResident(bench: Bench, requests: string[]): Promise<number> {
  const { host = '', port = 5432, user = '', password = '', database = '' } = bench.connection
  const secret = typeof password === 'string' ? encodeURIComponent(password) : ''
  const product = await startProduct(
    {
      DATABASE_URL: `postgres://${user}:${secret}@${encodeURIComponent(host)}:${port}/${database}`,
      DATA_DIR: `${bench.folder}/product`,
      SECRET_KEY: SECRET_KEY_HEX,
      PORT: '0',
      DEMO: 'false',
      LOG_LEVEL: 'warn',
      RATE_LIMIT_PER_SECOND: '1000000',
      RATE_LIMIT_BURST: '1000000',
    },
    bench.children,
    ['--processes', '0'],
  )
  let highestMb = 0
  const sample = () => {
    highestMb = Math.max(highestMb, residentMb(product.child.pid))
  }
  const timer = setInterval(sample, RSS_SAMPLE_MS)
  try {
    const seconds = bench.plan.seconds * 3
    await runLoad(bench, { port: product.port, connections: 256, seconds, requests }, [CREATED])
    sample()
  } finally {
    clearInterval(timer)
  }
  await product.child.stop()
  return highestMb
}

/** Shuffles into the same order in every run. */
function shuffle<Item>(items: Item[]): Item[] {
  let state = 1
  return items
    .map((item) => {
      state = (state * 48_271) % 2_147_483_647
      return { item, at: state }
    })
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item)
}
