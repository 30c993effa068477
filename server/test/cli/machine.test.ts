// The commands that work on this machine: help, usage, settings, tokens, migrations, and the doctor.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findTokenKind } from '../../src/access/tokens.ts'
import { deriveKey } from '../../src/lib/digest.ts'
import { settleInstallation } from '../../src/setup/queries.ts'
import { migrate } from '../../src/db/migrate.ts'
import { type Connection, createPool } from '../../src/db/pool.ts'
import { createDatabase, TestServer } from '../support/harness.ts'
import { makePreRelease } from '../support/pre-release.ts'
import { cardstock } from './run.ts'

const SECRET = '11'.repeat(32)
/** Loaded before the command, whose clock it shifts by CLOCK_SHIFT_MS. */
const SHIFTED_CLOCK = new URL('../support/jumping-clock.mjs', import.meta.url).href
let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cardstock cli '))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The test database as a DATABASE_URL: a unix socket's folder goes into the query. */
function toUrl({ host = '', port = 0, user = '', password = '', database = '' }: Connection): string {
  const query = new URLSearchParams({ host, port: String(port) })
  const secret = typeof password === 'string' ? encodeURIComponent(password) : ''
  return `postgres://${user}:${secret}@/${database}?${query.toString()}`
}

describe('usage', () => {
  test('without arguments and with --help the commands are listed, and --version prints the version; both exit with 0', async () => {
    const [alone, help, version] = await Promise.all([cardstock([]), cardstock(['--help']), cardstock(['--version'])])
    expect(alone).toEqual(help)
    expect(help.code).toBe(0)
    expect(help.out).toContain('secret-key')
    expect(version).toMatchObject({ code: 0, out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) })
  })

  test.each([
    [['compnay', 'list'], 'Did you mean admin company?'],
    [['holder', 'list'], 'Did you mean holders list?'],
    [['frezee', 'card_1'], 'Did you mean cards freeze?'],
    [['create', 'invoice'], 'Did you mean invoices create?'],
    [['admin', 'company'], 'Usage: cardstock admin company'],
    [['company'], 'cardstock company is the former name of cardstock admin company.\n\nUsage: cardstock company'],
    [['company', 'create', '--name', 'x'], 'error: Missing: --kind <kind>.\n'],
    [['price', 'set'], 'error: Missing: <product>, --type <type>, --price <rule=value...>.\n'],
    [['company', 'show'], 'error: Missing: <id>.\n'],
    [['company', 'list', '--limit', '0'], 'whole number from 1'],
    [['company', 'show', '', '--url', 'http://127.0.0.1:9', '--token', 'x'], 'The id of the object is missing'],
    [['company', 'list', '--url', 'nonsense', '--token', 'x'], '--url is not an address. It must begin with http'],
    [['balance', '--url', 'nonsense'], '--url is not an address. It must begin with http'],
    [['backup', 'x.age'], 'Give --recipient, or set BACKUP_RECIPIENT'],
    [['restore', 'x.age'], '--identity-file'],
  ])('%j is wrong usage: exit code 2', async (args, message) => {
    const ended = await cardstock(args)
    expect(ended).toMatchObject({ code: 2, out: '', err: expect.stringContaining(message) })
    expect(ended.err).not.toMatch(/^\s+at /m)
  })

  test('CARDSTOCK_URL that is no address is named too', async () => {
    const ended = await cardstock(['balance'], { CARDSTOCK_URL: 'localhost:8080', CARDSTOCK_API_KEY: 'cstk_sandbox_x' })
    expect(ended).toMatchObject({ code: 2, err: expect.stringContaining('CARDSTOCK_URL is not an address.') })
  })

  test('the help marks what is required, and nothing else', async () => {
    const { out } = await cardstock(['company', 'create', '--help'])
    const required = out.split('\n').filter((line) => line.includes('(required)'))
    expect(required.map((line) => line.trim().split(' ')[0])).toEqual(['--name', '--kind'])
  })

  test('with --json wrong usage is JSON too', async () => {
    const [unknown, group] = await Promise.all([cardstock(['--json', 'nonsense']), cardstock(['company', '--json'])])
    for (const ended of [unknown, group]) {
      expect(ended).toMatchObject({ code: 2, out: '' })
      expect(JSON.parse(ended.err)).toMatchObject({ error: { code: 'usage' } })
    }
  })
})

describe('config', () => {
  test('shows every setting with its source, and no secret', async () => {
    const environ = { PORT: '9999', SECRET_KEY: SECRET, DATABASE_URL: 'postgres://user:hidden@host/db' }
    const [text, machine] = await Promise.all([
      cardstock(['config'], environ),
      cardstock(['config', '--json'], environ),
    ])
    expect(text.out).toMatch(/^PORT +9999 +environment$/m)
    expect(text.out).toMatch(/^HOST +127\.0\.0\.1 +default$/m)
    expect(text.out).toMatch(/^OPERATOR_TOKEN +- +not set$/m)
    expect(JSON.parse(machine.out)).toContainEqual({ name: 'SECRET_KEY', value: '••••••', source: 'environment' })
    expect(text.out + machine.out).not.toMatch(/hidden|1111/)
  })
})

describe('operator-token generate', () => {
  test('prints a new well-formed token each time, and nothing else on standard output', async () => {
    const generate = ['operator-token', 'generate']
    const [first, second] = await Promise.all([cardstock(generate), cardstock([...generate, '--json'])])
    const other = (JSON.parse(second.out) as { operatorToken: string }).operatorToken
    expect(findTokenKind(first.out.trimEnd())).toBe('operator')
    expect(findTokenKind(other)).toBe('operator')
    expect(first.out.trimEnd()).not.toBe(other)
  })
})

describe('failures', () => {
  test('wrong settings and a missing database print a message without a stack trace, and DEBUG=1 adds it', async () => {
    const broken = { DATABASE_URL: 'postgres://user:hidden@127.0.0.1:9/db' }
    const [settings, database, debug] = await Promise.all([
      cardstock(['serve'], { PORT: 'many' }),
      cardstock(['migrate'], broken),
      cardstock(['migrate', '--json'], { ...broken, DEBUG: '1' }),
    ])
    expect(settings).toMatchObject({ code: 1, err: expect.stringContaining('PORT must be a whole number') })
    expect(database).toMatchObject({ code: 1, err: expect.stringContaining('ECONNREFUSED') })
    expect(database.err).toContain('correct DATABASE_URL')
    for (const { err } of [settings, database]) expect(err).not.toMatch(/^\s+at /m)
    expect(JSON.parse(debug.err)).toMatchObject({
      error: { code: 'database_failed', stack: expect.stringContaining(' at ') },
    })
    expect(database.err + debug.err).not.toContain('hidden')
  })
})

describe('serve', () => {
  test.each([
    [['--processes', '65'], 'a whole number from 0 to 64'],
    [['--processes', '-1'], 'a whole number from 0 to 64'],
    [['--processes', 'two'], 'a whole number from 0 to 64'],
    [['--processes', ''], 'a whole number from 0 to 64'],
    [['--role', 'worker', '--processes', '2'], 'Start several workers instead'],
  ])('%j is refused with what to do', async (args, message) => {
    expect(await cardstock(['serve', ...args], {})).toMatchObject({ code: 2, err: expect.stringContaining(message) })
  })
})

describe('migrate', () => {
  test('a second run finds the schema current', async () => {
    const { connection, drop } = await createDatabase()
    const ended = await cardstock(['migrate'], { DATABASE_URL: toUrl(connection) })
    await drop()
    expect(ended).toEqual({ code: 0, out: 'The schema is current.\n', err: '' })
  })

  test('a database of the last pre-release is adopted; an older one is refused, also by serve, with what to do', async () => {
    const { connection, drop } = await createDatabase('template0')
    const environ = { DATABASE_URL: toUrl(connection), DATA_DIR: folder }
    await migrate(connection)
    await makePreRelease(connection, 30)
    const [refused, served] = await Promise.all([
      cardstock(['migrate', '--json'], environ),
      cardstock(['serve', '--processes', '0'], environ),
    ])
    await makePreRelease(connection)
    const adopted = await cardstock(['migrate'], environ)
    await drop()
    const advice = expect.stringContaining('Start the last version before 1.0')
    expect(refused.code).toBe(1)
    expect(JSON.parse(refused.err)).toMatchObject({ error: { code: 'migration_failed', message: advice } })
    expect(served).toMatchObject({ code: 1, err: advice })
    expect(adopted).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^applied migrations\/0001_baseline\/01_common/),
    })
  })

  test('--citus is refused for the private database and for one without Citus, with what to do', async () => {
    const { connection, drop } = await createDatabase('template0')
    const [own, plain] = await Promise.all([
      cardstock(['migrate', '--citus'], {}),
      cardstock(['migrate', '--citus', '--json'], { DATABASE_URL: toUrl(connection) }),
    ])
    await drop()
    expect(own).toMatchObject({ code: 2, err: expect.stringContaining('Set DATABASE_URL to the coordinator') })
    expect(plain.code).toBe(1)
    expect(JSON.parse(plain.err)).toMatchObject({
      error: { code: 'migration_failed', message: expect.stringContaining('create extension citus') },
    })
  })
})

interface Report {
  healthy: boolean
  checks: { name: string; status: string; message: string }[]
}

describe('doctor', () => {
  let server: TestServer
  let environ: Record<string, string>

  beforeAll(async () => {
    server = await TestServer.start()
    chmodSync(folder, 0o700)
    writeFileSync(join(folder, 'secret.key'), `${SECRET}\n`, { mode: 0o600 })
    const db = createPool(server.connection, { size: 1, onError: () => {} })
    await settleInstallation(db, 'secret_key_check', deriveKey(Buffer.from(SECRET, 'hex'), 'check'))
    await db.close()
    const { port } = new URL(server.baseUrl)
    environ = { DATA_DIR: folder, PORT: port, DATABASE_URL: toUrl(server.connection) }
  })
  afterAll(() => server.stop())

  const examine = async (change: Record<string, string> = {}) => {
    const { code, out, err } = await cardstock(['doctor', '--json'], { ...environ, ...change })
    expect(err).toBe('')
    const report = JSON.parse(out) as Report
    expect(code).toBe(report.healthy ? 0 : 1)
    return { ...report, status: Object.fromEntries(report.checks.map((check) => [check.name, check.status])) }
  }

  test('every line is ok for a healthy installation', async () => {
    const { code, out } = await cardstock(['doctor'], environ)
    expect(out).toMatch(/^ok {4}schema {7}current/m)
    expect(out).not.toMatch(/^(warn|fail)/m)
    expect(code).toBe(0)
    expect(out.trimEnd().split('\n')).toHaveLength(19)
  })

  test('a missing database fails, without showing its password', async () => {
    const { checks, status } = await examine({ DATABASE_URL: 'postgres://user:hidden@127.0.0.1:9/db' })
    expect(status).toMatchObject({ node: 'ok', settings: 'ok', database: 'fail', server: 'ok' })
    expect(JSON.stringify(checks)).toContain('correct DATABASE_URL')
    expect(JSON.stringify(checks)).not.toContain('hidden')
  })

  test('another secret key, readable files and a missing server are reported separately', async () => {
    chmodSync(join(folder, 'secret.key'), 0o644)
    const { status, checks } = await examine({ SECRET_KEY: '22'.repeat(32), PORT: '9' })
    chmodSync(join(folder, 'secret.key'), 0o600)
    expect(status).toMatchObject({ 'secret key': 'fail', 'data folder': 'fail', server: 'warn', schema: 'ok' })
    expect(checks.find((check) => check.name === 'server')?.message).toContain('npm start')
    expect(JSON.stringify(checks)).not.toMatch(/1111|2222/)
  })

  test.each([
    [10_000, 'warn'],
    [-10_000, 'warn'],
    [45_000, 'fail'],
    [-45_000, 'fail'],
  ])("a clock that is %i ms ahead of the database's: %s, as the server judges it", async (shiftMs, expected) => {
    const { status } = await examine({
      NODE_OPTIONS: `--import ${SHIFTED_CLOCK}`,
      CLOCK_SHIFT_MS: String(shiftMs),
      CLOCK_STARTS_SHIFTED: 'true',
    })
    expect(status).toMatchObject({ clock: expected, schema: 'ok' })
  })

  test('wrong settings end the checks', async () => {
    const { status } = await examine({ PORT: 'many' })
    expect(status).toEqual({ node: 'ok', settings: 'fail' })
  })
})
