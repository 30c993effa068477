// A database that is gone is 503 with the one error body, never a 500, and the server recovers by itself.
import { afterAll, expect, it } from 'vitest'
import { createApp } from '../../../src/app.ts'
import { readConfig } from '../../../src/config.ts'
import { createPipeline } from '../../../src/db/pipeline.ts'
import { createPool } from '../../../src/db/pool.ts'
import { createLog } from '../../../src/lib/log.ts'
import { Bridge } from '../../support/bridge.ts'
import { TestServer } from '../../support/harness.ts'
import { expectError } from '../expect-error.ts'

// The steady server owns the database; the one under test reaches it over the bridge.
const steady = await TestServer.start()
const company = await steady.createCompany()
const bridge = new Bridge(steady.connection)
await bridge.open()
const db = createPool(bridge.connection, { size: 4, onError: () => {} })
const intakeDb = createPipeline(bridge.connection, () => {})
const log = createLog({ level: 'silent' })
const config = readConfig({})
const app = await createApp({ db, intakeDb, clock: steady.clock, log, config, secretKey: Buffer.alloc(32, 7) })
const baseUrl = await app.server.listen({ host: '127.0.0.1', port: 0 })
const server = { request: TestServer.prototype.request.bind({ baseUrl } as TestServer) }

afterAll(async () => {
  await app.close()
  await db.close()
  await intakeDb.close()
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

it('an operation is refused with 503 while the database cannot be reached, and taken with the same key afterwards', async () => {
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
  await bridge.cut()
  const refused = await order('meanwhile')
  expectError(refused, 'unavailable')
  expect(refused.headers.get('retry-after')).toBe('1')
  await bridge.open()
  const taken = await order('meanwhile')
  expect(taken.status, taken.text).toBe(201)
  expect(taken.headers.get('idempotent-replayed')).toBeNull()
})
