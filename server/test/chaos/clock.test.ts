// A process whose clock is wrong: it says so, accepts nothing and claims nothing until the clock is right again.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { toDatabaseUrl } from '../support/database-url.ts'
import { createDatabase } from '../support/harness.ts'
import {
  type Answer,
  ask,
  type Credentials,
  readCredentials,
  type ServerProcess,
  startServer,
  until,
} from './server.ts'

/** A busy machine takes many times as long; slowness is not failure. */
const SLOW_MACHINE_MS = 300_000
const THREE_DAYS_MS = 3 * 86_400_000
/** Loaded before the server: a clock that jumps by CLOCK_SHIFT_MS with every other SIGUSR2. */
const PRELOAD = new URL('../support/jumping-clock.mjs', import.meta.url).href

const folder = mkdtempSync(join(tmpdir(), 'cardstock clock '))
let database: Awaited<ReturnType<typeof createDatabase>>
/** Accepts requests and has the right clock. */
let api: ServerProcess
/** Does everything, and its clock jumps. */
let jumping: ServerProcess
let credentials: Credentials

beforeAll(async () => {
  database = await createDatabase()
  const environ = { DATA_DIR: join(folder, 'data'), DATABASE_URL: toDatabaseUrl(database.connection) }
  api = await startServer(environ, ['--role', 'api'])
  credentials = readCredentials(environ.DATA_DIR)
  jumping = await startServer({
    ...environ,
    DATA_DIR: join(folder, 'data'),
    NODE_OPTIONS: `--import ${PRELOAD}`,
    CLOCK_SHIFT_MS: String(THREE_DAYS_MS),
  })
})
afterAll(async () => {
  await Promise.all([api.stop(), jumping.stop()])
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
})

interface Operation {
  id: string
  status: string
}

const order = (server: ServerProcess, key: string): Promise<Answer<Operation> | undefined> => {
  const body = { type: 'service', productId: 'prod_service_esim', recipient: 'ada', amount: '10.00' }
  return ask<Operation>(server, 'POST', '/api/v1/operations', { token: credentials.demo.sandboxKey, body, key })
}
const statusOf = async (id: string) =>
  (await ask<Operation>(api, 'GET', `/api/v1/operations/${id}`, { token: credentials.demo.sandboxKey }))?.body.status
const readiness = async () => (await ask(jumping, 'GET', '/readyz', { token: 'none' }))?.status
const readSkew = async () => {
  const text = await (await fetch(`${jumping.baseUrl}/metrics`)).text()
  return Number(/^database_clock_skew_seconds (\S+)$/m.exec(text)?.[1])
}

it(
  'a process whose clock jumps by three days refuses requests and claims nothing until its clock is right again',
  { timeout: SLOW_MACHINE_MS },
  async () => {
    expect(await readiness()).toBe(200)
    const first = await order(jumping, 'before')
    expect(first?.status).toBe(201)
    await until('it is done', async () => (await statusOf(first?.body.id ?? '')) === 'completed')

    jumping.signal('SIGUSR2')
    await until('the process is not ready', async () => (await readiness()) === 503)
    expect(await readSkew()).toBeLessThan(-86_400)
    const refused = await order(jumping, 'meanwhile')
    expect(refused?.status).toBe(503)
    expect(refused?.body).toMatchObject({ code: 'unavailable' })

    const waiting = (await order(api, 'through-another-process'))?.body.id ?? ''
    jumping.signal('SIGUSR2')
    await until('the process is ready', async () => (await readiness()) === 200)
    await until('it carries out what waited', async () => (await statusOf(waiting)) === 'completed')
    expect((await order(jumping, 'meanwhile'))?.status).toBe(201)
    expect(await countFromTheFuture()).toBe(0)
  },
)

it(
  'a process that starts with a wrong clock does not become ready and claims nothing',
  { timeout: SLOW_MACHINE_MS },
  async () => {
    await jumping.stop()
    const waiting = (await order(api, 'before-the-wrong-start'))?.body.id ?? ''
    const environ = {
      DATA_DIR: join(folder, 'data'),
      DATABASE_URL: toDatabaseUrl(database.connection),
      NODE_OPTIONS: `--import ${PRELOAD}`,
      CLOCK_SHIFT_MS: String(THREE_DAYS_MS),
      CLOCK_STARTS_SHIFTED: 'true',
      LOG_LEVEL: 'error',
    }
    let isUp = false
    const starting = startServer(environ, ['--processes', '0'], {
      onOutput: (text, child) => {
        if (!text.includes('differ by more than 30 s')) return
        isUp = true
        child.kill('SIGUSR2')
      },
    })
    jumping = await starting
    expect(isUp).toBe(true)
    await until('it carries out what waited', async () => (await statusOf(waiting)) === 'completed')
    expect(await countFromTheFuture()).toBe(0)
  },
)

/** Operations with a lease or a time that only the wrong clock can have written. */
async function countFromTheFuture(): Promise<number> {
  const client = new pg.Client(database.connection)
  await client.connect()
  const { rows } = await client.query<{ count: number }>(`
    select count(*)::int as count from operation o left join issuer_request q on q.id = o.id
    where greatest(created_at, status_at, q.due_at) > now() + interval '1 day'`)
  await client.end()
  return rows[0]?.count ?? -1
}
