// `serve --processes` runs several processes as one server: they share the port, the rate limits and the metrics, a dead one
// is replaced, and a signal ends all of them.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createPool } from '../../src/db/pool.ts'
import { sql } from '../../src/db/sql.ts'
import { toDatabaseUrl } from '../support/database-url.ts'
import { createDatabase, type TestDatabase } from '../support/harness.ts'
import { ask, listChildren, readCredentials, type ServerProcess, startServer, until } from './server.ts'

/** A busy machine takes many times as long; slowness is not failure. */
const SLOW_MACHINE_MS = 300_000
const BURST = 30
const SIGN_INS = 4

const folder = mkdtempSync(join(tmpdir(), 'cardstock group '))
let database: TestDatabase
let server: ServerProcess
let environ: Record<string, string>
let token: string
let printed = ''

beforeAll(async () => {
  database = await createDatabase()
  environ = {
    DATA_DIR: join(folder, 'data'),
    DATABASE_URL: toDatabaseUrl(database.connection),
    RATE_LIMIT_PER_SECOND: '1',
    RATE_LIMIT_BURST: String(BURST),
    FAILED_SIGN_INS_PER_ACCOUNT: String(SIGN_INS),
  }
  server = await startServer(environ, ['--processes', '2'], {
    onOutput: (text) => {
      printed += text
    },
  })
  token = readCredentials(join(folder, 'data')).demo.sandboxKey
}, SLOW_MACHINE_MS)
afterAll(async () => {
  await server.stop()
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
})

const readMetrics = async () => (await fetch(`${server.baseUrl}/metrics`)).text()
const count = (metrics: string, line: string) => Number(new RegExp(`^${line} (\\d+)$`, 'm').exec(metrics)?.[1] ?? 0)
const children = () => listChildren(server.pid)
const untilComplete = () =>
  until('every process is there', async () => {
    const metrics = await readMetrics().catch(() => '')
    return count(metrics, 'cardstock_processes{role="api"}') === 2 &&
      count(metrics, 'cardstock_processes{role="worker"}') === 1
      ? metrics
      : undefined
  })

it('one address is printed, and the metrics are about all processes', { timeout: SLOW_MACHINE_MS }, async () => {
  const metrics = await untilComplete()
  expect(printed.match(/listens on/g)).toHaveLength(1)
  expect(printed.match(/as the operator:/g)).toHaveLength(1)
  expect(children()).toHaveLength(3)
  // Every process sees the same database, so these are not sums.
  expect(count(metrics, 'database_usable')).toBe(1)
  expect(count(metrics, 'database_connections_max')).toBeGreaterThan(0)
  expect(count(metrics, 'database_connections_max')).toBeLessThanOrEqual(100)
})

it('an operation is carried out by the worker process', { timeout: SLOW_MACHINE_MS }, async () => {
  const body = { type: 'service', productId: 'prod_service_esim', recipient: 'ada', amount: '10.00' }
  const accepted = await ask(server, 'POST', '/api/v1/operations', { token, body, key: 'group' })
  expect(accepted?.status).toBe(201)
  const rows = createPool(database.connection, { size: 1, onError: () => {} })
  // Reading it through the API would use up the rate.
  await until('it is completed', async () =>
    rows.find(sql`select from operation where status = 'completed' and idempotency_key = 'group'`),
  )
  await rows.close()
})

it(
  'the processes share their limits, whatever connection a request comes by',
  { timeout: SLOW_MACHINE_MS },
  async () => {
    // A new connection for each request, so that any process may get it.
    const send = async () => {
      const headers = { authorization: `Bearer ${token}`, connection: 'close' }
      return (await fetch(`${server.baseUrl}/api/v1/balance`, { headers })).status
    }
    const started = performance.now()
    const statuses = await Promise.all(Array.from({ length: 3 * BURST }, send))
    const refilled = Math.ceil((performance.now() - started) / 1000) + 1
    expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(BURST + refilled)
    // A request that a process refused for another reason, such as a start that is not complete, would show here.
    expect(new Set(statuses)).toEqual(new Set([200, 429]))
  },
)

it('the processes share the limits of failed sign-ins', { timeout: SLOW_MACHINE_MS }, async () => {
  const signIn = async () => {
    const answer = await fetch(`${server.baseUrl}/console/v1/sign-in`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-csrf': '1', origin: server.baseUrl, connection: 'close' },
      body: JSON.stringify({ email: 'ada@example.com', password: 'not the password' }),
    })
    return answer.status
  }
  const statuses = await Promise.all(Array.from({ length: 3 * SIGN_INS }, signIn))
  expect(statuses.filter((status) => status !== 429)).toEqual(Array.from({ length: SIGN_INS }, () => 401))
})

it('a process that dies is replaced', { timeout: SLOW_MACHINE_MS }, async () => {
  const before = children()
  process.kill(before[0] ?? 0, 'SIGKILL')
  // The supervisor learns of it later than the list of processes shows it.
  await until('it is counted', async () =>
    /^cardstock_process_restarts_total\{role="api"\} 1$/m.test(await readMetrics().catch(() => '')),
  )
  await untilComplete()
  expect(children()).not.toContain(before[0])
  expect(children()).toHaveLength(3)
  expect((await ask(server, 'GET', '/readyz', { token }))?.status).toBe(200)
})

it('a start that fails says why and ends with 1', { timeout: SLOW_MACHINE_MS }, async () => {
  const port = new URL(server.baseUrl).port
  const binary = fileURLToPath(new URL('../../bin/cardstock.mjs', import.meta.url))
  const child = spawn(process.execPath, [binary, 'serve', '--processes', '2'], {
    env: { PATH: process.env['PATH'] ?? '', ...environ, PORT: port },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text))
  const [code] = (await once(child, 'exit')) as [number]
  expect(code).toBe(1)
  expect(said).toContain(`Port ${port} is in use.`)
})

it('a signal ends all of them cleanly', { timeout: SLOW_MACHINE_MS }, async () => {
  const before = children()
  // A service manager sends it to every process of the group, in any order: the supervisor may have begun to replace some.
  for (const pid of before) process.kill(pid, 'SIGTERM')
  expect(await server.stop()).toBe(0)
  expect(children()).toEqual([])
})
