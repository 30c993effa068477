// Statements whose answer never comes: they fail at their deadline, and their connection is not used again.
import { Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { createPipeline } from '../../src/db/pipeline.ts'
import { CONNECT_TIMEOUT_MS, createPool, type Db } from '../../src/db/pool.ts'
import { sql } from '../../src/db/sql.ts'
import { isUnavailable, wasNotSent } from '../../src/db/unavailable.ts'
import { FaultProxy } from '../support/fault-proxy.ts'
import { createDatabase } from '../support/harness.ts'

/** The deadline of an answer is 2 s more in a pool; in a pipeline, 1 s more than twice this. */
const statementTimeoutMs = 200
const onError = () => {}

let proxy: FaultProxy
let drop: () => Promise<void>
beforeAll(async () => {
  const database = await createDatabase()
  proxy = await FaultProxy.open(database.connection)
  drop = database.drop
})
afterEach(() => proxy.setMode('pass'))
afterAll(async () => {
  await proxy.close()
  await drop()
})

const processOf = async (db: Db) => (await db.find<{ pid: number }>(sql`select pg_backend_pid() as pid`))?.pid
const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  )

it.each([
  ['a pool', () => createPool(proxy.connection, { size: 1, onError, statementTimeoutMs })],
  ['a pipeline', () => createPipeline(proxy.connection, { onError, statementTimeoutMs })],
])('%s gives up a connection whose answer was lost, and continues with another', async (_name, open) => {
  const db = open()
  const before = await processOf(db)
  expect(before).toBeDefined()
  await proxy.setMode('swallow-answers')
  const failures = await Promise.all([failureOf(processOf(db)), failureOf(processOf(db))])
  expect(failures.map(isUnavailable)).toEqual([true, true])
  await proxy.setMode('pass')
  const after = await processOf(db)
  expect(after).toBeDefined()
  expect(after).not.toBe(before)
  await db.close()
})

it.each([
  ['a pool', () => createPool(proxy.connection, { size: 2, onError })],
  ['a pipeline', () => createPipeline(proxy.connection, { onError })],
])('%s that is told to drop its connections fails the waiting statements immediately', async (_name, open) => {
  const db = open()
  await processOf(db)
  await proxy.setMode('drop')
  // The second statement of the pool is still connecting, and the third waits for a connection.
  const asked = [failureOf(processOf(db)), failureOf(processOf(db)), failureOf(processOf(db))]
  await new Promise((resolve) => setImmediate(resolve))
  db.drop()
  const failures = await Promise.all(asked)
  expect(failures.map(isUnavailable)).toEqual([true, true, true])
  expect(failures.filter((failure) => /timeout/i.test(String(failure)))).toEqual([])
  await proxy.setMode('pass')
  expect(await processOf(db)).toBeDefined()
  await db.close()
})

it.each([
  ['a pool', () => createPool(proxy.connection, { size: 1, onError })],
  ['a pipeline', () => createPipeline(proxy.connection, { onError })],
])('%s closes although its database does not answer', async (_name, open) => {
  const db = open()
  await processOf(db)
  await proxy.setMode('drop')
  const failure = failureOf(processOf(db))
  await db.close()
  expect(isUnavailable(await failure)).toBe(true)
})

it.each([
  ['a pool', () => createPool(proxy.connection, { size: 1, onError, isReachable: () => false })],
  ['a pipeline', () => createPipeline(proxy.connection, { onError, isReachable: () => false })],
])('%s sends nothing to a database that is known not to answer', async (_name, open) => {
  const db = open()
  const sentBefore = proxy.sent.length
  expect(isUnavailable(await failureOf(processOf(db)))).toBe(true)
  expect(proxy.sent).toHaveLength(sentBefore)
  await db.close()
})

it.each([
  ['a pool', () => createPool(proxy.connection, { size: 1, onError })],
  ['a pipeline', () => createPipeline(proxy.connection, { onError })],
])(
  '%s lets the system probe its idle connections, so that it notices one that a firewall forgot',
  async (_name, open) => {
    const setKeepAlive = vi.spyOn(Socket.prototype, 'setKeepAlive')
    const db = open()
    await processOf(db)
    expect(setKeepAlive.mock.calls).toContainEqual([true, 10_000])
    setKeepAlive.mockRestore()
    await db.close()
  },
)

it('a statement that got no connection is told apart from one whose answer was lost', async () => {
  const db = createPool(proxy.connection, { size: 1, onError })
  await processOf(db)
  await proxy.setMode('swallow-answers')
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const [sent, waiting] = [failureOf(processOf(db)), failureOf(processOf(db))]
  // The pool hands its only connection to the first statement in a later tick.
  await new Promise((resolve) => setImmediate(resolve))
  vi.advanceTimersByTime(CONNECT_TIMEOUT_MS)
  vi.useRealTimers()
  expect(wasNotSent(await waiting)).toBe(true)
  db.drop()
  const failure = await sent
  expect([isUnavailable(failure), wasNotSent(failure)]).toEqual([true, false])
  await db.close()
})

it('a statement that was given up while it waited stays given up when its time in the queue is over', async () => {
  const db = createPool(proxy.connection, { size: 1, onError })
  await processOf(db)
  await proxy.setMode('swallow-answers')
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const asked = [failureOf(processOf(db)), failureOf(processOf(db))]
  await new Promise((resolve) => setImmediate(resolve))
  db.drop()
  vi.advanceTimersByTime(CONNECT_TIMEOUT_MS)
  vi.useRealTimers()
  expect((await Promise.all(asked)).map(wasNotSent)).toEqual([false, true])
  await proxy.setMode('pass')
  expect(await processOf(db)).toBeDefined()
  await db.close()
})
