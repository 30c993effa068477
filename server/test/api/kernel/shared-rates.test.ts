// Two servers share their rate limits through a real Redis, and each counts alone while it is away.
import { execFile, execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../../../src/config/config.ts'
import type { RatePolicy } from '../../../src/http/limits/buckets.ts'
import { createLog } from '../../../src/lib/log.ts'
import { createRedisBuckets, type RedisBuckets } from '../../../src/redis/bucket-store.ts'
import { findFreePort } from '../../support/free-port.ts'
import { createDatabase, type TestCompany, type TestDatabase, TestServer } from '../../support/harness.ts'
import { ensureProgram } from '../../support/programs.ts'
import { redisServer, TestRedis } from '../../support/redis.ts'
import { until } from '../../support/wait.ts'

const PASSWORD = 'a password with spaces & signs'
const log = createLog({ level: 'silent' })
/** No answer of a working Redis takes this long, even on a busy machine. */
const DEADLINE_MS = 60_000
const BURST = 20
/** Refills so slowly that no token comes back during a test. */
const SLOW: RatePolicy = { name: 'slow', perSecond: 0.001, burst: 5 }

const isShared = async (store: RedisBuckets) => {
  const registry = new Registry()
  store.addMetrics(registry)
  return /^rate_limit_store_up 1$/m.test(await registry.metrics())
}
/** A log of which the first line's reason can be read. */
const listen = () => {
  const lines: string[] = []
  const reason = () => lines[0] && (JSON.parse(lines[0]) as { reason: string }).reason
  return { log: createLog({ level: 'warn', destination: { write: (line) => void lines.push(line) } }), reason }
}
const untilShared = (store: RedisBuckets) => until('the store is open', () => isShared(store))
const untilAlone = (store: RedisBuckets) => until('the store is lost', async () => !(await isShared(store)))

describe.skipIf(redisServer === undefined)('with a Redis', () => {
  let redis: TestRedis
  let database: TestDatabase
  let company: TestCompany
  const stores: RedisBuckets[] = []
  const servers: TestServer[] = []

  const open = (url: string, ownLog = log) => {
    const store = createRedisBuckets(readConfig({ REDIS_URL: url }).secrets.redisUrl ?? '', {
      log: ownLog,
      deadlineMs: DEADLINE_MS,
    })
    stores.push(store)
    return store
  }
  /** Sends this many requests to each server in turn, and returns how many were answered. */
  const countAnswered = async (key: string, count: number) => {
    let answered = 0
    for (let n = 0; n < count; n += 1) {
      for (const server of servers) answered += (await server.get('/api/v1/balance', key)).status === 200 ? 1 : 0
    }
    return answered
  }

  beforeAll(async () => {
    redis = await TestRedis.start('--requirepass', PASSWORD)
    database = await createDatabase()
    const url = `redis://:${encodeURIComponent(PASSWORD)}@127.0.0.1:${redis.port}/2`
    for (let n = 0; n < 2; n += 1) {
      const environ = { RATE_LIMIT_PER_SECOND: '1', RATE_LIMIT_BURST: String(BURST) }
      const bucketStore = open(url)
      await untilShared(bucketStore)
      const shared = { ...database, drop: async () => {} }
      servers.push(await TestServer.start(environ, { database: shared, bucketStore }))
    }
    company = await servers[0]!.createCompany()
  })
  afterAll(async () => {
    for (const server of servers) await server.stop()
    for (const store of stores) store.close()
    await redis.kill()
    await database.drop()
  })

  it('both servers together answer as many requests as one may', async () => {
    const key = await servers[0]!.createKey(company.id)
    const started = performance.now()
    const answered = await countAnswered(key, BURST)
    // A token a second comes back.
    const refilled = Math.ceil((performance.now() - started) / 1000)
    expect(answered).toBeGreaterThanOrEqual(BURST)
    expect(answered).toBeLessThanOrEqual(BURST + refilled)
    const refused = await servers[1]!.get('/api/v1/balance', key)
    if (refused.status === 429) expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
  })

  it('concurrent requests never take the same token, and a token that is given back counts again', async () => {
    const [one, two] = stores as [RedisBuckets, RedisBuckets]
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? one : two).take(SLOW, 'somebody')),
    )
    expect(all.filter((taken) => taken?.allowed === true)).toHaveLength(5)
    expect(await until('an answer came', () => one.take(SLOW, 'somebody'))).toMatchObject({ allowed: false })
    two.giveBack(SLOW, 'somebody')
    expect(await until('an answer came', () => two.take(SLOW, 'somebody'))).toMatchObject({ allowed: true })
  })

  it('scripts that somebody flushed are sent again', async () => {
    const store = stores[0]!
    execFileSync('redis-cli', ['-p', String(redis.port), '-a', PASSWORD, '--no-auth-warning', 'script', 'flush'])
    expect(await until('an answer came', () => store.take(SLOW, 'after the flush'))).toMatchObject({ allowed: true })
  })

  it('while it hangs or is gone, each server counts alone, and afterwards they share again', async () => {
    redis.signal('SIGSTOP')
    const key = await servers[0]!.createKey(company.id)
    expect(await countAnswered(key, 3)).toBe(6)
    for (const store of stores) await untilAlone(store)
    redis.signal('SIGCONT')
    for (const store of stores) await untilShared(store)

    await redis.kill()
    for (const store of stores) await untilAlone(store)
    expect(await stores[0]!.take(SLOW, 'x')).toBeUndefined()
    // Each has a bucket of its own.
    expect(await countAnswered(await servers[0]!.createKey(company.id), BURST + 1)).toBeGreaterThanOrEqual(2 * BURST)
    await redis.open()
    for (const store of stores) await untilShared(store)
    expect(await until('an answer came', () => stores[0]!.take(SLOW, 'x'))).toMatchObject({ allowed: true })
  })

  it('one that hangs is lost although commands are still sent, and takes no more than its limit meanwhile', async () => {
    const store = stores[0]!
    redis.signal('SIGSTOP')
    const settled: number[] = []
    const takeAs = (number: number) => store.take(SLOW, 'busy').then(() => settled.push(number))
    const waiting = Array.from({ length: 10_001 }, (_, number) => takeAs(number))
    await until('one was refused', () => settled.length > 0)
    expect(settled[0]).toBe(10_000)
    for (let isLost = false; !isLost; isLost = !(await isShared(store))) {
      void store.take(SLOW, 'busy')
      await delay(10)
    }
    await Promise.all(waiting)
    redis.signal('SIGCONT')
    await untilShared(store)
  })

  it('a wrong password is a store that is away, and the log says so', async () => {
    const told = listen()
    const store = open(`redis://:wrong@127.0.0.1:${redis.port}`, told.log)
    expect(await until('it is logged', told.reason)).toMatch(/WRONGPASS|invalid password/)
    expect(await store.take(SLOW, 'x')).toBeUndefined()
    expect(await isShared(store)).toBe(false)
  })

  const openssl = ensureProgram({ name: 'openssl', package: 'openssl' })
  it.skipIf(openssl === undefined)('rediss:// encrypts, and checks the certificate', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'cardstock-rediss-'))
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
    const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
    const about = ['-subj', '/CN=redis', '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '2']
    execFileSync(openssl ?? '', ['req', '-x509', ...curve, ...about, '-keyout', key, '-out', cert], { stdio: 'ignore' })
    const tlsPort = await findFreePort()
    const files = ['--tls-cert-file', cert, '--tls-key-file', key, '--tls-ca-cert-file', cert]
    const secure = await TestRedis.start('--tls-port', String(tlsPort), '--tls-auth-clients', 'no', ...files)
    try {
      const trusted = open(`rediss://127.0.0.1:${tlsPort}?sslrootcert=${encodeURIComponent(cert)}`)
      const told = listen()
      const untrusted = open(`rediss://127.0.0.1:${tlsPort}`, told.log)
      await untilShared(trusted)
      expect(await until('an answer came', () => trusted.take(SLOW, 'x'))).toMatchObject({ allowed: true })
      expect(await until('it is logged', told.reason)).toMatch(/self.signed/)
      expect(await isShared(untrusted)).toBe(false)
      expect(() => open(`rediss://127.0.0.1:${tlsPort}?sslrootcert=/nowhere.pem`)).toThrow(/sslrootcert of REDIS_URL/)
    } finally {
      await secure.kill()
      rmSync(folder, { recursive: true, force: true })
    }
  })

  it.each(['http://127.0.0.1', 'redis://127.0.0.1/name', 'rediss://127.0.0.1?ca=x', 'nothing'])(
    'REDIS_URL=%s is refused',
    (url) => {
      expect(() => readConfig({ REDIS_URL: url })).toThrow(/REDIS_URL (must|may)/)
    },
  )
})

it('a server that is no Redis is a store that is away, and the log says so', async () => {
  const other = createServer((socket) => {
    socket.on('error', () => undefined).on('data', () => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'))
  }).listen(0, '127.0.0.1')
  await once(other, 'listening')
  const told = listen()
  const store = createRedisBuckets(`redis://127.0.0.1:${(other.address() as AddressInfo).port}`, { log: told.log })
  expect(await until('it is logged', told.reason)).toMatch(/type/)
  expect(await isShared(store)).toBe(false)
  store.close()
  other.close()
})

it('without REDIS_URL a server and the doctor do not load the package', async () => {
  const program = `
    const { createRequire } = await import('node:module')
    const dist = new URL('../../../dist/', ${JSON.stringify(import.meta.url)})
    const loaded = () => Object.keys(createRequire(dist).cache).filter((path) => path.includes('@redis/client')).length
    for (const name of ['process/run-server', 'maintenance/doctor/checks']) await import(new URL('cli/' + name + '.js', dist))
    const before = loaded()
    await import(new URL('redis/bucket-store.js', dist))
    console.log(JSON.stringify({ before, isSeen: loaded() > 0 }))`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program])
  expect(JSON.parse(stdout)).toEqual({ before: 0, isSeen: true })
})
