// Starts a Citus cluster on this machine for a run of the tests: a coordinator and two workers, in a folder that is removed afterwards.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chownSync, existsSync, readdirSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import pg from 'pg'
import { makeMemoryFolder, MEMORY_SETTINGS } from '../../server/test/support/memory-folder.ts'

const HOST = '127.0.0.1'
/** How long a node may take until it accepts connections. A machine that runs other tests is slow. */
const START_MS_MAX = 120_000
/** Between two tries to connect. */
const POLL_MS = 200

/** What the tests need of each node. The data is thrown away, so that nothing has to reach the disk. */
const SETTINGS = {
  ...MEMORY_SETTINGS,
  listen_addresses: HOST,
  unix_socket_directories: '',
  shared_preload_libraries: 'citus',
  'citus.node_conninfo': 'sslmode=disable',
  wal_level: 'logical',
  max_connections: '400',
  max_prepared_transactions: '300',
  jit: 'off',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum_naptime: '5s',
}

/** Returns the folder of the programs of a PostgreSQL that has Citus, or undefined. PG_CONFIG names another one than the first that is found. */
export function findCitus(environ: NodeJS.ProcessEnv = process.env): string | undefined {
  const { PG_CONFIG: given } = environ
  const debian = '/usr/lib/postgresql'
  const installed = existsSync(debian) ? readdirSync(debian).map((name) => join(debian, name, 'bin', 'pg_config')) : []
  const candidates = given === undefined ? ['pg_config', ...installed.toReversed()] : [given]
  for (const command of candidates) {
    const ask = (option: string) =>
      spawnSync(command, [option], { encoding: 'utf8', env: environ }).stdout?.trim() ?? ''
    const shared = ask('--sharedir')
    if (shared !== '' && existsSync(join(shared, 'extension', 'citus.control'))) return ask('--bindir')
  }
  return undefined
}

interface Account {
  uid?: number
  gid?: number
}

/** Resolves with the address of the coordinator and a function that stops the cluster. */
export async function startCluster(programs: string): Promise<{ url: string; stop(): Promise<void> }> {
  const folder = makeMemoryFolder('cardstock citus ')
  const account = findAccount()
  if (account.uid !== undefined && account.gid !== undefined) chownSync(folder, account.uid, account.gid)
  const children: ChildProcess[] = []
  const stop = async () => {
    await Promise.all(children.map(end))
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    const [coordinator = 0, ...workers] = await findFreePorts(3)
    for (const port of [coordinator, ...workers]) {
      const child = startNode(programs, join(folder, String(port)), port, account)
      children.push(child)
      await waitForNode(port, child)
      await query(port, 'create extension citus')
    }
    await query(coordinator, `select citus_set_coordinator_host('${HOST}', ${coordinator})`)
    for (const worker of workers) await query(coordinator, `select citus_add_node('${HOST}', ${worker})`)
    return { url: addressOf(coordinator), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

const addressOf = (port: number) => `postgres://postgres@${HOST}:${port}/postgres`

/** PostgreSQL refuses to run as root, so root lends it another account. */
function findAccount(): Account {
  if (process.getuid?.() !== 0) return {}
  const idOf = (name: string, option: string) =>
    Number(spawnSync('id', [option, name], { encoding: 'utf8' }).stdout || Number.NaN)
  const name = ['postgres', 'nobody'].find((each) => !Number.isNaN(idOf(each, '-u')))
  if (name === undefined) throw new Error('PostgreSQL does not run as root, and there is neither postgres nor nobody.')
  return { uid: idOf(name, '-u'), gid: idOf(name, '-g') }
}

function startNode(programs: string, folder: string, port: number, account: Account): ChildProcess {
  const options = ['-D', folder, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync']
  const made = spawnSync(join(programs, 'initdb'), options, { ...account, cwd: '/', encoding: 'utf8' })
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`)
  const settings = Object.entries({ ...SETTINGS, port: String(port) }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ])
  return spawn(join(programs, 'postgres'), ['-D', folder, ...settings], { ...account, cwd: '/', stdio: 'ignore' })
}

async function waitForNode(port: number, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + START_MS_MAX
  for (;;) {
    try {
      return await query(port, 'select 1')
    } catch (error) {
      if (child.exitCode !== null || Date.now() > deadline) throw error
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    }
  }
}

async function query(port: number, statement: string): Promise<void> {
  const client = new pg.Client(addressOf(port))
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/** Ends the connections at once: SIGQUIT is enough for data that nobody needs. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  await new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.kill('SIGQUIT')
  })
}

/** All are held until the last one is known, so that they differ. */
async function findFreePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from(
      { length: count },
      () =>
        new Promise<Server>((resolve) => {
          const server = createServer().listen(0, HOST, () => resolve(server))
        }),
    ),
  )
  const ports = servers.map((server) => (server.address() as AddressInfo).port)
  await Promise.all(
    servers.map(
      (server) =>
        new Promise((resolve) => {
          server.close(resolve)
        }),
    ),
  )
  return ports
}
