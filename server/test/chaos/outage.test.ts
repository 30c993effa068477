// A real server whose connection to the database fails and comes back: it reports the outage, recovers by itself, and loses nothing.
// The times are printed, not judged: a busy machine is slower, and that is no failure.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import pg from 'pg'
import { type FaultMode, FaultProxy } from '../support/fault-proxy.ts'
import { createDatabase } from '../support/harness.ts'
import { ask, type Credentials, readCredentials, type ServerProcess, startServer, until } from './server.ts'

/** A busy machine takes many times as long; slowness is not failure. */
const SLOW_MACHINE_MS = 300_000

const folder = mkdtempSync(join(tmpdir(), 'cardstock outage '))
const dataDir = join(folder, 'data')
let database: Awaited<ReturnType<typeof createDatabase>>
let proxy: FaultProxy
let environ: Record<string, string>
let server: ServerProcess
let credentials: Credentials
let orders = 0

beforeAll(async () => {
  database = await createDatabase()
  proxy = await FaultProxy.open(database.connection)
  environ = {
    DATA_DIR: dataDir,
    DATABASE_URL: proxy.url,
    ISSUER_TIMEOUT_MS: '2000',
    RATE_LIMIT_PER_SECOND: '1000000',
    RATE_LIMIT_BURST: '1000000',
    LOG_LEVEL: 'silent',
  }
  server = await startServer(environ)
  credentials = readCredentials(dataDir)
  await company('POST', '/sandbox/funding', { body: { amount: '1000000.00' }, key: 'funds' })
})
afterAll(async () => {
  await proxy.setMode('pass')
  await server.stop()
  await proxy.close()
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
})

interface Operation {
  id: string
  status: string
}

const company = <Body>(method: string, path: string, more: { body?: unknown; key?: string } = {}) =>
  ask<Body>(server, method, `/api/v1${path}`, { token: credentials.demo.sandboxKey, ...more })
const order = (key: string) => {
  const body = { type: 'service', productId: 'prod_service_esim', recipient: 'ada', amount: '10.00' }
  return company<Operation>('POST', '/operations', { body, key })
}
const readiness = async () => (await ask(server, 'GET', '/readyz', { token: 'none' }))?.status
const statusOf = async (id: string) => (await company<Operation>('GET', `/operations/${id}`))?.body.status

/** Returns how many seconds it takes until the condition is true. */
async function timeUntil(what: string, isTrue: () => Promise<boolean>): Promise<string> {
  const start = performance.now()
  await until(what, isTrue)
  return ((performance.now() - start) / 1000).toFixed(2)
}

/** Places orders without a pause, like a client that retries each order with the same key until it is accepted. */
function startClient() {
  const accepted: string[] = []
  const state = { stopped: false }
  const run = async () => {
    while (!state.stopped) {
      orders += 1
      const key = `order-${orders}`
      for (let isOpen = true; isOpen;) {
        const answer = await order(key)
        expect([201, 503, undefined]).toContain(answer?.status)
        isOpen = answer?.status !== 201
        if (answer?.status === 201) accepted.push(answer.body.id)
        else await delay(20)
      }
    }
  }
  const clients = Promise.all([run(), run(), run(), run()])
  return { accepted, stop: () => ((state.stopped = true), clients) }
}

/**
 * Orders once and returns whether the order was completed. It may fail: a worker that is slow to begin sends nothing, and
 * the issuer then rules the operation out.
 */
async function completeOne(): Promise<boolean> {
  orders += 1
  const key = `order-${orders}`
  const id = await until('a new order is accepted', async () => {
    const answer = await order(key)
    return answer?.status === 201 && answer.body.id
  })
  const status = await until('the operation is final', async () => {
    const current = await statusOf(id)
    return current !== 'queued' && current !== 'processing' && current
  })
  return status === 'completed'
}

describe.each<[string, FaultMode, number]>([
  ['swallows everything', 'drop', 6_000],
  ['swallows the answers', 'swallow-answers', 4_000],
  ['resets connections', 'reset', 1_000],
  ['refuses connections', 'refuse', 1_000],
])('a network that %s', (name, mode, outageMs) => {
  it(
    'makes the server not ready, and the server works again when it is over',
    { timeout: SLOW_MACHINE_MS },
    async () => {
      const client = startClient()
      await until('orders are accepted', async () => client.accepted.length > 5)
      await proxy.setMode(mode)
      const ended = delay(outageMs)
      const notReady = await timeUntil('the server is not ready', async () => (await readiness()) === 503)
      await ended
      expect(await readiness()).toBe(503)
      const before = client.accepted.length

      await proxy.setMode('pass')
      const [ready, accepting] = await Promise.all([
        timeUntil('the server is ready', async () => (await readiness()) === 200),
        timeUntil('orders are accepted', async () => client.accepted.length > before),
      ])
      // An order of its own: one that was accepted during the outage may have been claimed there and end as failed.
      const working = await timeUntil('the worker goes on', completeOne)
      await client.stop()
      console.log(`${name}: 503 after ${notReady} s; then 200 ${ready} s, 201 ${accepting} s, worker +${working} s`)
      await until('all is final', async () => (await unfinished()) === 0)
      expect(await findDifferences()).toEqual([])
      const operations = await countOperations()
      // A batch whose answer was lost was committed once, and its repetition found it.
      expect(operations).toBe(orders)
    },
  )
})

async function unfinished(): Promise<number> {
  const lists = await Promise.all(
    ['queued', 'processing'].map((status) =>
      company<{ data: unknown[] }>('GET', `/operations?status=${status}&limit=1`),
    ),
  )
  return lists.reduce((sum, list) => sum + (list?.body.data.length ?? 1), 0)
}

async function countOperations(): Promise<number> {
  const client = new pg.Client(database.connection)
  await client.connect()
  const { rows } = await client.query<{ count: number }>('select count(*)::int as count from operation')
  await client.end()
  return rows[0]?.count ?? -1
}

async function findDifferences(): Promise<unknown> {
  const audit = await ask<{ differences: unknown[] }>(server, 'GET', '/admin/v1/ledger/audit', {
    token: credentials.operatorToken,
  })
  return audit?.body.differences
}

it('a network that is merely slow changes nothing but the time', { timeout: SLOW_MACHINE_MS }, async () => {
  await proxy.setMode({ delayMs: 100 })
  orders += 1
  const key = `order-${orders}`
  await expect.poll(async () => (await order(key))?.status).toBe(201)
  await expect.poll(readiness).toBe(200)
  await proxy.setMode('pass')
})

it(
  'a server that cannot reach its database stops when it is told to, with exit code 0',
  { timeout: SLOW_MACHINE_MS },
  async () => {
    const client = startClient()
    await until('orders are accepted', async () => client.accepted.length > 5)
    await proxy.setMode('drop')
    const start = performance.now()
    const code = await server.stop()
    console.log(`stopped after ${((performance.now() - start) / 1000).toFixed(2)} s`)
    // After ten seconds it would have ended itself, with exit code 1.
    expect(code).toBe(0)
    await proxy.setMode('pass')
    server = await startServer(environ)
    await client.stop()
  },
)
