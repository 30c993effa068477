// Starts a Citus cluster on this machine for a run of the tests: a coordinator and two workers, in a folder that is removed afterwards.
import { spawn, spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'

const HOST = '127.0.0.1'
/** How long a node may take until it accepts connections. A machine that runs other tests is slow. */
const START_MS_MAX = 120_000
/** Between two tries to connect. */
const POLL_MS = 200

/** What the tests need of each node. The data is thrown away, so that nothing has to reach the disk. */
const SETTINGS = {
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
export function findCitus(environ = process.env) {
  const debian = '/usr/lib/postgresql'
  const installed = existsSync(debian) ? readdirSync(debian).map((name) => join(debian, name, 'bin', 'pg_config')) : []
  const candidates = environ.PG_CONFIG === undefined ? ['pg_config', ...installed.toReversed()] : [environ.PG_CONFIG]
  for (const command of candidates) {
    const ask = (option) => spawnSync(command, [option], { encoding: 'utf8', env: environ }).stdout?.trim() ?? ''
    const shared = ask('--sharedir')
    if (shared !== '' && existsSync(join(shared, 'extension', 'citus.control'))) return ask('--bindir')
  }
  return undefined
}

/** Resolves with the address of the coordinator and a function that stops the cluster. */
export async function startCluster(programs) {
  const folder = mkdtempSync(join(tmpdir(), 'cardstock-citus-'))
  const account = findAccount()
  if (account.uid !== undefined) chownSync(folder, account.uid, account.gid)
  const children = []
  const stop = async () => {
    await Promise.all(children.map(end))
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    const [coordinator, ...workers] = await findFreePorts(3)
    for (const port of [coordinator, ...workers])
      children.push(startNode(programs, join(folder, String(port)), port, account))
    for (const [index, port] of [coordinator, ...workers].entries()) {
      await waitForNode(port, children[index])
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

const addressOf = (port) => `postgres://postgres@${HOST}:${port}/postgres`

/** PostgreSQL refuses to run as root, so root lends it another account. */
function findAccount() {
  if (process.getuid?.() !== 0) return {}
  const idOf = (name, option) => Number(spawnSync('id', [option, name], { encoding: 'utf8' }).stdout || Number.NaN)
  const name = ['postgres', 'nobody'].find((each) => !Number.isNaN(idOf(each, '-u')))
  if (name === undefined) throw new Error('PostgreSQL does not run as root, and there is neither postgres nor nobody.')
  return { uid: idOf(name, '-u'), gid: idOf(name, '-g') }
}

function startNode(programs, folder, port, account) {
  const options = ['-D', folder, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync']
  const made = spawnSync(join(programs, 'initdb'), options, { ...account, cwd: '/', encoding: 'utf8' })
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`)
  const settings = Object.entries({ ...SETTINGS, port: String(port) }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ])
  return spawn(join(programs, 'postgres'), ['-D', folder, ...settings], { ...account, cwd: '/', stdio: 'ignore' })
}

async function waitForNode(port, child) {
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

async function query(port, statement) {
  const client = new pg.Client(addressOf(port))
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/** Ends the connections at once: SIGQUIT is enough for data that nobody needs. */
async function end(child) {
  if (child.exitCode !== null || child.signalCode !== null) return
  await new Promise((resolve) => {
    child.once('exit', resolve)
    child.kill('SIGQUIT')
  })
}

/** All are held until the last one is known, so that they differ. */
async function findFreePorts(count) {
  const servers = await Promise.all(
    Array.from(
      { length: count },
      () =>
        new Promise((resolve) => {
          const server = createServer().listen(0, HOST, () => resolve(server))
        }),
    ),
  )
  const ports = servers.map((server) => server.address().port)
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
