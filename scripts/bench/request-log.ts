// `npm run bench -- --request-log`: what the request log costs. Three servers share one database and accept operations in turn:
// one with the log and two without. The ratio of the two without shows how much of any ratio is noise.
import { setTimeout as pause } from 'node:timers/promises'
import { auditLedger } from '../../server/src/ledger/audit.ts'
import { sql } from '../../server/src/db/sql.ts'
import { type Bench, COMPANIES, FULL, type Listening, QUICK, runLoad, startServer } from './bench.ts'
import { canReadCpu, cpuMs, databaseCpuMs, findPostmaster } from './cpu.ts'
import { elapsedSeconds, note, openBench, runBench } from './open.ts'
import { drawTable, type Row } from './report.ts'
import { measureRecord } from './request-log-record.ts'
import { format, Rounds } from './rounds.ts'
import { issueRequest, seedCompanies } from './seed.ts'

const CREATED = 201
const CONNECTIONS = 64
/** On a busy machine a shorter time has too few requests for the code to be compiled. */
const WARM_UP_SECONDS = 10
/** Several times the interval at which the log is written, and long enough that the log has used up its burst. */
const ROUND_SECONDS = 4
/** Longer than the interval at which the log is written. What it writes after a round belongs to that round. */
const WRITTEN_MS = 1_500
/** Less than the log records per second, so that it drops nothing. */
const PACE_PER_SECOND = 200
const ROUNDS = { quick: { fast: 9, paced: 5 }, full: { fast: 31, paced: 11 } }

const SIDES = ['on', 'off', 'control'] as const
type Side = (typeof SIDES)[number]
interface Pace {
  readonly name: string
  readonly rate?: number
}
const FAST: Pace = { name: 'as fast as possible' }
const PACED: Pace = { name: `${PACE_PER_SECOND} per second`, rate: PACE_PER_SECOND }

runBench(async () => {
  const isQuick = process.argv.includes('--quick')
  const bench = await openBench(isQuick ? QUICK : FULL)
  const companies = await seedCompanies(bench.db, COMPANIES, { funded: true })
  const requests = companies.map(issueRequest)
  const cost = canReadCpu ? await measureRecord(bench, companies) : undefined
  if (cost !== undefined)
    note(`one record: ${format(cost.serverUs)} µs in the server, ${format(cost.databaseUs)} µs in the database`)
  const servers = {
    on: await startServer(bench, 'engine'),
    off: await startServer(bench, 'unlogged'),
    control: await startServer(bench, 'unlogged'),
  }
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
      // Every side is first, second and last equally often.
      for (let turn = 0; turn < SIDES.length; turn += 1) {
        const side = SIDES[(round + turn) % SIDES.length] as Side
        await measure(servers[side], side, pace)
      }
      note(`round ${round + 1}/${count}, ${pace.name}`)
    }
  }
  const { differences } = await auditLedger(bench.db)
  const recorded = [FAST, PACED].map(({ name }): [string, string] => [
    `share of requests recorded, ${name}`,
    format(rounds.median(`recorded, ${name}, on`)),
  ])
  if (cost !== undefined) {
    recorded.push(['CPU of one record, server + database, µs', `${format(cost.serverUs)} + ${format(cost.databaseUs)}`])
  }
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
    Number((await bench.db.find<{ count: bigint }>(sql`select count(*) as count from request_log`))?.count)
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
  const row = (key: string, text: string, figure: string, target: Row['target'], side: Side = 'on'): Row => {
    const [value, base] = [`${figure}, ${side}`, `${figure}, off`]
    return {
      key,
      text: `${text}, ${side === 'on' ? 'log on : off' : 'off : off'}`,
      value: rounds.ratio(value, base),
      spread: rounds.spread(value, base),
      rates: `${format(rounds.median(value))} : ${format(rounds.median(base))}`,
      target,
    }
  }
  const rows = (key: string, text: string, figure: string, target: Row['target']) => [
    row(key, text, figure, target),
    row(`${key}Control`, text, figure, {}, 'control'),
  ]
  const cpuRows = [
    ...rows('requestLogCpu', 'CPU per request, ms', `CPU, ${FAST.name}`, { atMost: 1.05 }),
    ...rows('requestLogCpuPaced', `CPU per request at ${PACED.name}, ms`, `CPU, ${PACED.name}`, {}),
  ]
  return [
    ...rows('requestLogRate', 'operations per second', `rate, ${FAST.name}`, { atLeast: 0.97 }),
    ...rows('requestLogP50', `median latency at ${PACED.name}, ms`, `latency, ${PACED.name}`, {}),
    ...(canReadCpu ? cpuRows : []),
  ]
}
