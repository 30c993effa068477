// The life of an operator token: shown once, listed with its last use, revoked in every process, and never the last one.
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { findTokenKind } from '../../../src/access/tokens.ts'
import { createApp } from '../../../src/app/app.ts'
import { createLog } from '../../../src/lib/log.ts'
import { TestServer } from '../../support/harness.ts'
import { readTestConfig } from '../../support/on-citus.ts'
import { expectError } from '../expect-error.ts'

const server = await TestServer.start({ OPERATOR_RATE_LIMIT_PER_SECOND: '100000' })
afterAll(() => server.stop())

interface Token {
  id: string
  name: string
  token: string
  prefix: string
  last4: string
  revokedAt: string | null
  lastUsedAt: string | null
}

const PATH = '/admin/v1/operator-tokens'
const create = (body: unknown = { name: 'Grace Hopper' }, token = server.operatorToken) =>
  server.request<Token>('POST', PATH, { token, body })
const revoke = (id: string, token = server.operatorToken) => server.request('DELETE', `${PATH}/${id}`, { token })
const list = async () => (await server.get<{ data: Token[] }>(`${PATH}?limit=100`, server.operatorToken)).body.data
const use = (token: string) => server.get('/admin/v1/companies', token)
const auditLog = async () => {
  const { body } = await server.get<{ data: { action: string; object: string; actor: string; details: object }[] }>(
    '/admin/v1/audit-log',
    server.operatorToken,
  )
  return body.data.filter(({ action }) => action.startsWith('operator_token'))
}
const isOwn = ({ name }: Token) => name === 'test'
const another = () =>
  createApp({
    db: server.db,
    clock: server.clock,
    log: createLog({ level: 'silent' }),
    config: readTestConfig({}),
    secretKey: Buffer.alloc(32, 7),
  })

/** Leaves only the token of the harness active. */
afterEach(async () => {
  for (const token of await list()) if (!isOwn(token) && token.revokedAt === null) await revoke(token.id)
})

describe('a new token', () => {
  it('is shown once, works immediately, is stored only as a digest, and is in the audit log', async () => {
    const { status, body, headers } = await create()
    expect(status).toBe(201)
    expect(body).toMatchObject({ name: 'Grace Hopper', createdAt: server.clock.now().toISOString() })
    expect(findTokenKind(body.token)).toBe('operator')
    expect([body.token.startsWith(body.prefix), body.token.endsWith(body.last4)]).toEqual([true, true])
    expect(headers.get('location')).toBe(`${PATH}/${body.id}`)
    expect((await use(body.token)).status).toBe(200)
    const [line] = await auditLog()
    expect(line).toMatchObject({
      action: 'operator_token.created',
      object: body.id,
      actor: expect.stringMatching(/^operator key_/),
      details: { name: 'Grace Hopper' },
    })
    const rows = await server.db.many({
      name: undefined,
      text: 'select t::text as text from operator_token t union all select a::text from audit_log a',
      values: [],
    })
    expect(JSON.stringify(rows)).not.toContain(body.token.slice(-49).slice(4, 20))
  })

  it('appears in the list without its secret, newest first', async () => {
    server.clock.advance(1000)
    const made = (await create()).body
    const answer = await server.get<{ data: Token[]; nextCursor: string }>(`${PATH}?limit=1`, server.operatorToken)
    expect(answer.text).not.toContain(made.token)
    expect(answer.body.data).toEqual([{ ...made, token: undefined, revokedAt: null, lastUsedAt: null }])
    expect(answer.body.nextCursor).toEqual(expect.any(String))
  })

  it.each([
    ['no name', {}],
    ['an empty name', { name: '' }],
    ['a name of spaces', { name: '  ' }],
    ['a name of 256 characters', { name: 'x'.repeat(256) }],
    ['a name with a control character', { name: 'a\u0007' }],
    ['an unknown field', { name: 'x', scopes: [] }],
  ])('with %s is refused', async (_name, body) => {
    const before = (await list()).length
    expectError(await create(body), 'validation_failed')
    expect(await list()).toHaveLength(before)
  })

  it('names itself in the audit log when it acts', async () => {
    const made = (await create()).body
    const other = (await create({ name: 'Other' }, made.token)).body
    expect((await auditLog())[0]).toMatchObject({ object: other.id, actor: `operator ${made.id}` })
  })
})

describe('the limit', () => {
  it('of 20 active tokens holds for concurrent requests, and a revoked token makes room', async () => {
    const answers = await Promise.all(Array.from({ length: 25 }, () => create()))
    const made = answers.filter(({ status }) => status === 201)
    // The token of the harness is one of the 20.
    expect(made).toHaveLength(19)
    for (const answer of answers.filter(({ status }) => status !== 201)) expectError(answer, 'operator_token_limit')
    expect((await revoke(made[0]?.body.id ?? '')).status).toBe(204)
    expect((await create()).status).toBe(201)
  })
})

describe('revocation', () => {
  it('takes effect on the next request, may be repeated, and is logged once', async () => {
    const { id, token } = (await create()).body
    expect((await use(token)).status).toBe(200)
    const answer = await revoke(id)
    expect([answer.status, answer.text]).toEqual([204, ''])
    expectError(await use(token), 'invalid_operator_token')
    const revokedAt = (await list())[0]?.revokedAt
    expect(revokedAt).toBe(server.clock.now().toISOString())
    server.clock.advance(1000)
    expect((await revoke(id)).status).toBe(204)
    expect((await list())[0]?.revokedAt).toBe(revokedAt)
    const lines = (await auditLog()).filter(({ object }) => object === id).map(({ action }) => action)
    expect(lines).toEqual(['operator_token.revoked', 'operator_token.created'])
  })

  it('takes effect in another process without a restart', async () => {
    const other = await another()
    try {
      const { id, token } = (await create()).body
      const ask = async () =>
        (await other.server.inject({ url: PATH, headers: { authorization: `Bearer ${token}` } })).statusCode
      expect(await ask()).toBe(200)
      await revoke(id)
      await expect.poll(ask).toBe(401)
    } finally {
      await other.close()
    }
  })

  it('of the last active token is refused, says what to do, and changes nothing', async () => {
    const own = (await list()).find(isOwn)
    const refusal = expectError(await revoke(own?.id ?? ''), 'last_operator_token')
    expect(refusal.message).toContain('Create another token first')
    expect((await use(server.operatorToken)).status).toBe(200)
  })

  it('leaves one token when two tokens revoke each other at the same time', async () => {
    const own = (await list()).find(isOwn)?.id ?? ''
    for (let round = 0; round < 5; round += 1) {
      const pair = [(await create()).body, (await create()).body]
      const [one, two] = pair
      // Everything but the pair is revoked, directly, because the API would keep the last one.
      await server.db.run({
        name: undefined,
        text: 'update operator_token set revoked_at = now() where id <> all($1::uuid[])',
        values: [pair.map(({ id }) => id.slice(4))],
      })
      const answers = await Promise.all([
        revoke(two?.id ?? '', one?.token),
        revoke(one?.id ?? '', two?.token),
        revoke(two?.id ?? '', one?.token),
      ])
      expect(answers.some(({ status }) => status === 204)).toBe(true)
      const { count } = (await server.db.find<{ count: number }>({
        name: undefined,
        text: 'select count(*)::int as count from operator_token where revoked_at is null',
        values: [],
      })) ?? { count: -1 }
      expect(count).toBe(1)
      await server.db.run({
        name: undefined,
        text: 'update operator_token set revoked_at = null where id = $1::uuid',
        values: [own.slice(4)],
      })
      server.app.keyring.forget()
    }
  })

  it('of a token that does not exist answers 404', async () => {
    expectError(await revoke(`key_${'f'.repeat(32)}`), 'not_found')
    expectError(await revoke('x'), 'not_found')
    const company = await server.createCompany()
    expectError(await revoke((await list()).find(isOwn)?.id ?? '', company.key), 'invalid_operator_token')
  })
})

it('the time of last use is soon written, and empties no cache', async () => {
  const { token, id } = (await create()).body
  const version = async () =>
    (
      await server.db.find<{ version: bigint }>({
        name: undefined,
        text: 'select version from access_version',
        values: [],
      })
    )?.version
  const other = await another()
  const before = await version()
  server.clock.advance(60_000)
  await other.server.inject({ url: PATH, headers: { authorization: `Bearer ${token}` } })
  await other.close()
  expect((await list()).find((row) => row.id === id)?.lastUsedAt).toBe(server.clock.now().toISOString())
  expect(await version()).toBe(before)
})
