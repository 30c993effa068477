// A revocation takes effect although keys are cached, even if the cache cannot be refreshed, and even for a look-up that
// was in flight. Each test runs the keyring on the real database and only delays or breaks single statements.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createKeyring, type Keyring } from '../../../src/access/keyring.ts'
import type { Db } from '../../../src/db/pool.ts'
import { deriveKey } from '../../../src/lib/digest.ts'
import { createLog } from '../../../src/lib/log.ts'
import { type TestCompany, TestServer } from '../../support/harness.ts'
import { until } from '../../support/wait.ts'

const server = await TestServer.start()
const keyrings: Keyring[] = []
afterAll(async () => {
  for (const keyring of keyrings) await keyring.close()
  await server.stop()
})

/** A second process's keyring, whose statements go through `around`. */
async function startKeyring(
  around: (text: string, run: () => Promise<unknown>) => Promise<unknown>,
  log = createLog({ level: 'silent' }),
): Promise<Keyring> {
  const db: Db = {
    find: (statement) => around(statement.text, () => server.db.find(statement)) as never,
    many: (statement) => around(statement.text, () => server.db.many(statement)) as never,
    run: (statement) => server.db.run(statement),
  }
  const keyring = await createKeyring({
    db,
    clock: server.clock,
    key: deriveKey(Buffer.alloc(32, 7), 'tokens'),
    log,
  })
  keyrings.push(keyring)
  return keyring
}

async function revoke({ wireId }: TestCompany): Promise<void> {
  const token = server.operatorToken
  const list = await server.get<{ data: { id: string }[] }>(`/admin/v1/companies/${wireId}/keys`, token)
  const [key] = list.body.data
  const answer = await server.request('DELETE', `/admin/v1/companies/${wireId}/keys/${key?.id}`, { token })
  expect(answer.status).toBe(204)
}

const isRevoked = async (keyring: Keyring, key: string) => {
  const caller = keyring.callers.cached(key) ?? (await keyring.callers.now(key))
  return caller !== undefined && caller.revokedAt !== null
}

it('a process that cannot read the version stops trusting its cache', async () => {
  let isBroken = false
  const keyring = await startKeyring((text, run) =>
    isBroken && text.includes('access_version') ? Promise.reject(new Error('no answer')) : run(),
  )
  const company = await server.createCompany()
  await expect.poll(() => keyring.callers.cached(company.key) ?? keyring.callers.now(company.key)).toBeDefined()
  isBroken = true
  await revoke(company)
  await expect.poll(() => isRevoked(keyring, company.key)).toBe(true)
})

it('an outage is logged in one line, however often the cache is refreshed meanwhile, and the next one in another', async () => {
  const refreshes = { isBroken: false, failed: 0, done: 0 }
  const lines: string[] = []
  const log = createLog({ level: 'info', destination: { write: (line) => void lines.push(line) } })
  await startKeyring(async (text, run) => {
    if (!text.includes('access_version')) return run()
    if (!refreshes.isBroken) {
      const result = await run()
      refreshes.done += 1
      return result
    }
    refreshes.failed += 1
    throw new Error(refreshes.failed % 2 === 0 ? 'Connection terminated unexpectedly' : 'timeout expired')
  }, log)
  for (const outages of [1, 2]) {
    Object.assign(refreshes, { isBroken: true, failed: 0 })
    await until('several refreshes failed', () => refreshes.failed > 3)
    Object.assign(refreshes, { isBroken: false, done: 0 })
    await until('the cache is refreshed again', () => refreshes.done > 0)
    expect(lines).toHaveLength(outages)
  }
  expect(lines.join('')).not.toContain('stack')
})

it('a look-up that began before the revocation is not cached after it', async () => {
  let finish: (() => void) | undefined
  let isHeld = false
  const keyring = await startKeyring(async (text, run) => {
    const result = await run()
    if (isHeld && text.includes('from api_key')) await new Promise<void>((resolve) => (finish = resolve))
    return result
  })
  const company = await server.createCompany()
  isHeld = true
  // The row is read before the revocation, but arrives after it.
  const underWay = keyring.callers.now(company.key)
  await expect.poll(() => finish).toBeDefined()
  await revoke(company)
  keyring.forget()
  isHeld = false
  finish?.()
  expect((await underWay)?.revokedAt).toBeNull()
  expect(await isRevoked(keyring, company.key)).toBe(true)
})

describe('in the cache of another process', () => {
  let keyring: Keyring
  let refreshes = 0
  beforeAll(async () => {
    keyring = await startKeyring(async (text, run) => {
      const result = await run()
      if (text.includes('access_version')) refreshes += 1
      return result
    })
  })
  const refreshed = () => {
    const after = refreshes + 2
    return until('the version was read by a read that began now', () => refreshes >= after)
  }
  const createCached = async () => {
    const company = await server.createCompany()
    await refreshed()
    expect(await keyring.callers.now(company.key)).toBeDefined()
    return company
  }

  it('the keys of others stay when a company changes below which balance it is warned', async () => {
    const changing = await server.createCompany()
    const other = await createCached()
    for (const threshold of ['10.00', null]) {
      const body = { threshold }
      const answer = await server.request('PATCH', '/api/v1/balance/alert', { token: changing.key, body })
      expect(answer.status).toBe(200)
      await refreshed()
      expect(keyring.callers.cached(other.key)).toBeDefined()
    }
  })

  it.each([
    ['verification', { decision: 'reject' }],
    ['capabilities', { directInvoices: true }],
    ['suspension', { suspended: true, reason: 'a test' }],
  ])('no key of a company stays when an operator changes its %s', async (what, body) => {
    const company = await createCached()
    const path = `/admin/v1/companies/${company.wireId}/${what}`
    const method = what === 'capabilities' ? 'PATCH' : 'POST'
    expect((await server.request(method, path, { token: server.operatorToken, body })).status).toBe(200)
    await refreshed()
    expect(keyring.callers.cached(company.key)).toBeUndefined()
  })
})
