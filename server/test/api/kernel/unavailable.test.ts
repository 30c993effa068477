// A database that is gone is 503 with the one error body, never a 500, and the server recovers by itself.
import { connect, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { createApp } from '../../../src/app.ts'
import { readConfig } from '../../../src/config.ts'
import { type Connection, createPool } from '../../../src/db/pool.ts'
import { createLog } from '../../../src/lib/log.ts'
import { TestServer } from '../../support/harness.ts'
import { expectError } from '../expect-error.ts'

/** A way to the database that can be cut. */
class Bridge {
  readonly #target: Connection
  readonly #sockets = new Set<Socket>()
  #server: Server | undefined
  port = 0

  constructor(target: Connection) {
    this.#target = target
  }

  async open(): Promise<void> {
    const { host = '', port = 5432 } = this.#target
    const server = createServer((near) => {
      const far = host.startsWith('/') ? connect(join(host, `.s.PGSQL.${port}`)) : connect(port, host)
      for (const socket of [near, far]) {
        this.#sockets.add(socket)
        socket.on('error', () => {}).on('close', () => near.destroy() && far.destroy())
      }
      near.pipe(far).pipe(near)
    })
    await new Promise<void>((resolve) => server.listen(this.port, '127.0.0.1', resolve))
    this.port = (server.address() as { port: number }).port
    this.#server = server
  }

  async cut(): Promise<void> {
    const closed = new Promise((resolve) => this.#server?.close(resolve))
    for (const socket of this.#sockets) socket.destroy()
    this.#sockets.clear()
    await closed
  }
}

// The steady server owns the database; the one under test reaches it over the bridge.
const steady = await TestServer.start()
const company = await steady.createCompany()
const bridge = new Bridge(steady.connection)
await bridge.open()
const db = createPool({ ...steady.connection, host: '127.0.0.1', port: bridge.port }, { size: 4, onError: () => {} })
const log = createLog({ level: 'silent' })
const app = await createApp({ db, clock: steady.clock, log, config: readConfig({}), secretKey: Buffer.alloc(32, 7) })
const baseUrl = await app.server.listen({ host: '127.0.0.1', port: 0 })
const server = { request: TestServer.prototype.request.bind({ baseUrl } as TestServer) }

afterAll(async () => {
  await app.close()
  await db.close()
  await bridge.cut()
  await steady.stop()
})

const holder = { name: 'Ada', email: 'ada@example.com', kind: 'individual' }
const create = () =>
  server.request('POST', '/api/v1/holders', { token: company.key, body: holder, idempotencyKey: 'key' })
const get = (path: string, token = company.key) => server.request('GET', path, { token })

it('every call that needs the database answers 503 while it cannot be reached, and works again afterwards', async () => {
  expect((await get('/api/v1/holders')).status).toBe(200)
  await bridge.cut()
  for (const answer of [
    await get('/api/v1/holders'),
    await get('/api/v1/cards?limit=2'),
    await get('/api/v1/cards/card_00000000000000000000000000000000'),
    await create(),
    await get('/admin/v1/companies', steady.operatorToken),
    await get('/readyz'),
  ]) {
    expectError(answer, 'unavailable')
    expect(answer.headers.get('retry-after')).toBe('1')
    expect(answer.text).not.toMatch(/postgres|ECONN|socket/i)
  }
  expect((await get('/healthz')).status).toBe(200)

  await bridge.open()
  expect((await create()).status).toBe(201)
  expect((await get('/readyz')).status).toBe(200)
})
