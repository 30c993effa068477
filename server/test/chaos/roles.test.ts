// One process answers requests and another carries them out, on one database. A signal ends each of them cleanly.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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

interface Operation {
  id: string
  status: string
}

const folder = mkdtempSync(join(tmpdir(), 'cardstock roles '))
let database: Awaited<ReturnType<typeof createDatabase>>
let environ: Record<string, string>
let api: ServerProcess
let worker: ServerProcess | undefined
let credentials: Credentials

beforeAll(async () => {
  database = await createDatabase()
  environ = { DATA_DIR: join(folder, 'data'), DATABASE_URL: toDatabaseUrl(database.connection) }
  api = await startServer(environ, ['--role', 'api'])
  credentials = readCredentials(environ['DATA_DIR'] ?? '')
})
afterAll(async () => {
  await Promise.all([api.stop(), worker?.stop()])
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
})

function company<Body>(
  method: string,
  path: string,
  more: { body?: unknown; key?: string } = {},
): Promise<Answer<Body> | undefined> {
  return ask<Body>(api, method, `/api/v1${path}`, { token: credentials.demo.sandboxKey, ...more })
}
const order = async (key: string) => {
  const body = { type: 'service', productId: 'prod_service_esim', recipient: 'ada', amount: '10.00' }
  const answer = await company<Operation>('POST', '/operations', { body, key })
  expect(answer?.status, JSON.stringify(answer?.body)).toBe(201)
  return answer?.body.id ?? ''
}
const statusOf = async (id: string) => (await company<Operation>('GET', `/operations/${id}`))?.body.status

it(
  'an API process accepts operations without carrying them out, and a worker process carries them out, also later ones',
  { timeout: SLOW_MACHINE_MS },
  async () => {
    const early = await order('early')
    expect(await statusOf(early)).toBe('queued')

    worker = await startServer(environ, ['--role', 'worker'])
    await until('the worker took up what was waiting', async () => (await statusOf(early)) === 'completed')

    // The worker is idle now, and nothing wakes it, so it has to poll.
    const late = await order('late')
    await until('the worker saw new work', async () => (await statusOf(late)) === 'completed')

    // It answers about its own health and nothing else.
    const token = credentials.demo.sandboxKey
    expect((await ask(worker, 'GET', '/readyz', { token }))?.status).toBe(200)
    expect((await ask(worker, 'GET', '/api/v1/balance', { token }))?.status).toBe(404)
  },
)

it(
  'both end by themselves when told to, and what was accepted meanwhile waits for the next worker',
  { timeout: SLOW_MACHINE_MS },
  async () => {
    expect(await worker?.stop()).toBe(0)
    const id = await order('between')
    expect(await statusOf(id)).toBe('queued')
    worker = await startServer(environ, ['--role', 'worker'])
    await until('the next worker took it up', async () => (await statusOf(id)) === 'completed')
  },
)
