// Rate limits over HTTP: every authenticated answer states them, and they affect only the key that exceeds them.
import { afterAll, describe, expect, it, vi } from 'vitest'
import { makeToken } from '../../../src/access/tokens.ts'
import { TestServer } from '../../support/harness.ts'
import { expectError } from '../expect-error.ts'

const BURST = 5
const FAILURES = 4
// So slow that the bucket does not refill while the test runs.
const server = await TestServer.start({
  RATE_LIMIT_PER_SECOND: '1',
  RATE_LIMIT_BURST: String(BURST),
  OPERATOR_RATE_LIMIT_PER_SECOND: '2',
  FAILED_AUTHENTICATION_PER_MINUTE: String(FAILURES),
  TRUST_PROXY: '1',
})
afterAll(() => server.stop())

const remaining = (headers: Headers) => Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1])

describe('per key', () => {
  it('every answer states the policy and what is left, and 429 says when to retry', async () => {
    const { key, id } = await server.createCompany()
    const first = await server.get('/api/v1/products', key)
    expect(first.headers.get('ratelimit-policy')).toBe(`"key";q=${BURST};w=${BURST}`)
    expect(first.headers.get('ratelimit')).toMatch(/^"key";r=4;t=\d+$/)
    expect(first.headers.get('retry-after')).toBeNull()
    let last = first
    for (let sent = 1; sent < 3 * BURST && last.status !== 429; sent += 1)
      last = await server.get('/api/v1/products', key)
    expectError(last, 'rate_limited')
    expect(Number(last.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    expect(remaining(last.headers)).toBe(0)
    // Another key of the same company has its own bucket.
    expect((await server.get('/api/v1/products', await server.createKey(id))).status).toBe(200)
  })

  it('a refusal after authentication has the headers and counts', async () => {
    const { id } = await server.createCompany()
    const key = await server.createKey(id, { scopes: ['webhooks:read'] })
    const answer = await server.get('/api/v1/cards', key)
    expectError(answer, 'scope_missing')
    expect(remaining(answer.headers)).toBe(BURST - 1)
  })

  it('429 comes before the check of the scope and of the body', async () => {
    const { id } = await server.createCompany()
    const key = await server.createKey(id, { scopes: ['webhooks:read'] })
    const answers = await Promise.all(
      Array.from({ length: BURST + 3 }, () => server.request('POST', '/api/v1/holders', { token: key, body: '{' })),
    )
    const statuses = answers.map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set([403, 429]))
    expect(statuses.filter((status) => status === 403).length).toBeLessThanOrEqual(BURST + 1)
  })

  it("the operator's token has its own policy", async () => {
    const answer = await server.get('/admin/v1/companies', server.operatorToken)
    expect(answer.headers.get('ratelimit-policy')).toBe('"operator";q=4;w=2')
  })
})

describe('failed authentication', () => {
  it('is answered a few times per address, then with 429, and never blocks a valid key from that address', async () => {
    const { key } = await server.createCompany()
    const answers = []
    for (let sent = 0; sent < FAILURES * 3; sent += 1) {
      answers.push(await server.get('/api/v1/products', sent % 2 === 0 ? makeToken('sandbox') : 'nonsense'))
    }
    const refused = answers.filter(({ status }) => status === 429)
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(FAILURES)
    expect(refused).toHaveLength(FAILURES * 2)
    for (const answer of refused) {
      expectError(answer, 'rate_limited')
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    }
    expect((await server.get('/api/v1/products', key)).status).toBe(200)
    expect((await server.get('/admin/v1/companies', server.operatorToken)).status).toBe(200)
  })

  it('from all addresses of one IPv6 network counts together', async () => {
    const send = async (address: string) =>
      (await server.request('GET', '/api/v1/products', { headers: { 'x-forwarded-for': address } })).status
    const statuses = []
    for (let host = 1; host <= FAILURES + 2; host += 1) statuses.push(await send(`2001:db8::${host}`))
    expect(statuses).toEqual([...Array.from({ length: FAILURES }, () => 401), 429, 429])
    expect(await send('2001:db8:0:1::1')).toBe(401)
  })

  it('causes no look-up of its own once the address is over the limit, and a new key is still accepted', async () => {
    const { id } = await server.createCompany()
    for (let sent = 0; sent <= FAILURES; sent += 1) await server.get('/api/v1/products', 'nonsense')
    const look = vi.spyOn(server.db, 'many')
    try {
      const fresh = await server.createKey(id)
      const guesses = Array.from({ length: 200 }, () => server.get('/api/v1/products', makeToken('sandbox')))
      const operators = Array.from({ length: 50 }, () => server.get('/admin/v1/companies', makeToken('operator')))
      const valid = server.get('/api/v1/products', fresh)
      for (const answer of await Promise.all([...guesses, ...operators])) expectError(answer, 'rate_limited')
      expect((await valid).status).toBe(200)
      const queries = look.mock.calls.filter(([{ text }]) => /from api_key k|from operator_token/.test(text))
      // With the limit there are at most ten look-ups per second for each kind of token, however slow the machine is.
      expect(queries.length).toBeLessThan((guesses.length + operators.length) / 2)
    } finally {
      look.mockRestore()
    }
  })

  it('concurrent guesses all count', async () => {
    const other = await TestServer.start({ FAILED_AUTHENTICATION_PER_MINUTE: String(FAILURES) })
    try {
      const answers = await Promise.all(
        Array.from({ length: 40 }, () => other.get('/api/v1/products', makeToken('sandbox'))),
      )
      expect(answers.filter(({ status }) => status === 401)).toHaveLength(FAILURES)
    } finally {
      await other.stop()
    }
  })

  it('valid keys do not use up the limit', async () => {
    const other = await TestServer.start({ FAILED_AUTHENTICATION_PER_MINUTE: String(FAILURES) })
    try {
      const { id } = await other.createCompany()
      for (let made = 0; made < FAILURES * 2; made += 1) {
        expect((await other.get('/api/v1/products', await other.createKey(id))).status).toBe(200)
      }
      expectError(await other.get('/api/v1/products', makeToken('sandbox')), 'invalid_api_key')
    } finally {
      await other.stop()
    }
  })
})
