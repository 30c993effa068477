// Kills the private database under a running server: the server starts it again and continues without a restart.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ask, type Credentials, readCredentials, type ServerProcess, startServer, until } from './server.ts'

/** A busy machine takes many times as long; slowness is not failure. */
const SLOW_MACHINE_MS = 300_000

const folder = mkdtempSync(join(tmpdir(), 'cardstock postmaster '))
const dataDir = join(folder, 'data')
let server: ServerProcess
let credentials: Credentials

beforeAll(async () => {
  server = await startServer({ DATA_DIR: dataDir, LOG_LEVEL: 'silent', ISSUER_TIMEOUT_MS: '2000' })
  credentials = readCredentials(dataDir)
}, SLOW_MACHINE_MS)
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

interface Operation {
  id: string
  status: string
}

const order = (key: string) => {
  const body = { type: 'service', productId: 'prod_service_esim', recipient: 'ada', amount: '10.00' }
  return ask<Operation>(server, 'POST', '/api/v1/operations', { token: credentials.demo.sandboxKey, body, key })
}
const statusOf = async (id: string) =>
  (await ask<Operation>(server, 'GET', `/api/v1/operations/${id}`, { token: credentials.demo.sandboxKey }))?.body.status
const readiness = async () => (await ask(server, 'GET', '/readyz', { token: 'none' }))?.status
/** Undefined while there is no PostgreSQL. */
const findPostmaster = () => {
  try {
    return Number(readFileSync(join(dataDir, 'postgres', 'cluster', 'postmaster.pid'), 'utf8').split('\n')[0])
  } catch {
    return undefined
  }
}

it(
  'a killed PostgreSQL is started again, twice, and nothing that was accepted is lost',
  { timeout: SLOW_MACHINE_MS },
  async () => {
    for (const round of [1, 2]) {
      const accepted = await order(`before-${round}`)
      expect(accepted?.status).toBe(201)
      const before = findPostmaster()
      process.kill(before ?? 0, 'SIGKILL')
      const start = performance.now()
      await until('another PostgreSQL runs', () => findPostmaster() !== undefined && findPostmaster() !== before)
      const after = await until('orders are accepted', async () => {
        const answer = await order(`after-${round}`)
        // A connection that the server closes after a 503 may be used once more, which gets no answer.
        expect([201, 503, undefined]).toContain(answer?.status)
        return answer?.status === 201 && answer
      })
      console.log(`accepting again ${((performance.now() - start) / 1000).toFixed(2)} s after the kill`)
      await until('the server is ready', async () => (await readiness()) === 200)
      for (const { id } of [accepted?.body, after.body].filter((operation) => operation !== undefined)) {
        await until('the operation is final', async () =>
          ['completed', 'failed', 'manual_review'].includes((await statusOf(id)) ?? ''),
        )
      }
    }
    const audit = await ask<{ differences: unknown[] }>(server, 'GET', '/admin/v1/ledger/audit', {
      token: credentials.operatorToken,
    })
    expect(audit?.body.differences).toEqual([])
  },
)
