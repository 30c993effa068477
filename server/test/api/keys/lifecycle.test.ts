// The life of a key: shown once, rotated with an overlap, expired, revoked, and limited to addresses.
import { afterAll, describe, expect, it } from 'vitest'
import { PERMISSIONS } from '../../../src/access/permissions.ts'
import { findTokenKind } from '../../../src/access/tokens.ts'
import { createApp } from '../../../src/app/app.ts'
import { createLog } from '../../../src/lib/log.ts'
import { type TestCompany, TestServer } from '../../support/harness.ts'
import { readTestConfig } from '../../support/on-citus.ts'
import { expectError } from '../expect-error.ts'

const server = await TestServer.start({ TRUST_PROXY: '1', OPERATOR_RATE_LIMIT_PER_SECOND: '100000' })
afterAll(() => server.stop())

interface Key {
  id: string
  key: string
  prefix: string
  last4: string
  expiresAt: string | null
  revokedAt: string | null
  lastUsedAt: string | null
}

const admin = <Body = Key>(method: string, path: string, body?: unknown) =>
  server.request<Body>(method, `/admin/v1/companies/${path}`, { token: server.operatorToken, body })
const wanted = { environment: 'sandbox', name: 'Deploy', scopes: ['holders:read'] }
const create = (company: TestCompany, fields: object = {}) =>
  admin('POST', `${company.wireId}/keys`, { ...wanted, ...fields })
const list = async (company: TestCompany) => (await admin<{ data: Key[] }>('GET', `${company.wireId}/keys`)).body.data
const use = (key: string, address?: string) =>
  server.request('GET', '/api/v1/holders', {
    token: key,
    ...(address === undefined ? {} : { headers: { 'x-forwarded-for': address } }),
  })
const later = (ms: number) => new Date(server.clock.now().getTime() + ms).toISOString()

describe('a key that the server knows from the call before', () => {
  const send = (authorization: string) => server.request('GET', '/api/v1/holders', { headers: { authorization } })

  it('is admitted however Bearer is written, and refused behind any other scheme', async () => {
    const { body } = await create(await server.createCompany())
    expect((await use(body.key)).status).toBe(200)
    for (const scheme of ['Bearer', 'bearer', 'BEARER', 'Bearer ']) {
      expect((await send(`${scheme} ${body.key}`)).status, scheme).toBe(200)
    }
    for (const scheme of ['Basic', 'Token', 'BearerX', 'Bearer Bearer']) {
      expectError(await send(`${scheme} ${body.key}`), 'malformed_api_key')
    }
    expectError(await send(body.key), 'malformed_api_key')
  })
})

describe('a new key', () => {
  it('is shown once, works immediately, and is stored only as a digest', async () => {
    const company = await server.createCompany()
    const { status, body, headers } = await create(company)
    expect(status).toBe(201)
    expect(body).toMatchObject({
      ...wanted,
      expiresAt: null,
      allowedCidrs: [],
      createdAt: server.clock.now().toISOString(),
    })
    expect(findTokenKind(body.key)).toBe('sandbox')
    expect([body.key.startsWith(body.prefix), body.key.endsWith(body.last4)]).toEqual([true, true])
    expect(headers.get('location')).toBe(`/admin/v1/companies/${company.wireId}/keys/${body.id}`)
    expect((await use(body.key)).status).toBe(200)
    const secret = body.key.slice('cstk_sandbox_'.length)
    const rows = await server.db.many({
      name: undefined,
      text: 'select k::text as text from api_key k union all select a::text from audit_log a',
      values: [],
    })
    expect(JSON.stringify(rows)).not.toContain(secret)
    expect(JSON.stringify(rows)).not.toContain(secret.slice(4, 20))
  })

  it('appears in the list without its secret, newest first', async () => {
    const company = await server.createCompany()
    const made = (await create(company, { environment: 'live' })).body
    const answer = await admin<{ data: Key[] }>('GET', `${company.wireId}/keys`)
    expect(answer.text).not.toContain(made.key)
    expect(answer.text).not.toContain('"key"')
    expect(answer.body.data).toHaveLength(2)
    expect(answer.body.data[0]).toEqual({
      ...made,
      key: undefined,
      revokedAt: null,
      lastUsedAt: null,
      replacedBy: null,
    })
  })

  it.each([
    ['no scopes', { scopes: [] }],
    ['an unknown scope', { scopes: ['everything'] }],
    ['an unknown environment', { environment: 'test' }],
    ['an expiry in the past', { expiresAt: '2020-01-01T00:00:00Z' }],
    ['an expiry that is no instant', { expiresAt: 'tomorrow' }],
    ['a day that does not exist', { expiresAt: '2027-02-30T00:00:00Z' }],
    ['an address instead of a block', { allowedCidrs: ['10.0.0.1'] }],
    ['a block that is too wide', { allowedCidrs: ['10.0.0.0/33'] }],
    ['a block with a zone', { allowedCidrs: ['fe80::1%eth0/64'] }],
    ['a block with words', { allowedCidrs: ['home'] }],
    ['too many blocks', { allowedCidrs: Array.from({ length: 51 }, () => '10.0.0.0/8') }],
  ])('with %s is refused', async (_name, fields) => {
    const company = await server.createCompany()
    expectError(await create(company, fields), 'validation_failed')
    expect(await list(company)).toHaveLength(1)
  })

  it('of a company that does not exist answers 404', async () => {
    expectError(await admin('POST', `co_${'f'.repeat(32)}/keys`, wanted), 'not_found')
    expectError(await admin('GET', `co_${'f'.repeat(32)}/keys`), 'not_found')
  })

  it('may be created for an unverified company, and is refused with 403 until the company is verified', async () => {
    const company = await server.createCompany({ verified: false })
    const { key } = (await create(company, { scopes: [...PERMISSIONS] })).body
    expectError(await use(key), 'verification_required')
    await admin('POST', `${company.wireId}/verification`, { decision: 'approve' })
    expect((await use(key)).status).toBe(200)
    await admin('POST', `${company.wireId}/verification`, { decision: 'reject', reason: 'documents expired' })
    expectError(await use(key), 'verification_required')
  })
})

describe('expiry', () => {
  it('ends the key at its expiry time, not before', async () => {
    const { key } = (await create(await server.createCompany(), { expiresAt: later(60_000) })).body
    server.clock.advance(59_999)
    expect((await use(key)).status).toBe(200)
    server.clock.advance(1)
    expectError(await use(key), 'expired_api_key')
  })
})

describe('rotation', () => {
  const rotate = (company: TestCompany, id: string, body?: object) =>
    admin('POST', `${company.wireId}/keys/${id}/rotate`, body)

  it('keeps both keys for the overlap, then only the new one', async () => {
    const company = await server.createCompany()
    const old = (await create(company, { allowedCidrs: ['127.0.0.0/8'] })).body
    const { status, body } = await rotate(company, old.id, { overlapSeconds: 60 })
    expect(status).toBe(201)
    expect(body).toMatchObject({ ...wanted, allowedCidrs: ['127.0.0.0/8'], expiresAt: null })
    expect(body.id).not.toBe(old.id)
    expect([(await use(old.key)).status, (await use(body.key)).status]).toEqual([200, 200])
    server.clock.advance(60_000)
    expectError(await use(old.key), 'expired_api_key')
    expect((await use(body.key)).status).toBe(200)
  })

  it('overlaps by 24 hours by default, and with 0 the old key ends immediately', async () => {
    const company = await server.createCompany()
    const old = (await create(company)).body
    const second = (await rotate(company, old.id)).body
    expect((await list(company)).find(({ id }) => id === old.id)?.expiresAt).toBe(later(86_400_000))
    const third = (await rotate(company, second.id, { overlapSeconds: 0 })).body
    expectError(await use(second.key), 'expired_api_key')
    expect((await use(third.key)).status).toBe(200)
  })

  it('gives the successor the lifetime of its predecessor', async () => {
    const company = await server.createCompany()
    const old = (await create(company, { expiresAt: later(7 * 86_400_000) })).body
    server.clock.advance(86_400_000)
    expect((await rotate(company, old.id)).body.expiresAt).toBe(later(7 * 86_400_000))
  })

  it('never extends a key that would have ended earlier', async () => {
    const company = await server.createCompany()
    const expiresAt = later(1000)
    const old = (await create(company, { expiresAt })).body
    await rotate(company, old.id)
    expect((await list(company)).find(({ id }) => id === old.id)?.expiresAt).toBe(expiresAt)
  })

  it('lets one of several concurrent rotations succeed, and tells the others which key it created', async () => {
    const company = await server.createCompany()
    const old = (await create(company)).body
    const answers = await Promise.all(Array.from({ length: 8 }, () => rotate(company, old.id, { overlapSeconds: 60 })))
    const made = answers.filter(({ status }) => status === 201)
    expect(made).toHaveLength(1)
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      expect(expectError(answer, 'key_already_rotated').details).toEqual({ successorId: made[0]?.body.id })
    }
    // The company's first key, the old one and its successor.
    expect(await list(company)).toHaveLength(3)
    expectError(await rotate(company, old.id), 'key_already_rotated')
    expect((await rotate(company, made[0]?.body.id ?? '')).status).toBe(201)
  })

  it.each([-1, 604_801, 1.5, '60'])('refuses an overlap of %j', async (overlapSeconds) => {
    const company = await server.createCompany()
    const { id } = (await create(company)).body
    expectError(await rotate(company, id, { overlapSeconds }), 'validation_failed')
  })

  it('of a key that has ended is refused, and of a missing key answers 404', async () => {
    const company = await server.createCompany()
    const { id } = (await create(company)).body
    await admin('DELETE', `${company.wireId}/keys/${id}`)
    expectError(await rotate(company, id), 'validation_failed')
    expectError(await rotate(company, `key_${'f'.repeat(32)}`), 'not_found')
    expectError(await rotate(await server.createCompany(), id), 'not_found')
  })
})

describe('revocation', () => {
  it('takes effect on the next request in this process, and may be repeated', async () => {
    const company = await server.createCompany()
    const { id, key } = (await create(company)).body
    expect((await use(key)).status).toBe(200)
    const revoke = () => admin('DELETE', `${company.wireId}/keys/${id}`)
    const answer = await revoke()
    expect([answer.status, answer.text]).toEqual([204, ''])
    expectError(await use(key), 'revoked_api_key')
    const revokedAt = (await list(company))[0]?.revokedAt
    server.clock.advance(1000)
    expect((await revoke()).status).toBe(204)
    expect((await list(company))[0]?.revokedAt).toBe(revokedAt)
    expectError(await admin('DELETE', `${(await server.createCompany()).wireId}/keys/${id}`), 'not_found')
  })

  it('takes effect in another process without a restart, as does the verification', async () => {
    const { db, clock } = server
    const log = createLog({ level: 'silent' })
    const other = await createApp({ db, clock, log, config: readTestConfig({}), secretKey: Buffer.alloc(32, 7) })
    try {
      const ask = async (key: string) =>
        (await other.server.inject({ url: '/api/v1/holders', headers: { authorization: `Bearer ${key}` } })).statusCode
      const company = await server.createCompany()
      const [one, two] = [(await create(company)).body, (await create(company)).body]
      expect([await ask(one.key), await ask(two.key)]).toEqual([200, 200])
      await admin('DELETE', `${company.wireId}/keys/${one.id}`)
      await expect.poll(() => ask(one.key)).toBe(401)
      expect(await ask(two.key)).toBe(200)
      await admin('POST', `${company.wireId}/verification`, { decision: 'reject' })
      await expect.poll(() => ask(two.key)).toBe(403)
    } finally {
      await other.close()
    }
  })
})

describe('allowed addresses', () => {
  it.each([
    ['203.0.113.0/24', '203.0.113.255', 200],
    ['203.0.113.0/24', '203.0.114.1', 403],
    ['203.0.113.0/24', '::ffff:203.0.113.7', 200],
    ['203.0.113.7/32', '203.0.113.7', 200],
    ['203.0.113.7/32', '203.0.113.8', 403],
    ['0.0.0.0/0', '198.51.100.1', 200],
    ['0.0.0.0/0', '2001:db8::1', 403],
    ['2001:db8::/32', '2001:db8:ffff::1', 200],
    ['2001:db8::/32', '2001:db9::1', 403],
    ['2001:db8::1/128', '2001:DB8:0:0:0:0:0:1', 200],
    ['::/0', '2001:db8::1', 200],
  ])('%s and the address %s give %i', async (cidr, address, status) => {
    const { key } = (await create(await server.createCompany(), { allowedCidrs: [cidr] })).body
    expect((await use(key, address)).status).toBe(status)
  })

  it('one matching block of several is enough', async () => {
    const { key } = (await create(await server.createCompany(), { allowedCidrs: ['203.0.113.0/24', '2001:db8::/32'] }))
      .body
    expect([(await use(key, '203.0.113.1')).status, (await use(key, '2001:db8::1')).status]).toEqual([200, 200])
    expectError(await use(key, '198.51.100.1'), 'address_not_allowed')
  })
})

it('the time of last use is soon written, even by a process that stops', async () => {
  const { db, clock } = server
  const company = await server.createCompany()
  const { key, id } = (await create(company)).body
  const log = createLog({ level: 'silent' })
  const other = await createApp({ db, clock, log, config: readTestConfig({}), secretKey: Buffer.alloc(32, 7) })
  await other.server.inject({ url: '/api/v1/holders', headers: { authorization: `Bearer ${key}` } })
  await other.close()
  expect((await list(company)).find((row) => row.id === id)?.lastUsedAt).toBe(clock.now().toISOString())
})
