// The commonest faults, each caused and then found by the doctor. Here it runs in this process; machine.test.ts runs the
// command itself.
import { createServer } from 'node:net'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { settleInstallation } from '../../src/setup/queries.ts'
import { checkNode, examine } from '../../src/cli/maintenance/doctor/checks.ts'
import { checkDisk } from '../../src/cli/maintenance/doctor/machine.ts'
import { migrate } from '../../src/db/migrate.ts'
import { sql } from '../../src/db/sql.ts'
import { deriveKey } from '../../src/lib/digest.ts'
import { fund, operate } from '../books/steps.ts'
import { toDatabaseUrl } from '../support/database-url.ts'
import { createDatabase, type TestCompany, TestServer } from '../support/harness.ts'
import { makePreRelease } from '../support/pre-release.ts'

const SECRET_KEY = '11'.repeat(32)
const SERVICE = { type: 'service', productId: 'prod_service_esim', amount: '20', recipient: 'a@example.com' }
let folder: string
let server: TestServer
let company: TestCompany
let environ: Record<string, string>

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cardstock-doctor-'))
  chmodSync(folder, 0o700)
  // Without a worker, so that nothing is carried out. Its clock is months behind the database's, so everything is late.
  server = await TestServer.start({}, { role: 'api' })
  await settleInstallation(server.db, 'secret_key_check', deriveKey(Buffer.from(SECRET_KEY, 'hex'), 'check'))
  company = await server.createCompany()
  const { port } = new URL(server.baseUrl)
  environ = { DATA_DIR: folder, PORT: port, DATABASE_URL: toDatabaseUrl(server.connection), SECRET_KEY }
})
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** Returns the checks that are not ok, as `name status: message`. */
async function faults(change: Record<string, string> = {}): Promise<string[]> {
  const checks = await examine({ ...environ, ...change })
  return checks
    .filter(({ status }) => status !== 'ok')
    .map((check) => `${check.name} ${check.status}: ${check.message}`)
}

test('a healthy installation has no fault', async () => {
  expect(await faults()).toEqual([])
})

test.each([
  [
    'an unreachable database',
    { DATABASE_URL: 'postgres://u:hidden@127.0.0.1:9/db' },
    /^database fail: .*cannot be reached/,
  ],
  ['another secret key', { SECRET_KEY: '22'.repeat(32) }, /^secret key fail: .*SECRET_KEY/],
  ['a missing secret key', { SECRET_KEY: '' }, /^secret key fail: missing\. Set SECRET_KEY/],
  ['a wrong setting', { PORT: 'many' }, /^settings fail: .*PORT must be/],
  ['a server that does not run', { PORT: '9' }, /^server warn: .*npm start/],
  [
    'webhooks to private addresses on a public server',
    { HOST: '0.0.0.0', WEBHOOK_ALLOW_PRIVATE_ADDRESSES: 'true' },
    /^webhooks warn: .*WEBHOOK_ALLOW_PRIVATE_ADDRESSES/,
  ],
  ['a proxy that is not trusted', { PUBLIC_URL: 'https://127.0.0.1:9' }, /^proxy warn: .*TRUST_PROXY/],
  [
    'an unreachable Redis',
    { REDIS_URL: 'redis://:hidden@127.0.0.1:9' },
    /^redis warn: 127\.0\.0\.1:9 in REDIS_URL does not answer .*ECONNREFUSED/,
  ],
  [
    'an unreachable issuer',
    { ISSUER_URL: 'http://127.0.0.1:9', ISSUER_SECRET: 'x'.repeat(32) },
    /^live issuer fail: .*cannot be reached.*ISSUER_URL/,
  ],
])('%s', async (_title, change, expected) => {
  const found = await faults(change)
  expect(found).toContainEqual(expect.stringMatching(expected))
  expect(found.join()).not.toMatch(/hidden|1111|2222/)
})

test('a wrong password of the database', async () => {
  const url = toDatabaseUrl({ ...server.connection, password: 'wrong' })
  expect(await faults({ DATABASE_URL: url })).toEqual([
    expect.stringMatching(/^database fail: .*password authentication failed.*Correct DATABASE_URL/),
  ])
})

test('a server that takes connections and does not answer is said to hang', async () => {
  const hanging = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => hanging.once('listening', resolve))
  const sockets = new Set<{ destroy(): void }>()
  hanging.on('connection', (socket) => sockets.add(socket))
  const { port } = hanging.address() as { port: number }
  expect(await faults({ PORT: String(port) })).toEqual([
    expect.stringMatching(
      /^server fail: No answer from \S+ within 5 s\. .* the server hangs: look at its log, and restart it\.$/,
    ),
  ])
  for (const socket of sockets) socket.destroy()
  hanging.close()
})

test('a port that another program uses', async () => {
  const other = createServer((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi'))
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const { port } = other.address() as { port: number }
  expect(await faults({ PORT: String(port) })).toEqual([
    expect.stringMatching(/^server fail: another program answers .*PORT/),
  ])
  other.close()
})

test('a database without the schema, and one with a newer schema', async () => {
  const empty = await createDatabase('template0')
  const found = await faults({ DATABASE_URL: toDatabaseUrl(empty.connection) })
  await empty.drop()
  expect(found).toEqual([expect.stringMatching(/^schema warn: the database is empty.*cardstock migrate/)])

  await server.db.run(sql`insert into schema_file (name, checksum) values ('migrations/9999_later.sql', 'x')`)
  expect(await faults()).toEqual([expect.stringMatching(/^schema fail: newer than this program .*9999_later/)])
  await server.db.run(sql`delete from schema_file where name = 'migrations/9999_later.sql'`)
})

test('a database of the last pre-release, and an older one', async () => {
  const database = await createDatabase('template0')
  await migrate(database.connection)
  const find = () => faults({ DATABASE_URL: toDatabaseUrl(database.connection) })
  await makePreRelease(database.connection)
  const last = await find()
  await makePreRelease(database.connection, 30)
  const older = await find()
  await database.drop()
  expect(last).toEqual([expect.stringMatching(/^schema warn: of the last version before 1\.0\. Run cardstock migrate/)])
  expect(older).toEqual([expect.stringMatching(/^schema fail: .*pre-release.*Start the last version before 1\.0/)])
})

test('a version of Node that is too old, and a disk that is nearly full', async () => {
  expect(checkNode('18.20.0')).toMatchObject({ status: 'fail', message: expect.stringContaining('Install 20.19') })
  const withFree = (mebibytes: number) =>
    checkDisk({ dataDir: folder }, async () => ({ bavail: mebibytes, bsize: 2 ** 20 }))
  expect(await withFree(100)).toMatchObject({ status: 'fail', message: expect.stringContaining('Free some space') })
  expect(await withFree(1000)).toMatchObject({ status: 'warn' })
  expect(await withFree(10_000)).toMatchObject({ status: 'ok' })
  expect(await checkDisk({ dataDir: join(folder, 'not/there') })).toMatchObject({ name: 'disk', message: /./ })
})

test('a worker that does not run, entries that are not sealed, late and failing webhooks, and reviews that wait', async () => {
  await fund(server, company, '1000')
  await operate(server, company, SERVICE)
  const waiting = await faults()
  expect(waiting).toContainEqual(
    expect.stringMatching(/^worker warn: an operation has been due for \d+ days.*Start a server/),
  )
  expect(waiting).toContainEqual(expect.stringMatching(/^seals warn: an entry has waited for \d+ days/))
  expect(waiting).toHaveLength(2)

  const url = 'https://receiver.example/hooks'
  const endpoint = { url, events: ['*'] }
  expect((await server.post('/api/v1/webhook-endpoints', company.key, endpoint)).status).toBe(201)
  const due = server.clock.now()
  await server.db.run(sql`update delivery_queue set due_at = ${due} where company_id = ${company.id}`)
  expect(await faults()).toContainEqual(expect.stringMatching(/^webhooks warn: a delivery to a working endpoint is/))
  await server.db.run(sql`update delivery_queue set failures = 3 where company_id = ${company.id}`)
  expect(await faults()).toContainEqual(expect.stringMatching(/^webhooks warn: 1 endpoints of companies fail/))

  for (const status of ['processing', 'manual_review'])
    await server.db.run(sql`
      with moved as (update issuer_request set status = ${status} where company_id = ${company.id})
      update operation set status = ${status} where company_id = ${company.id}`)
  const later = await faults()
  expect(later).toContainEqual(expect.stringMatching(/^reviews warn: 1 open, the oldest for \d+ days.*review list/))
  expect(later.join()).not.toContain('worker warn')
})

test('a Redis that answers is ok, and one that refuses the password is not', async () => {
  const redis = createServer((socket) => {
    socket.on('data', (bytes) => socket.write(bytes.includes('wrong') ? '-WRONGPASS no\r\n' : '+PONG\r\n'))
  })
  await new Promise<void>((resolve) => redis.listen(0, '127.0.0.1', resolve))
  const { port } = redis.address() as { port: number }
  const found = async (password: string) => {
    const checks = await examine({ ...environ, REDIS_URL: `redis://:${password}@127.0.0.1:${port}` })
    return checks.find(({ name }) => name === 'redis')
  }
  try {
    expect(await found('right')).toMatchObject({ status: 'ok' })
    expect(await found('wrong')).toMatchObject({ status: 'warn', message: expect.stringContaining('WRONGPASS') })
  } finally {
    redis.close()
  }
})

test('sessions that compile statements are named', async () => {
  const compiling = { DATABASE_URL: `${environ['DATABASE_URL']}&options=${encodeURIComponent('-c jit=on')}` }
  expect(await faults(compiling)).toContainEqual(expect.stringMatching(/^jit warn: on in the sessions of this role/))
})

test('a schema in which everybody may create functions is named', async () => {
  await server.db.run({ name: undefined, text: 'grant create on schema public to public', values: [] })
  try {
    expect(await faults()).toContainEqual(
      expect.stringMatching(/^search path warn: .*revoke create on schema public from public/),
    )
  } finally {
    await server.db.run({ name: undefined, text: 'revoke create on schema public from public', values: [] })
  }
})
