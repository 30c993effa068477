// Headers of every answer: the request id, and the security headers for browsers.
import { afterAll, describe, expect, it } from 'vitest'
import { TestServer } from '../../support/harness.ts'
import { expectError } from '../expect-error.ts'

const server = await TestServer.start()
const { key } = await server.createCompany()
afterAll(() => server.stop())

const GENERATED = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const withId = (id: string, path = '/api/v1/nothing') =>
  server.request('GET', path, { token: key, headers: { 'x-request-id': id } })

describe('X-Request-Id', () => {
  it.each(['a', 'req_1', '0190-ab:cd/ef+gh=.z', 'x'.repeat(128)])(
    '%s comes back, in the header and in the error',
    async (id) => {
      const body = expectError(await withId(id), 'not_found')
      expect(body.requestId).toBe(id)
      expect((await withId(id, '/api/v1/cards')).headers.get('x-request-id')).toBe(id)
    },
  )

  it.each(['x'.repeat(129), 'a b', '<script>', '"', 'a,b', 'é', 'a;b', '{}', 'cstk_live_x', '4111111111111111'])(
    '%s is replaced by one of ours',
    async (id) => {
      expect(expectError(await withId(id), 'not_found').requestId).toMatch(GENERATED)
    },
  )

  it('is generated for each request that has none', async () => {
    const ids = await Promise.all(
      Array.from({ length: 20 }, async () => (await server.get('/api/v1/cards', key)).headers.get('x-request-id')),
    )
    expect(new Set(ids).size).toBe(20)
    for (const id of ids) expect(id).toMatch(GENERATED)
  })
})

describe('security headers', () => {
  const requests: [string, () => ReturnType<TestServer['request']>][] = [
    ['a success', () => server.get('/api/v1/products', key)],
    ['a stream', () => server.get('/api/v1/cards', key)],
    ['a refusal without a key', () => server.request('GET', '/api/v1/cards')],
    ['an unknown path', () => server.request('GET', '/nothing')],
    ['a wrong method', () => server.request('DELETE', '/api/v1/cards')],
    ['a bad path', () => server.request('GET', '/api/v1/cards/%25%')],
    ['a public path', () => server.request('GET', '/healthz')],
  ]
  it.each(requests)('are set on %s', async (_name, send) => {
    const { headers } = await send()
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    })
    expect(headers.get('x-powered-by')).toBeNull()
    expect(headers.get('server')).toBeNull()
    expect(headers.get('access-control-allow-origin')).toBeNull()
  })
})
