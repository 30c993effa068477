// Pipelined statements on one connection: each is answered separately and in order, and the pipeline recovers from a broken
// connection.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createPipeline, type Pipeline } from '../../src/db/pipeline.ts'
import { createPool, type Pool } from '../../src/db/pool.ts'
import { sql } from '../../src/db/sql.ts'
import { isUnavailable } from '../../src/db/unavailable.ts'
import { FaultProxy } from '../support/fault-proxy.ts'
import { createDatabase } from '../support/harness.ts'
import { until } from '../support/wait.ts'

const LOCK = 4711

let other: Pool
let proxy: FaultProxy
let pipeline: Pipeline
let drop: () => Promise<void>
const onError = vi.fn<(error: Error) => void>()
beforeAll(async () => {
  const database = await createDatabase()
  other = createPool(database.connection, { size: 1, onError: () => {} })
  proxy = await FaultProxy.open(database.connection)
  pipeline = createPipeline(proxy.connection, { onError })
  drop = database.drop
})
afterAll(async () => {
  await pipeline.close()
  await other.close()
  await proxy.close()
  await drop()
})

const processOf = async () => (await pipeline.find<{ pid: number }>(sql`select pg_backend_pid() as pid`))?.pid
const echo = (value: string) => pipeline.find<{ value: string }>(sql`select ${value}::text as value`)
/** Waits as long as the other connection holds the lock. */
const wait = () =>
  pipeline.find<{ done: boolean }>(sql`select pg_advisory_xact_lock_shared(${LOCK}) is not null as done`)
const holdLock = () => other.run(sql`select pg_advisory_lock(${LOCK})`)
const releaseLock = () => other.run(sql`select pg_advisory_unlock(${LOCK})`)
const seen = (text: string) => until(`the database was sent ${text}`, () => proxy.sent.includes(text))

it('the next statement is sent before the previous one is answered', async () => {
  await holdLock()
  const first = wait()
  const second = echo('sent meanwhile')
  await seen('sent meanwhile')
  await releaseLock()
  expect(await Promise.all([first, second])).toEqual([{ done: true }, { value: 'sent meanwhile' }])
})

it('concurrent statements each get their own rows, even the first of their kind', async () => {
  const values = Array.from({ length: 50 }, (_, index) => `value ${index}`)
  const rows = await Promise.all(values.map((value) => pipeline.many(sql`select ${value}::text as value, 1 as once`)))
  expect(rows).toEqual(values.map((value) => [{ value, once: 1 }]))
  expect(await pipeline.run(sql`select generate_series(1, 3)`)).toBe(3)
})

it('a failed statement is rolled back alone', async () => {
  await other.run(sql`create table note (text text primary key)`)
  const insert = (text: string) => pipeline.run(sql`insert into note values (${text})`)
  const results = await Promise.allSettled([insert('a'), insert('a'), insert('b'), echo('c')])
  expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled'])
  expect(await other.many(sql`select text from note order by text`)).toEqual([{ text: 'a' }, { text: 'b' }])
  await other.run(sql`drop table note`)
})

describe('a connection that breaks', () => {
  it('fails the statements in flight as unknown, and the next statement opens another connection', async () => {
    const before = await processOf()
    await holdLock()
    const [first, second] = [wait(), echo('never answered')]
    const outcomes = Promise.allSettled([first, second])
    await seen('never answered')
    await other.run(sql`select pg_terminate_backend(${before}::integer)`)
    for (const outcome of await outcomes) {
      expect(outcome.status === 'rejected' && isUnavailable(outcome.reason)).toBe(true)
    }
    await releaseLock()
    expect(await processOf()).not.toBe(before)
    expect(onError).toHaveBeenCalled()
  })

  it('is opened once, however many statements need it', async () => {
    const before = await processOf()
    await other.run(sql`select pg_terminate_backend(${before}::integer)`)
    await expect.poll(() => processOf().catch(() => before)).not.toBe(before)
    const processes = await Promise.all(Array.from({ length: 20 }, processOf))
    expect(new Set(processes).size).toBe(1)
    // Citus has sessions of its own.
    const rows = await other.many(sql`
      select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
        and application_name not like 'citus_internal%'`)
    expect(rows).toHaveLength(1)
  })

  it('that cannot be opened fails as unknown, and works again when it can be opened', async () => {
    await proxy.setMode('refuse')
    const error = await until('the connection is refused', async () => {
      const failure: unknown = await echo('x').catch((reason: unknown) => reason)
      return (failure as { code?: string }).code === 'ECONNREFUSED' && failure
    })
    expect(isUnavailable(error)).toBe(true)
    await proxy.setMode('pass')
    expect(await echo('again')).toEqual({ value: 'again' })
  })
})

it('statements that were sent are answered before it closes, and closing an unused pipeline does nothing', async () => {
  const own = createPipeline(proxy.connection, { onError })
  await own.find(sql`select 1 as one`)
  const last = own.find<{ one: number }>(sql`select 1 as one, pg_sleep(0.05)`)
  await own.close()
  expect((await last)?.one).toBe(1)
  await createPipeline(proxy.connection, { onError }).close()
})
