// `npm run bench -- --request-log`: what the request log costs. Two servers share one database, one with the log and one
// without, and accept operations in turn.
import { setTimeout as pause } from 'node:timers/promises'
import { auditLedger } from '../../server/src/ledger/audit.ts'
import { sql } from '../../server/src/db/sql.ts'
import { type Bench, COMPANIES, FULL, type Listening, QUICK, runLoad, startServer } from './bench.ts'
import { canReadCpu, cpuMs, databaseCpuMs, findPostmaster } from './cpu.ts'
import { elapsedSeconds, note, openBench, runBench } from './open.ts'
import { drawTable, type Row } from './report.ts'
import { format, Rounds } from './rounds.ts'
import { issueRequest, seedCompanies } from './seed.ts'

const CREATED = 201
const CONNECTIONS = 64
/** On a busy machine a shorter time has too few requests for the code to be compiled. */
const WARM_UP_SECONDS = 10
/** Several times the interval at which the log is written. */
const ROUND_SECONDS = 2
/** The log holds two thousand records and writes a thousand per second. What it writes after a round belongs to that round. */
const WRITTEN_MS = 2_500
/** Half of what the log writes per second, so that it drops nothing. */
const PACE_PER_SECOND = 500
const ROUNDS = { quick: { fast: 7, paced: 5 }, full: { fast: 41, paced: 21 } }

type Side = 'on' | 'off'
interface Pace {
  readonly name: string
  readonly rate?: number
}
const FAST: Pace = { name: 'as fast as possible' }
const PACED: Pace = { name: `${PACE_PER_SECOND} per second`, rate: PACE_PER_SECOND }

runBench(async () => {
  const isQuick = process.argv.includes('--quick')
  const bench = await openBench(isQuick ? QUICK : FULL)
  const requests = (await seedCompanies(bench.db, COMPANIES, { funded: true })).map(issueRequest)
  const servers = { on: await startServer(bench, 'engine'), off: await startServer(bench, 'unlogged') }
  const rounds = new Rounds()
  const measure = await createMeasure(bench, rounds, requests)
  for (const { port } of Object.values(servers)) {
    await runLoad(bench, { port, connections: CONNECTIONS, seconds: WARM_UP_SECONDS, requests }, [CREATED])
  }
  await pause(WRITTEN_MS)
  const { fast, paced } = ROUNDS[isQuick ? 'quick' : 'full']
  for (const [pace, count] of [
    [FAST, fast],
    [PACED, paced],
  ] as const) {
    for (let round = 0; round < count; round += 1) {
      const order: Side[] = round % 2 === 0 ? ['on', 'off'] : ['off', 'on']
      for (const side of order) await measure(servers[side], side, pace)
      note(`round ${round + 1}/${count}, ${pace.name}`)
    }
  }
  const { differences } = await auditLedger(bench.db)
  const recorded = [FAST, PACED].map(({ name }): [string, string] => [
    `share of requests recorded, ${name}`,
    format(rounds.median(`recorded, ${name}, on`)),
  ])
  process.stdout.write(`\n${drawTable(toRows(rounds), recorded).join('\n')}\n\n`)
  process.stdout.write(`${fast} and ${paced} rounds of ${ROUND_SECONDS} s. Took ${elapsedSeconds()} s.\n`)
  process.stdout.write(`Ledger audit: ${differences.length} differences.\n`)
  return differences.length === 0 ? 0 : 1
})

/** Returns a function that measures one side for one round: rate, latency, CPU per request, and the share recorded. */
async function createMeasure(bench: Bench, rounds: Rounds, requests: string[]) {
  const postmaster = canReadCpu ? await findPostmaster(bench.db) : 0
  const usedMs = ({ child }: Listening) => (canReadCpu ? cpuMs(child.pid) + databaseCpuMs(postmaster) : Number.NaN)
  const countRecords = async () =>
    Number((await bench.db.find<{ count: string }>(sql`select count(*) as count from request_log`))?.count)
  return async (server: Listening, side: Side, { name, rate }: Pace) => {
    const recordsBefore = await countRecords()
    const beforeMs = usedMs(server)
    const job = { port: server.port, connections: CONNECTIONS, seconds: ROUND_SECONDS, requests }
    const result = await runLoad(bench, rate === undefined ? job : { ...job, rate }, [CREATED])
    await pause(WRITTEN_MS)
    const spentMs = usedMs(server) - beforeMs
    const answers = result.statuses[CREATED] ?? 0
    rounds.add(`rate, ${name}, ${side}`, result.rate)
    rounds.add(`latency, ${name}, ${side}`, result.p50Ms)
    rounds.add(`CPU, ${name}, ${side}`, spentMs / answers)
    rounds.add(`recorded, ${name}, ${side}`, ((await countRecords()) - recordsBefore) / answers)
  }
}

function toRows(rounds: Rounds): Row[] {
  const row = (key: string, text: string, figure: string, target: Row['target']): Row => {
    const [on, off] = [`${figure}, on`, `${figure}, off`]
    return {
      key,
      text: `${text}, log on : off`,
      value: rounds.ratio(on, off),
      spread: rounds.spread(on, off),
      rates: `${format(rounds.median(on))} : ${format(rounds.median(off))}`,
      target,
    }
  }
  const cpuRows = [
    row('requestLogCpu', 'CPU per request, ms', `CPU, ${FAST.name}`, { atMost: 1.03 }),
    row('requestLogCpuPaced', `CPU per request at ${PACED.name}, ms`, `CPU, ${PACED.name}`, {}),
  ]
  return [
    row('requestLogRate', 'operations per second', `rate, ${FAST.name}`, { atLeast: 0.97 }),
    row('requestLogP50', `median latency at ${PACED.name}, ms`, `latency, ${PACED.name}`, {}),
    ...(canReadCpu ? cpuRows : []),
  ]
}
