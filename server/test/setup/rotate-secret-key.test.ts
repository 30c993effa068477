// Rotating the secret key: before, during and after it every token, webhook secret, authenticator app, payment link and
// recovery code works, in processes that were started with the old key, with both, and with the new one alone.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join as joinPath } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import { createPool, type Pool } from '../../src/db/pool.ts'
import { sql } from '../../src/db/sql.ts'
import { countOld, createBoxes, requireReadable } from '../../src/setup/encrypted-values.ts'
import { rotateSecretKey } from '../../src/setup/rotate-secret-key.ts'
import { type LoadedKeys, loadSecretKeys } from '../../src/setup/secret-key.ts'
import { addTotp, Browser, codeOf, join, PASSWORD } from '../api/people/people.ts'
import { createDatabase, type TestCompany, type TestDatabase, TestServer } from '../support/harness.ts'
import { openInvoice } from '../support/invoices.ts'
import { emit, isServiceSignature, register } from '../support/webhooks.ts'
import { startReceiver } from '../support/receiver.ts'

const OLD = '11'.repeat(32)
const NEW = '22'.repeat(32)
const configOf = (environ: Record<string, string>) => readConfig({ DATABASE_URL: 'postgres://unused', ...environ })
const withOld = configOf({ SECRET_KEY: OLD })
const withBoth = configOf({ SECRET_KEY: NEW, SECRET_KEY_PREVIOUS: OLD })
const withNew = configOf({ SECRET_KEY: NEW })
const quiet = { settleMs: 0, note: () => undefined }

describe('with SECRET_KEY and SECRET_KEY_PREVIOUS', () => {
  let database: TestDatabase
  let db: Pool
  let first: TestServer
  let second: TestServer
  let secondKeys: LoadedKeys
  let company: TestCompany
  const servers: TestServer[] = []
  const receivers: Awaited<ReturnType<typeof startReceiver>>[] = []

  const startWith = async (secretKey: LoadedKeys) => {
    const shared = { connection: database.connection, drop: async () => undefined }
    const server = await TestServer.start({}, { database: shared, secretKey })
    servers.push(server)
    return server
  }

  beforeAll(async () => {
    database = await createDatabase()
    db = createPool(database.connection, { size: 2, onError: () => undefined })
    first = await startWith(await loadSecretKeys(db, withOld))
    company = await first.createCompany()
  })
  afterAll(async () => {
    for (const server of servers) await server.stop()
    for (const receiver of receivers) await receiver.close()
    await db.close()
    await database.drop()
  })

  it('is refused while the processes have the present key only', async () => {
    const rotation = rotateSecretKey({ db, clock: first.clock, config: withOld, ...quiet })
    await expect(rotation).rejects.toThrow(/Set SECRET_KEY to a new key and SECRET_KEY_PREVIOUS to the present one/)
    await expect(loadSecretKeys(db, withNew)).rejects.toThrow(/another secret key/)
  })

  it('changes every process to the new key, and everything made before and meanwhile still works', async () => {
    receivers.push(await startReceiver(), await startReceiver())
    const secrets = [(await register(first, company, receivers[0]?.url ?? '')).secret]
    const person = await join(first, 'owner', company)
    const { secret, recoveryCodes } = await addTotp(person)
    const invoice = await openInvoice(first, company)
    await first.createCompany()
    const page = await first.get<{ nextCursor: string }>('/admin/v1/companies?limit=1', first.operatorToken)

    secondKeys = await loadSecretKeys(db, withBoth)
    second = await startWith(secondKeys)
    // The database still names the old key, so what a process with both keys writes is read by one with the old key alone.
    expect((await first.get('/admin/v1/companies?limit=1', second.operatorToken)).status).toBe(200)
    secrets.push((await register(second, company, receivers[1]?.url ?? '')).secret)
    await servers.shift()?.stop()

    const rotation = await rotateSecretKey({ db, clock: second.clock, config: withBoth, ...quiet })
    expect(rotation).toEqual({ switched: true, reencrypted: 3 })
    await secondKeys.refresh()

    const third = await startWith(await loadSecretKeys(db, withNew))
    await requireReadable(db, createBoxes(await loadSecretKeys(db, withNew), withNew))
    for (const server of [second, third]) {
      expect((await server.get('/api/v1/holders', company.key)).status).toBe(200)
      expect((await server.get('/admin/v1/companies', first.operatorToken)).status).toBe(200)
      expect((await server.get(new URL(invoice.payUrl ?? '').pathname, '')).status).toBe(200)
      server.clock.advance(server === second ? 30_000 : 60_000)
      const browser = new Browser(server)
      expect((await browser.signIn(person.email, PASSWORD, { code: codeOf(secret, server) })).status).toBe(200)
    }
    const recovery = new Browser(third)
    expect((await recovery.signIn(person.email, PASSWORD, { code: recoveryCodes[0] })).status).toBe(200)
    // A cursor is a few minutes old at most. It works as long as the previous key is set.
    const nextPage = `/admin/v1/companies?limit=1&cursor=${page.body.nextCursor}`
    expect((await second.get(nextPage, first.operatorToken)).status).toBe(200)
    expect((await third.get(nextPage, first.operatorToken)).status).toBe(400)

    await emit(third, company)
    for (const [index, receiver] of receivers.entries()) {
      const [arrival] = await receiver.wait(1)
      const header = String(arrival?.headers['service-signature'])
      expect(isServiceSignature(header, secrets[index] ?? '', arrival?.raw ?? Buffer.of())).toBe(true)
    }
  })

  it('is complete: the old key alone is refused, a second run finds nothing to do, and the audit log has one line', async () => {
    await expect(loadSecretKeys(db, withOld)).rejects.toThrow(/another secret key/)
    const again = await rotateSecretKey({ db, clock: second.clock, config: withBoth, ...quiet })
    expect(again).toEqual({ switched: false, reencrypted: 0 })
    const lines = await db.many(sql`select 1 from audit_log where action = 'secret_key.rotated'`)
    expect(lines).toHaveLength(1)
  })

  it('is completed by a second run after it was interrupted, and no process starts without the old key before', async () => {
    const newest = configOf({ SECRET_KEY: '33'.repeat(32), SECRET_KEY_PREVIOUS: NEW })
    const dying = {
      ...db,
      many: async () => {
        throw new Error('died here')
      },
    }
    await expect(rotateSecretKey({ db: dying, clock: second.clock, config: newest, ...quiet })).rejects.toThrow('died')
    const alone = configOf({ SECRET_KEY: '33'.repeat(32) })
    const boxes = createBoxes(await loadSecretKeys(db, alone), alone)
    await expect(requireReadable(db, boxes)).rejects.toThrow(/none of the given keys.*SECRET_KEY_PREVIOUS/)
    expect(await countOld(db, boxes)).toBe(3)
    const done = await rotateSecretKey({ db, clock: second.clock, config: newest, ...quiet })
    expect(done).toEqual({ switched: false, reencrypted: 3 })
    await requireReadable(db, boxes)
  })
})

it('replaces a key that is kept in a file, which a running process reads again', async () => {
  const dataDir = mkdtempSync(joinPath(tmpdir(), 'cardstock-keys-'))
  const config = readConfig({ DATA_DIR: dataDir })
  const server = await TestServer.start()
  const running = await loadSecretKeys(server.db, config)
  const [before] = running.all()
  const path = joinPath(dataDir, 'secret.key')
  const rotation = await rotateSecretKey({ db: server.db, clock: server.clock, config, ...quiet })
  expect(rotation.switched).toBe(true)
  await running.refresh()
  const [after] = running.all()
  expect(readFileSync(path, 'utf8')).toBe(`${after.toString('hex')}\n`)
  expect(after).not.toEqual(before)
  expect(running.lasting).toEqual((await loadSecretKeys(server.db, config)).lasting)
  expect(() => readFileSync(`${path}.previous`)).toThrow('ENOENT')
  await server.stop()
  rmSync(dataDir, { recursive: true })
})

it('refuses a second rotation of the same file while one runs', async () => {
  const dataDir = mkdtempSync(joinPath(tmpdir(), 'cardstock-keys-'))
  const config = readConfig({ DATA_DIR: dataDir })
  const server = await TestServer.start()
  await loadSecretKeys(server.db, config)
  const rotate = () => rotateSecretKey({ db: server.db, clock: server.clock, config, ...quiet })
  const both = await Promise.allSettled([rotate(), rotate()])
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(both.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { message: expect.stringContaining('Another cardstock secret-key rotate runs') },
  })
  const [key] = (await loadSecretKeys(server.db, config)).all()
  expect(readFileSync(joinPath(dataDir, 'secret.key'), 'utf8')).toBe(`${key.toString('hex')}\n`)
  expect((await rotate()).switched).toBe(true)
  await server.stop()
  rmSync(dataDir, { recursive: true })
})

it('SECRET_KEY_PREVIOUS alone is refused', () => {
  expect(() => readConfig({ SECRET_KEY_PREVIOUS: OLD })).toThrow(/SECRET_KEY_PREVIOUS needs SECRET_KEY/)
})
