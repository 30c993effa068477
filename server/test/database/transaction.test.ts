// Several statements in one transaction: all of them count or none, also when the connection is lost in between.
import { afterAll, expect, test } from 'vitest'
import { createPool, type Db } from '../../src/db/pool.ts'
import { createTransactions } from '../../src/db/transaction.ts'
import { isUnavailable } from '../../src/db/unavailable.ts'
import { createDatabase } from '../support/harness.ts'
import { until } from '../support/wait.ts'

const { connection, drop } = await createDatabase('template0')
const db = createPool(connection, { size: 2, onError: () => {} })
const { transact, close } = createTransactions(connection, { size: 1, onError: () => {} })
const run = (on: Db, text: string, values: unknown[] = []) => on.run({ name: undefined, text, values })
const stored = () =>
  db.many<{ note: string }>({ name: undefined, text: 'select note from kept order by note', values: [] })
await run(db, 'create table kept (note text)')
afterAll(async () => {
  await close()
  await db.close()
  await drop()
})

test('what a transaction wrote is there when it has resolved, with its result', async () => {
  const result = await transact(async (tx) => {
    await run(tx, `insert into kept values ('one')`)
    await run(tx, `insert into kept values ('two')`)
    expect(await stored()).toEqual([])
    return 'done'
  })
  expect(result).toBe('done')
  expect(await stored()).toEqual([{ note: 'one' }, { note: 'two' }])
})

test('if it throws, nothing of it is there, and the only connection is free again', async () => {
  const before = await stored()
  const failing = transact(async (tx) => {
    await run(tx, `insert into kept values ('lost')`)
    throw new Error('told to fail')
  })
  await expect(failing).rejects.toThrow('told to fail')
  expect(await transact((tx) => run(tx, 'select 1'))).toBe(1)
  expect(await stored()).toEqual(before)
})

test('if the connection is lost between two statements, nothing of it is there, and the process goes on', async () => {
  const before = await stored()
  const failing = transact(async (tx) => {
    await run(tx, `insert into kept values ('lost')`)
    const row = await tx.find<{ pid: number }>({ name: undefined, text: 'select pg_backend_pid() as pid', values: [] })
    await run(db, 'select pg_terminate_backend($1)', [row?.pid])
    const alive = 'select 1 from pg_stat_activity where pid = $1'
    await until('the session has ended', async () => (await run(db, alive, [row?.pid])) === 0)
    await run(tx, `insert into kept values ('lost too')`)
  })
  // What is noticed first, the end of the connection or that nothing can be written to it, depends on the machine.
  await expect(failing).rejects.toSatisfy(isUnavailable)
  expect(await transact((tx) => run(tx, 'select 1'))).toBe(1)
  expect(await stored()).toEqual(before)
})

const countSockets = () =>
  process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap' || name === 'PipeWrap').length

test('when pools have closed, the database has let go of their connections', async () => {
  await stored()
  const before = countSockets()
  const pool = createPool(connection, { size: 5, onError: () => {} })
  const transactions = createTransactions(connection, { size: 1, onError: () => {} })
  const pid = 'select pg_backend_pid() as pid, pg_sleep(0.1)'
  const ask = async (on: Db) => (await on.find<{ pid: number }>({ name: undefined, text: pid, values: [] }))?.pid
  const pids = await Promise.all([...Array.from({ length: 5 }, () => ask(pool)), transactions.transact(ask)])
  expect(new Set(pids).size).toBe(6)
  await Promise.all([pool.close(), transactions.close()])
  // The driver's own end() leaves the sockets open for a moment.
  expect(countSockets()).toBeLessThanOrEqual(before)
})
