// Without a database, or with one that does not write, the server answers 503 with the error body, never 500, and it
// recovers by itself.
import pg from 'pg'
import { afterAll, expect, inject, it } from 'vitest'
import { createApp } from '../../../src/app/app.ts'
import { readConfig } from '../../../src/config/config.ts'
import type { Db } from '../../../src/db/pool.ts'
import { openDatabase } from '../../../src/db/open.ts'
import { sql } from '../../../src/db/sql.ts'
import { isUnavailable } from '../../../src/db/unavailable.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import { createLog } from '../../../src/lib/log.ts'
import { FaultProxy } from '../../support/fault-proxy.ts'
import { TestServer } from '../../support/harness.ts'
import { until } from '../../support/wait.ts'
import { expectError } from '../expect-error.ts'

// The steady server owns the database; the one under test reaches it through the proxy.
const steady = await TestServer.start()
const company = await steady.createCompany()
const proxy = await FaultProxy.open(steady.connection)
const log = createLog({ level: 'silent' })
const config = readConfig({})
const options = { clock: systemClock, log, poolSize: 4, intakeGrouping: 'all' } as const
const database = await openDatabase(proxy.connection, options)
const secretKey = Buffer.alloc(32, 7)
const app = await createApp({ ...database, clock: steady.clock, log, config, secretKey })
const baseUrl = await app.server.listen({ host: '127.0.0.1', port: 0 })
const server = { request: TestServer.prototype.request.bind({ baseUrl } as TestServer) }

afterAll(async () => {
  await app.close()
  await database.close()
  await proxy.close()
  await steady.stop()
})

const holder = { name: 'Ada', email: 'ada@example.com', kind: 'individual' }
const create = () =>
  server.request('POST', '/api/v1/holders', { token: company.key, body: holder, idempotencyKey: 'key' })
const get = (path: string, token = company.key) => server.request('GET', path, { token })
const untilReady = (status: 200 | 503) =>
  until(`/readyz answers ${status}`, async () => {
    const answer = await get('/readyz')
    return answer.status === status && answer
  })

it('every call that needs the database answers 503 while it cannot be reached, and works again afterwards', async () => {
  expect((await get('/api/v1/holders')).status).toBe(200)
  await proxy.setMode('refuse')
  for (const answer of [
    await get('/api/v1/holders'),
    await get('/api/v1/cards?limit=2'),
    await get('/api/v1/cards/card_00000000000000000000000000000000'),
    await create(),
    await get('/admin/v1/companies', steady.operatorToken),
    await untilReady(503),
  ]) {
    expectError(answer, 'unavailable')
    expect(answer.headers.get('retry-after')).toBe('1')
    expect(answer.text).not.toMatch(/postgres|ECONN|socket/i)
  }
  expect((await get('/healthz')).status).toBe(200)

  await proxy.setMode('pass')
  await untilReady(200)
  expect((await create()).status).toBe(201)
})

it('an operation is refused with 503 while the database cannot be reached, and accepted with the same key afterwards', async () => {
  const { id: holderId } = (await create()).body
  await server.request('POST', '/api/v1/sandbox/funding', {
    token: company.key,
    body: { amount: '100.00' },
    idempotencyKey: 'funds',
  })
  const order = (idempotencyKey: string) =>
    server.request('POST', '/api/v1/operations', {
      token: company.key,
      body: { type: 'issue', productId: 'prod_card_virtual', holderId, amount: '10.00' },
      idempotencyKey,
    })
  expect((await order('before')).status).toBe(201)
  await proxy.setMode('refuse')
  const refused = await order('meanwhile')
  expectError(refused, 'unavailable')
  expect(refused.headers.get('retry-after')).toBe('1')
  await proxy.setMode('pass')
  await untilReady(200)
  const taken = await order('meanwhile')
  expect(taken.status, taken.text).toBe(201)
  expect(taken.headers.get('idempotent-replayed')).toBeNull()
})

it('statements in flight fail when the monitor notices an outage, not only at their own deadlines', async () => {
  const connections = [database.db, database.audits.db, database.intakeDb]
  const ask = (db: Db) => db.find(sql`select 1 as one`)
  for (const db of connections) await ask(db)
  await proxy.setMode('drop')
  const failures = await Promise.all(connections.map((db) => ask(db).catch((error: unknown) => error)))
  expect(failures.map(isUnavailable)).toEqual([true, true, true])
  for (const failure of failures) expect(String(failure)).not.toMatch(/timeout/i)
  await proxy.setMode('pass')
  await untilReady(200)
  for (const db of connections) expect(await ask(db)).toEqual({ one: 1 })
})

it('while the database does not write, the server is not ready, refuses what it would have to store, and still reads', async () => {
  const { database: name = '' } = steady.connection
  // The server's role does not own the database.
  const admin = new pg.Client({
    ...inject('connection'),
    database: name,
    options: '-c default_transaction_read_only=off',
  })
  await admin.connect()
  /** Takes effect for new connections. */
  const setReadOnly = async (isReadOnly: boolean) => {
    await admin.query(`alter database ${name} set default_transaction_read_only = ${isReadOnly ? 'on' : 'off'}`)
    await proxy.setMode('reset')
    await proxy.setMode('pass')
  }
  await setReadOnly(true)
  await untilReady(503)
  const another = { token: company.key, body: holder, idempotencyKey: 'read-only' }
  const refused = await until('the database answers', async () => {
    const answer = await server.request('POST', '/api/v1/holders', another)
    return (await get('/api/v1/holders')).status === 200 && answer
  })
  expectError(refused, 'unavailable')
  expect(refused.headers.get('retry-after')).toBe('1')
  expect((await get('/readyz')).status).toBe(503)
  await setReadOnly(false)
  await admin.end()
  await untilReady(200)
  expect((await server.request('POST', '/api/v1/holders', another)).status).toBe(201)
})

it('while writes hang, they are refused at once, so that none of them keeps a connection from what is read', async () => {
  const other = new pg.Client(steady.connection)
  await other.connect()
  // As behind a disk or a standby that does not answer: what is read does not wait.
  await other.query('begin; lock table heartbeat, holder in exclusive mode')
  await untilReady(503)
  const more = { token: company.key, body: holder, idempotencyKey: 'hanging' }
  // More than the pool has connections.
  const writes = Array.from({ length: 3 * options.poolSize }, () => server.request('POST', '/api/v1/holders', more))
  const quote = { type: 'service', productId: 'prod_service_esim', recipient: 'ada@example.com', amount: '3.00' }
  const reads = [
    await server.request('POST', '/api/v1/quotes', { token: company.key, body: quote }),
    await get('/api/v1/holders'),
    await get('/api/v1/cards'),
  ]
  expect(reads.map(({ status }) => status)).toEqual([200, 200, 200])
  for (const answer of await Promise.all(writes)) expectError(answer, 'unavailable')
  await other.query('rollback')
  await other.end()
  await untilReady(200)
  expect((await server.request('POST', '/api/v1/holders', more)).status).toBe(201)
})
