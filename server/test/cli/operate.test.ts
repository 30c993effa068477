// The client commands against a running server: what they do, print and refuse, and their exit codes.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ApiKey, AuditEntry, Company, CreatedApiKey, Holder, Page } from '@cardstock/sdk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PERMISSIONS } from '../../src/access/permissions.ts'
import { makeToken } from '../../src/access/tokens.ts'
import { sql } from '../../src/db/sql.ts'
import { findId } from '../../src/lib/ids.ts'
import { type TestCompany, TestServer } from '../support/harness.ts'
import { cardstock } from './in-process.ts'
import type { Ended } from './run.ts'

let server: TestServer
let folder: string
let company: TestCompany

beforeAll(async () => {
  server = await TestServer.start()
  folder = mkdtempSync(join(tmpdir(), 'cardstock cli '))
  company = await server.createCompany()
})
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

const environ = () => ({ CARDSTOCK_URL: server.baseUrl, CARDSTOCK_OPERATOR_TOKEN: server.operatorToken })
const words = (line: string) => line.split(' ')
const run = (...args: string[]) => cardstock(args, environ())

const keep = (credentials: unknown) => writeFileSync(join(folder, 'credentials.json'), JSON.stringify(credentials))
const createOne = () =>
  server.request('POST', '/admin/v1/companies', {
    token: server.operatorToken,
    body: { name: 'Many', kind: 'corporate' },
  })

/** Returns the JSON value that a successful command printed. */
async function json<Value>(...args: string[]): Promise<Value> {
  const { code, out, err } = await run(...args, '--json')
  expect({ code, err }).toEqual({ code: 0, err: '' })
  return JSON.parse(out) as Value
}

function refusalOf({ err, out }: Ended): Record<string, unknown> {
  expect(out).toBe('')
  return (JSON.parse(err) as { error: Record<string, unknown> }).error
}

describe('company', () => {
  test('is suspended and resumed with a reason, which goes into the audit log', async () => {
    const { id } = await json<Company>('company', 'create', '--name', 'Acme Ltd', '--kind', 'corporate')
    expect((await run('company', 'suspend', id)).code).toBe(2)
    expect(await json<Company>('company', 'suspend', id, '--reason', 'fraud')).toMatchObject({ id, suspended: true })
    expect((await run('company', 'show', id)).out).toMatch(/^suspended: +yes$/m)
    expect(await json<Company>('company', 'resume', id, '--reason', 'cleared')).toMatchObject({ suspended: false })
    const log = await json<Page<AuditEntry>>('audit-log', '--company', id)
    expect(log.data.map(({ action, details }) => [action, details['reason']])).toEqual([
      ['company.resumed', 'cleared'],
      ['company.suspended', 'fraud'],
      ['company.created', undefined],
    ])
  })

  test('is created, shown, verified and given capabilities, and the output matches the server', async () => {
    const made = await json<Company>('company', 'create', '--name', 'Acme Ltd', '--kind', 'corporate')
    expect(made).toMatchObject({ name: 'Acme Ltd', kind: 'corporate', verification: 'pending' })
    const [approved, switched] = [
      await json<Company>('company', 'verify', made.id, '--reason', 'papers seen'),
      await json<Company>('company', 'capabilities', made.id, '--live-services', 'on'),
    ]
    expect(approved.verification).toBe('approved')
    expect(switched.capabilities).toEqual({ liveServices: true, directInvoices: false })
    expect(await json('company', 'show', made.id)).toEqual({ ...switched, balances: expect.any(Array) })
    const rejected = await run('company', 'verify', made.id, '--reject')
    expect(rejected.out).toMatch(/^verification: +rejected$/m)
    expect(rejected.out).toMatch(/^live services: +on$/m)
    const log = await json<Page<AuditEntry>>('audit-log', '--company', made.id)
    expect(log.data.map((entry) => entry.action)).toEqual([
      'company.verification.reject',
      'company.capabilities',
      'company.verification.approve',
      'company.created',
    ])
    expect(log.data[2]?.details).toMatchObject({ reason: 'papers seen' })
  })

  test('capabilities without an option only shows the company', async () => {
    const before = await json<Page<AuditEntry>>('audit-log', '--company', company.wireId)
    const { code, out } = await run('company', 'capabilities', company.wireId)
    expect(code).toBe(0)
    expect(out).toMatch(/^direct invoices: +off$/m)
    expect(await json('audit-log', '--company', company.wireId)).toEqual(before)
  })

  test('a name that would control the terminal is shown escaped, and unchanged in JSON', async () => {
    const name = 'Evil \u001B[2J Ltd'
    const made = await json<Company>('company', 'create', '--name', 'Evil', '--kind', 'individual')
    // A name from before such characters were refused.
    await server.db.run(sql`update company set name = ${name} where id = ${findId('co', made.id)}`)
    expect((await json<Company>('company', 'show', made.id)).name).toBe(name)
    const { out } = await run('company', 'show', made.id)
    expect(out).toContain('Evil \uFFFD[2J Ltd')
    expect(out).not.toContain('\u001B')
  })

  test('a missing object is refused with the server’s code, message and request id, and exit code 1', async () => {
    const id = `co_${'0'.repeat(32)}`
    const [text, machine] = await Promise.all([run('company', 'show', id), run('company', 'show', id, '--json')])
    expect(text).toMatchObject({ code: 1, out: '' })
    expect(text.err).toMatch(/^error: There is no such object/)
    expect(text.err).toMatch(/^code: not_found, request: \S+$/m)
    expect(text.err).toMatch(/^param: id$/m)
    expect(text.err).toMatch(/^see: http:\/\/\S+\/docs\/errors#not_found$/m)
    expect(machine.code).toBe(1)
    expect(refusalOf(machine)).toMatchObject({
      code: 'not_found',
      statusCode: 404,
      requestId: expect.any(String),
      param: 'id',
      docUrl: expect.stringMatching(/\/docs\/errors#not_found$/),
    })
  })
})

describe('key', () => {
  test('a new key works, is shown once, and is never listed in full', async () => {
    const { code, out, err } = await run(
      ...words(`key create ${company.wireId} --environment sandbox --name shop --scope cards:read holders:read`),
      ...words('--expires-at 2027-01-31T00:00:00Z --cidr 127.0.0.0/8 --cidr ::1/128'),
    )
    expect(code).toBe(0)
    expect(err).toContain('shown once')
    const key = /^key: +(cstk_sandbox_\w+)$/m.exec(out)?.[1] ?? ''
    expect(out.split(key)).toHaveLength(2)
    expect(out).toMatch(/^scopes: +cards:read holders:read$/m)
    expect(out).toMatch(/^allowed from: +127.0.0.0\/8 ::1\/128$/m)
    expect((await server.get('/api/v1/cards', key)).status).toBe(200)
    const [text, machine] = await Promise.all([
      run('key', 'list', company.wireId),
      run('key', 'list', company.wireId, '--json'),
    ])
    expect(text.out).toContain(`${key.slice(0, 17)}…${key.slice(-4)}`)
    expect(text.out + machine.out).not.toContain(key)
  })

  test('--scope all means every scope, rotate creates a successor that works, and revoke ends it', async () => {
    const made = await json<CreatedApiKey>(
      ...words(`key create ${company.wireId} --environment sandbox --name all --scope all`),
    )
    expect(made.scopes.toSorted()).toEqual(PERMISSIONS.toSorted())
    const next = await json<CreatedApiKey>('key', 'rotate', company.wireId, made.id, '--overlap-seconds', '0')
    expect(next.key).not.toBe(made.key)
    expect((await server.get('/api/v1/products', next.key)).status).toBe(200)
    const revoked = await run('key', 'revoke', company.wireId, next.id)
    expect(revoked).toEqual({ code: 0, out: `${next.id} is revoked.\n`, err: '' })
    expect((await server.get('/api/v1/products', next.key)).status).toBe(401)
    const { data } = await json<Page<ApiKey>>('key', 'list', company.wireId)
    expect(data.find((key) => key.id === next.id)?.revokedAt).toEqual(expect.any(String))
  })

  test('an unknown scope is wrong usage, and an invalid block is refused by the server', async () => {
    const base = ['key', 'create', company.wireId, '--environment', 'sandbox', '--name', 'x']
    const [usage, refused] = await Promise.all([
      run(...base, '--scope', 'cards:fly'),
      run(...base, '--scope', 'cards:read', '--cidr', 'nonsense', '--json'),
    ])
    expect(usage.code).toBe(2)
    expect(usage.err).toContain('cards:fly')
    expect(refused.code).toBe(1)
    expect(refusalOf(refused)).toMatchObject({ code: 'validation_failed', statusCode: 400 })
  })
})

describe('holder', () => {
  test('is created active and can be given another status', async () => {
    const made = await json<Holder>(
      ...words(`holder create ${company.wireId} --environment live --name Ada --email ada@example.com`),
      ...words('--kind individual --external-id e-1'),
    )
    expect(made).toMatchObject({ name: 'Ada', status: 'active', externalId: 'e-1' })
    const { code, out } = await run('holder', 'status', company.wireId, made.id, '--environment', 'live', 'blocked')
    expect(code).toBe(0)
    expect(out).toMatch(/^status: +blocked$/m)
    const elsewhere = await run('holder', 'status', company.wireId, made.id, '--environment', 'sandbox', 'active')
    expect(elsewhere.code).toBe(1)
    const erased = await run('holder', 'erase', company.wireId, made.id, '--environment', 'live', '--yes')
    expect([erased.code, erased.out]).toEqual([0, expect.stringMatching(/^erasure: +running$/m)])
  })
})

describe('lists', () => {
  test('--limit can exceed a page of the server, and the output says when there is more', async () => {
    for (let made = 0; made < 105; made += 15) await Promise.all(Array.from({ length: 15 }, createOne))
    const [usual, many] = await Promise.all([
      run('company', 'list'),
      json<Page<Company>>('company', 'list', '--limit', '103'),
    ])
    expect(usual.out.trimEnd().split('\n')).toHaveLength(51)
    expect(usual.err).toContain('--limit 100')
    expect(new Set(many.data.map((row) => row.id)).size).toBe(103)
    expect(many.nextCursor).toEqual(expect.any(String))
  })

  test('the columns of the audit log are aligned, and the output does not claim more rows at the end', async () => {
    const { out, err } = await run('audit-log', '--company', company.wireId)
    const [head = '', ...rows] = out.trimEnd().split('\n')
    expect(err).toBe('')
    expect(rows.length).toBeGreaterThan(2)
    for (const row of rows) expect(row.slice(head.indexOf('COMPANY'))).toMatch(new RegExp(`^${company.wireId} `))
  })
})

describe('finding the server', () => {
  test('flags take precedence over the environment, which takes precedence over the saved credentials', async () => {
    keep({ baseUrl: 'http://127.0.0.1:9', operatorToken: makeToken('operator') })
    const wrong = { DATA_DIR: folder, CARDSTOCK_URL: 'http://127.0.0.1:9', CARDSTOCK_OPERATOR_TOKEN: 'wrong' }
    const [flags, environment] = await Promise.all([
      cardstock(['company', 'list', '--url', server.baseUrl, '--token', server.operatorToken], wrong),
      cardstock(['company', 'list'], { ...wrong, ...environ() }),
    ])
    expect([flags.code, environment.code]).toEqual([0, 0])
  })

  test('on the server’s machine nothing has to be set, and the saved token is sent nowhere else', async () => {
    keep({ baseUrl: server.baseUrl, operatorToken: server.operatorToken })
    const [kept, elsewhere] = await Promise.all([
      cardstock(['company', 'list'], { DATA_DIR: folder }),
      cardstock(['company', 'list', '--url', 'http://127.0.0.1:9'], { DATA_DIR: folder }),
    ])
    expect(kept.code).toBe(0)
    expect(elsewhere.code).toBe(2)
    expect(elsewhere.err).toContain('CARDSTOCK_OPERATOR_TOKEN')
  })

  test('without a known or running server the exit code is 3, and the message says how to start one', async () => {
    const nowhere = { DATA_DIR: join(folder, 'nothing') }
    const gone = { CARDSTOCK_URL: 'http://127.0.0.1:9', CARDSTOCK_OPERATOR_TOKEN: server.operatorToken }
    const [unknown, unreachable, machine] = await Promise.all([
      cardstock(['company', 'list'], nowhere),
      cardstock(['company', 'list'], gone),
      cardstock(['--json', 'company', 'list'], gone),
    ])
    for (const ended of [unknown, unreachable, machine]) {
      expect(ended.code).toBe(3)
      expect(ended.err).toContain('npm start')
      expect(ended.err).not.toContain(server.operatorToken)
    }
    expect(refusalOf(machine)['code']).toBe('unreachable')
  })

  test('a wrong token is refused and not shown', async () => {
    const token = makeToken('operator')
    const ended = await cardstock(['company', 'list'], { ...environ(), CARDSTOCK_OPERATOR_TOKEN: token })
    expect(ended.code).toBe(1)
    expect(ended.err).toContain('invalid_operator_token')
    expect(ended.err).not.toContain(token)
  })
})
