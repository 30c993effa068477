// `npm run bench -- --peers`: accepting compared with fastify that stores nothing, and with TigerBeetle behind fastify where TIGERBEETLE names its
// program and TIGERBEETLE_CLIENT a folder in which the package tigerbeetle-node of the same version is installed. A second server of ours is the
// control: its ratio to the first one is the noise of the machine.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { findFreePort } from '../../server/src/cli/process/group/free-port.ts'
import { auditLedger } from '../../server/src/ledger/audit.ts'
import { type Bench, COMPANIES, FULL, type Listening, QUICK, runLoad, startServer } from './bench.ts'
import { keepServer } from './cores.ts'
import { closeLater, elapsedSeconds, note, openBench, runBench } from './open.ts'
import type { PeerStart } from './peers/server.ts'
import { startPeer } from './peers/start.ts'
import { format, Rounds } from './rounds.ts'
import { issueRequest, seedCompanies } from './seed.ts'

const CREATED = 201
const CONNECTIONS = [64, 256]
const OURS = 'Cardstock'
const CONTROL = 'Cardstock, a second server'
const EMPTY = 'fastify, no store'
const TIGER_BEETLE = 'TigerBeetle behind fastify'

runBench(async () => {
  const bench = await openBench(process.argv.includes('--quick') ? QUICK : FULL)
  const companies = await seedCompanies(bench.db, COMPANIES, { funded: true })
  const keys = companies.map(({ key }) => key)
  const tigerBeetle = await startTigerBeetle(bench)
  const servers = new Map<string, Listening>([
    [OURS, await startServer(bench, 'engine')],
    [CONTROL, await startServer(bench, 'engine')],
    [EMPTY, await startPinned(bench, { keys, tigerBeetle: undefined })],
  ])
  if (tigerBeetle !== undefined) servers.set(TIGER_BEETLE, await startPinned(bench, { keys, tigerBeetle }))
  const spread = companies.map(issueRequest)
  const rounds = new Rounds()
  const columns = CONNECTIONS.flatMap((connections) => [
    { connections, accounts: 'a thousand accounts', requests: spread },
    { connections, accounts: 'one account', requests: spread.slice(0, 1) },
  ])
  const rate = async ({ port }: Listening, job: { connections: number; requests: string[] }, seconds: number) =>
    (await runLoad(bench, { port, ...job, seconds }, [CREATED])).rate
  for (const server of servers.values())
    await rate(server, { connections: 256, requests: spread }, bench.plan.warmUpSeconds)
  for (const column of columns) {
    const variants = [...servers].map(([name, server]) => ({
      name: nameOf(name, column),
      measure: () => rate(server, column, bench.plan.sprintSeconds),
    }))
    await rounds.run(variants, bench.plan.sprints, note)
  }
  for (const { child } of servers.values()) await child.stop()
  process.stdout.write(`\n${toTable(rounds, [...servers.keys()], columns)}\n`)
  const { differences } = await auditLedger(bench.db)
  process.stdout.write(`Took ${elapsedSeconds()} s. Ledger audit: ${differences.length} differences.\n`)
  return differences.length === 0 ? 0 : 1
})

interface Column {
  readonly connections: number
  readonly accounts: string
}

const nameOf = (server: string, { connections, accounts }: Column) => `${server}, ${connections}, ${accounts}`

/** Per server the median rate, and the median ratio of Cardstock to it in the same round, with its range. */
function toTable(rounds: Rounds, servers: readonly string[], columns: readonly Column[]): string {
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const others = servers.filter((name) => name !== OURS)
  return [
    row(['', ...columns.map(({ connections, accounts }) => `${connections} connections, ${accounts}`)]),
    row(['', ...columns.map(() => '')].map(() => '---')),
    ...servers.map((name) =>
      row([`${name}, requests/s`, ...columns.map((column) => format(rounds.median(nameOf(name, column))))]),
    ),
    ...others.map((name) =>
      row([
        `${OURS} : ${name}`,
        ...columns.map((column) => {
          const pair = [nameOf(OURS, column), nameOf(name, column)] as const
          const [low, high] = rounds.spread(...pair)
          return `${rounds.ratio(...pair).toFixed(2)} (${low.toFixed(2)}–${high.toFixed(2)})`
        }),
      ]),
    ),
    '',
  ].join('\n')
}

async function startPinned(bench: Bench, start: PeerStart): Promise<Listening> {
  const peer = await startPeer(bench, start)
  keepServer(peer.child.pid)
  return peer
}

/** Starts one replica with a file of its own, as durable as it is by default. Undefined: the machine has none. */
async function startTigerBeetle({ folder }: Bench): Promise<PeerStart['tigerBeetle']> {
  const { TIGERBEETLE: program, TIGERBEETLE_CLIENT: client } = process.env
  if (program === undefined || client === undefined) {
    note('TIGERBEETLE and TIGERBEETLE_CLIENT are not set: nothing is compared with TigerBeetle.')
    return undefined
  }
  const file = join(folder, '0_0.tigerbeetle')
  const made = spawnSync(program, ['format', '--cluster=0', '--replica=0', '--replica-count=1', file], {
    encoding: 'utf8',
  })
  if (made.status !== 0) throw new Error(`TigerBeetle cannot make its file: ${made.stderr}`)
  const port = await findFreePort('127.0.0.1')
  const replica = spawn(program, ['start', `--addresses=127.0.0.1:${port}`, file], { stdio: 'ignore' })
  closeLater(() => end(replica))
  return { client, port }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  await new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.kill('SIGKILL')
  })
}
