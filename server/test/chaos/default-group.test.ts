// `serve` without options gives the background work a process of its own: requests are answered while that process is dead, and
// nothing of the server is left when its supervisor is killed.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createPool, type Pool } from '../../src/db/pool.ts'
import { sql } from '../../src/db/sql.ts'
import { toDatabaseUrl } from '../support/database-url.ts'
import { createDatabase, type TestDatabase } from '../support/harness.ts'
import { ask, listChildren, readCredentials, type ServerProcess, startServer, until } from './server.ts'

/** A busy machine takes many times as long; slowness is not failure. */
const SLOW_MACHINE_MS = 300_000

const folder = mkdtempSync(join(tmpdir(), 'cardstock default group '))
let database: TestDatabase
let rows: Pool
let server: ServerProcess

const start = () =>
  startServer(
    {
      DATA_DIR: join(folder, 'data'),
      DATABASE_URL: toDatabaseUrl(database.connection),
      // What a killed worker had claimed is looked up after one and a half of this.
      ISSUER_TIMEOUT_MS: '6000',
    },
    [],
  )

beforeAll(async () => {
  database = await createDatabase()
  rows = createPool(database.connection, { size: 1, onError: () => {} })
  server = await start()
}, SLOW_MACHINE_MS)
afterAll(async () => {
  await server.stop()
  await rows.close()
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
})

async function order(key: string): Promise<number | undefined> {
  const { sandboxKey: token } = readCredentials(join(folder, 'data')).demo
  const body = { type: 'service', productId: 'prod_service_esim', recipient: 'ada', amount: '10.00' }
  return (await ask(server, 'POST', '/api/v1/operations', { token, body, key }))?.status
}

const untilCompleted = (key: string) =>
  until(`${key} is completed`, () =>
    rows.find(sql`select from operation where status = 'completed' and idempotency_key = ${key}`),
  )
/** A worker that ends between its claim and its request sends nothing, and the look-up then rules the request out. */
const untilCompletedOrRuledOut = (key: string) =>
  until(`${key} is completed or ruled out`, () =>
    rows.find(sql`
      select from operation
      where idempotency_key = ${key} and (status = 'completed' or failure_code = 'not_carried_out')`),
  )

/** Returns the ids of the process that answers and of the one that works, which is started after it. */
const untilComplete = () =>
  until('both processes are there', async () => {
    const metrics = await (await fetch(`${server.baseUrl}/metrics`)).text()
    const has = (role: string) => metrics.includes(`\ncardstock_processes{role="${role}"} 1\n`)
    const [api = 0, worker = 0, ...others] = listChildren(server.pid).toSorted((a, b) => a - b)
    return has('api') && has('worker') && worker > 0 && others.length === 0 ? { api, worker } : undefined
  })

it('one process answers, and another works', { timeout: SLOW_MACHINE_MS }, async () => {
  await untilComplete()
  expect(await order('first')).toBe(201)
  await untilCompleted('first')
})

it(
  'requests are answered while the worker is dead, and its work is done later',
  { timeout: SLOW_MACHINE_MS },
  async () => {
    const { worker } = await untilComplete()
    process.kill(worker, 'SIGKILL')
    expect(await order('beside-a-dead-worker')).toBe(201)
    await untilCompleted('beside-a-dead-worker')
    expect((await untilComplete()).worker).not.toBe(worker)
  },
)

it('a killed supervisor leaves no process, and the next start goes on', { timeout: SLOW_MACHINE_MS }, async () => {
  const { api, worker } = await untilComplete()
  expect(await order('before-the-kill')).toBe(201)
  await server.kill()
  await until('both have ended', () => [api, worker].every((pid) => !isRunning(pid)))
  server = await start()
  await untilCompletedOrRuledOut('before-the-kill')
  expect(await order('after-the-kill')).toBe(201)
  await untilCompleted('after-the-kill')
  const { operatorToken: token } = readCredentials(join(folder, 'data'))
  const audit = await ask<{ differences: unknown[] }>(server, 'GET', '/admin/v1/ledger/audit', { token })
  expect(audit?.body.differences).toEqual([])
})

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
