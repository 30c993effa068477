// Two servers behind a balancer that reads /readyz are restarted one after the other under load, without a failed request.
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, createServer, get, type IncomingHttpHeaders, request, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { toDatabaseUrl } from '../support/database-url.ts'
import { findFreePort } from '../support/free-port.ts'
import { createDatabase, type TestDatabase } from '../support/harness.ts'
import { readCredentials, type ServerProcess, startServer, until } from './server.ts'

/** A busy machine takes many times as long; slowness is not failure. */
const SLOW_MACHINE_MS = 300_000
const CHECK_INTERVAL_MS = 50
const CLIENTS = 8
/** Leaves the processors to the servers that start, and still sends a hundred requests a second. */
const CLIENT_PAUSE_MS = 50

/** Sends requests in turn to the targets that were ready when it last asked. It sends nothing twice, so a failure shows. */
class Balancer {
  readonly #agent = new Agent({ keepAlive: true })
  readonly #ports: readonly number[]
  readonly #ready = new Set<number>()
  #next = 0
  #timer: NodeJS.Timeout | undefined
  #server: Server | undefined

  constructor(ports: readonly number[]) {
    this.#ports = ports
  }

  isReady(port: number): boolean {
    return this.#ready.has(port)
  }

  async open(): Promise<string> {
    this.#timer = setInterval(() => this.#ports.forEach((port) => this.#check(port)), CHECK_INTERVAL_MS)
    // A server that closes idle connections may close one that a client is just using again.
    this.#server = createServer({ keepAliveTimeout: 0 }, (incoming, outgoing) => {
      const targets = this.#ports.filter((port) => this.#ready.has(port))
      this.#next += 1
      const port = targets[this.#next % targets.length]
      const { method, url, headers } = incoming
      const passed = omitHopByHop(headers)
      const forwarded = request({ agent: this.#agent, port, method, path: url, headers: passed }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, omitHopByHop(answer.headers))
        answer.pipe(outgoing)
      })
      forwarded.on('error', (error) => outgoing.writeHead(502).end(error.message))
      incoming.pipe(forwarded)
    })
    const port = await findFreePort()
    await new Promise<void>((resolve) => this.#server?.listen(port, '127.0.0.1', resolve))
    return `http://127.0.0.1:${port}`
  }

  #check(port: number): void {
    get({ port, path: '/readyz', agent: false }, (answer) => {
      answer.resume()
      if (answer.statusCode === 200) this.#ready.add(port)
      else this.#ready.delete(port)
    }).on('error', () => this.#ready.delete(port))
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    this.#agent.destroy()
    this.#server?.closeAllConnections()
    await new Promise((resolve) => this.#server?.close(resolve))
  }
}

/** Leaves out what is about one connection: how long a server keeps its own says nothing about the balancer's. */
function omitHopByHop(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const { connection: _connection, 'keep-alive': _keepAlive, ...others } = headers
  return others
}

const folder = mkdtempSync(join(tmpdir(), 'cardstock rolling '))
let database: TestDatabase
let balancer: Balancer
let url: string
const servers: { port: number; environ: Record<string, string>; args: string[]; process: ServerProcess }[] = []
/** One server is a group of processes, as by default, and the other is one process. */
const ARGS = [[], ['--processes', '0']]

beforeAll(async () => {
  database = await createDatabase()
  for (const args of ARGS) {
    const port = await findFreePort()
    const environ = {
      DATA_DIR: join(folder, 'data'),
      DATABASE_URL: toDatabaseUrl(database.connection),
      RATE_LIMIT_PER_SECOND: '100000',
      RATE_LIMIT_BURST: '100000',
      // Longer than the balancer takes to notice, also on a machine that gives it little time.
      DRAIN_SECONDS: '5',
      PORT: String(port),
    }
    servers.push({ port, environ, args, process: await startServer(environ, args) })
  }
  balancer = new Balancer(servers.map(({ port }) => port))
  url = await balancer.open()
  for (const { port } of servers) await until('the balancer sees both', () => balancer.isReady(port))
}, SLOW_MACHINE_MS)
afterAll(async () => {
  await balancer.close()
  await Promise.all(servers.map((server) => server.process.stop()))
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
})

it('no request fails while each server is restarted', { timeout: SLOW_MACHINE_MS }, async () => {
  const token = readCredentials(join(folder, 'data')).demo.sandboxKey
  const failures: string[] = []
  let answered = 0
  const watch = { isOver: false }
  const client = async (name: number) => {
    for (let n = 0; !watch.isOver; n += 1) {
      const quote = { type: 'service', productId: 'prod_service_esim', recipient: 'ada', amount: '10.00' }
      const headers = {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'idempotency-key': `${name}-${n}`,
      }
      const answer = await (n % 10 === 0 && n < 50
        ? fetch(`${url}/api/v1/operations`, { method: 'POST', headers, body: JSON.stringify(quote) })
        : fetch(`${url}/api/v1/balance`, { headers }))
      const text = await answer.text()
      answered += 1
      // The demonstration company may run out of funds, which is no failure of the server.
      if (answer.status !== 200 && answer.status !== 201 && !text.includes('insufficient')) {
        failures.push(`${answer.status} ${text}`)
      }
      await delay(CLIENT_PAUSE_MS)
    }
  }
  const clients = Array.from({ length: CLIENTS }, (_, name) => client(name))
  for (const server of servers) {
    const before = answered
    expect(await server.process.stop()).toBe(0)
    expect(answered).toBeGreaterThan(before)
    server.process = await startServer(server.environ, server.args)
    await until('the balancer sees it again', () => balancer.isReady(server.port))
  }
  watch.isOver = true
  await Promise.all(clients)
  expect(failures).toEqual([])
})

it(
  'a server that drains says so and asks its clients to leave, before it closes',
  { timeout: SLOW_MACHINE_MS },
  async () => {
    const server = servers[0]!
    server.process.signal('SIGTERM')
    const notReady = await until('it is not ready', async () => {
      const answer = await fetch(`${server.process.baseUrl}/readyz`)
      return answer.status === 503 ? answer : undefined
    })
    expect(notReady.headers.get('connection')).toBe('close')
    const token = readCredentials(join(folder, 'data')).demo.sandboxKey
    const answer = await fetch(`${server.process.baseUrl}/api/v1/balance`, {
      headers: { authorization: `Bearer ${token}` },
    })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('connection')).toBe('close')
  },
)
