// POST /holders, once per idempotency key: 201, the replay, 400 and 409.
import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import { TestServer } from '../../support/harness.ts'
import { expectError } from '../expect-error.ts'
import type { ListBody } from '../rows.ts'

const server = await TestServer.start()
afterAll(() => server.stop())

const ADA = { name: 'Ada Lovelace', email: 'ada@example.com', kind: 'individual', externalId: 'a-1' }
const post = (token: string, body: unknown, idempotencyKey: string) =>
  server.request('POST', '/api/v1/holders', { token, body, idempotencyKey })
const count = async (token: string) => (await server.get<ListBody>('/api/v1/holders', token)).body.data.length

describe('201', () => {
  it('returns the holder, active immediately in the sandbox, with its Location', async () => {
    const { key } = await server.createCompany()
    const answer = await post(key, ADA, 'k1')
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({ id: expect.stringMatching(/^hld_[0-9a-f]{32}$/), ...ADA, status: 'active' })
    const location = answer.headers.get('location') ?? ''
    expect(location).toBe(`/api/v1/holders/${String(answer.body['id'])}`)
    expect((await server.get(location, key)).body).toEqual(answer.body)
    expect(answer.headers.get('idempotent-replayed')).toBeNull()
  })

  it('a live holder waits for the operator', async () => {
    const { id } = await server.createCompany()
    const live = await server.createKey(id, { environment: 'live' })
    expect((await post(live, ADA, 'k1')).body['status']).toBe('pending')
  })

  it('two holders may be equal; only the idempotency key distinguishes requests', async () => {
    const { key } = await server.createCompany()
    await post(key, ADA, 'k1')
    await post(key, ADA, 'k2')
    expect(await count(key)).toBe(2)
  })
})

describe('the same key again', () => {
  it('returns the first answer, byte for byte, marked as a replay', async () => {
    const { key, wireId, id } = await server.createCompany()
    const first = await post(key, ADA, 'k1')
    // Whatever happened to the holder since, the first answer is repeated.
    const path = `/admin/v1/companies/${wireId}/holders/${String(first.body['id'])}`
    const blocked = await server.request('PATCH', path, {
      token: server.operatorToken,
      body: { environment: 'sandbox', status: 'blocked' },
    })
    expect(blocked.body['status']).toBe('blocked')
    const change = { name: 'Ada King', email: 'king@example.com', externalId: null }
    const changed = await server.request('PATCH', `/api/v1/holders/${String(first.body['id'])}`, {
      token: key,
      body: change,
    })
    expect(changed.body['name']).toBe('Ada King')
    // Another key of the company, white space and the order of fields make no difference.
    const text = JSON.stringify(Object.fromEntries(Object.entries(ADA).toReversed()), null, 2)
    const second = await post(await server.createKey(id), text, 'k1')
    expect([second.status, second.text]).toEqual([first.status, first.text])
    expect(second.headers.get('location')).toBe(first.headers.get('location'))
    expect(second.headers.get('idempotent-replayed')).toBe('true')
    expect(await count(key)).toBe(1)
  })

  it('with another body answers 409 with the id of the original and creates nothing', async () => {
    const { key } = await server.createCompany()
    const first = await post(key, ADA, 'k1')
    const { details } = expectError(await post(key, { ...ADA, name: 'Ada' }, 'k1'), 'idempotency_conflict')
    expect(details).toEqual({ originalId: first.body['id'] })
    expect(await count(key)).toBe(1)
  })

  it('concurrent requests create one holder and all return it', async () => {
    const { key } = await server.createCompany()
    const answers = await Promise.all(Array.from({ length: 12 }, () => post(key, ADA, 'k1')))
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(answers.filter(({ headers }) => headers.get('idempotent-replayed') === null)).toHaveLength(1)
    expect(await count(key)).toBe(1)
  })

  it('is not consumed by a refused request', async () => {
    const { key } = await server.createCompany()
    expectError(await post(key, { ...ADA, email: 'nonsense' }, 'k1'), 'validation_failed')
    expect((await post(key, ADA, 'k1')).status).toBe(201)
  })

  it('is independent in another company and in the other environment', async () => {
    const one = await server.createCompany()
    const other = await server.createCompany()
    const live = await server.createKey(one.id, { environment: 'live' })
    const ids = [await post(one.key, ADA, 'k'), await post(other.key, ADA, 'k'), await post(live, ADA, 'k')].map(
      ({ body }) => body['id'],
    )
    expect(new Set(ids).size).toBe(3)
  })
})

describe('the format of the key', () => {
  it.each([
    ['128 characters', 'x'.repeat(128)],
    ['one character', '!'],
    ['punctuation', '"\\/<>{}~;,'],
    ['a UUID', randomUUID()],
  ])('%s is accepted', async (_name, idempotencyKey) => {
    const { key } = await server.createCompany()
    expect((await post(key, ADA, idempotencyKey)).status).toBe(201)
  })

  it('is case-sensitive', async () => {
    const { key } = await server.createCompany()
    await post(key, ADA, 'k')
    await post(key, ADA, 'K')
    expect(await count(key)).toBe(2)
  })

  it.each([
    ['129 characters', 'x'.repeat(129)],
    ['a space inside', 'a b'],
    ['a letter beyond ASCII', 'é'],
    ['a tab', 'a\tb'],
  ])('%s is refused', async (_name, idempotencyKey) => {
    const { key } = await server.createCompany()
    expectError(await post(key, ADA, idempotencyKey), 'idempotency_key_invalid')
    expect(await count(key)).toBe(0)
  })

  it('a missing or empty key is refused', async () => {
    const { key } = await server.createCompany()
    expectError(await server.request('POST', '/api/v1/holders', { token: key, body: ADA }), 'idempotency_key_missing')
    expectError(await post(key, ADA, ''), 'idempotency_key_missing')
    expect(await count(key)).toBe(0)
  })
})
