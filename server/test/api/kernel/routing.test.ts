// Routing: unknown paths, wrong methods, HEAD, and malformed paths.
import { afterAll, describe, expect, it } from 'vitest'
import { TestServer } from '../../support/harness.ts'
import { expectError } from '../expect-error.ts'
import { parseRaw, sendRaw } from './raw.ts'

const server = await TestServer.start()
const { key } = await server.createCompany()
afterAll(() => server.stop())

const METHODS = [
  'GET',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'PROPFIND',
  'QUERY',
  'PURGE',
  'TRACE',
  'LOCK',
] as const
const fill = (path: string) => path.replaceAll(/:\w+/g, 'x')
const paths = [...new Set(server.app.routes.map((route) => route.path))]
const methodsOf = (path: string) =>
  server.app.routes
    .filter((route) => route.path === path)
    .flatMap(({ method }) => (method === 'GET' ? [method, 'HEAD'] : [method]))

describe('a path that does not exist', () => {
  it.each([
    '/nothing',
    '/api',
    '/api/v1',
    '/api/v1/',
    '/api/v1/nothing',
    '/api/v2/cards',
    '/API/v1/cards',
    '/api/v1//cards',
    '/admin/v1',
    '/favicon.ico',
    '/openapi.json/x',
    '/.env',
  ])('%s answers 404, with or without a key', async (path) => {
    expectError(await server.request('GET', path), 'not_found')
    expectError(await server.request('POST', path, { token: key, body: { a: 1 } }), 'not_found')
  })

  it('answers 404 to an unusual method too', async () => {
    const text = await sendRaw(server.baseUrl, 'PROPFIND /nowhere HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    expect(parseRaw(text)).toMatchObject({ status: 404, body: { code: 'not_found' } })
  })
})

describe.each(paths)('%s', (path) => {
  const allowed = methodsOf(path)
  it.each(METHODS.filter((method) => !allowed.includes(method)))(
    'answers 405 to %s and says what is allowed',
    async (method) => {
      const text = await sendRaw(
        server.baseUrl,
        `${method} ${fill(path)} HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
      )
      const answer = parseRaw(text)
      expectError(answer, 'method_not_allowed')
      expect(answer.headers.get('allow')?.split(', ').toSorted()).toEqual(allowed.toSorted())
    },
  )
})

describe('HEAD', () => {
  it('answers like GET without a body', async () => {
    const answer = await server.request('HEAD', '/api/v1/cards', { token: key })
    expect(answer.status).toBe(200)
    expect(answer.text).toBe('')
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
  })

  it('needs a key where GET does', async () => {
    const answer = await server.request('HEAD', '/api/v1/cards')
    expect([answer.status, answer.text]).toEqual([401, ''])
  })

  it('answers 405 where there is no GET', async () => {
    const posts = paths.find((path) => !methodsOf(path).includes('GET')) ?? ''
    expect((await server.request('HEAD', fill(posts))).status).toBe(405)
  })
})

describe('a path that cannot be read', () => {
  it.each(['/api/v1/cards/%', '/api/v1/cards/%zz', '/api/v1/holders/%e0%a4%a', '/%'])(
    '%s answers 400',
    async (path) => {
      const answer = parseRaw(
        await sendRaw(server.baseUrl, `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`),
      )
      expectError(answer, 'validation_failed')
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    },
  )

  it('answers 400 to U+0000 in a path and in a query', async () => {
    expectError(await server.get('/api/v1/cards/card_%00', key), 'validation_failed')
    expectError(await server.get('/api/v1/holders?email=%00', key), 'validation_failed')
  })

  it('answers 404 to an id that is far too long', async () => {
    expectError(await server.get(`/api/v1/cards/card_${'0'.repeat(2000)}`, key), 'not_found')
  })

  it.each([
    'card_',
    'card_0',
    `card_${'g'.repeat(32)}`,
    `card_${'0'.repeat(33)}`,
    `CARD_${'0'.repeat(32)}`,
    `hld_${'0'.repeat(32)}`,
    '0'.repeat(32),
    'card_%2e%2e',
    '..%2f',
    '%20',
    "'",
    'null',
  ])('answers 404 to the malformed card id %s', async (id) => {
    expectError(await server.get(`/api/v1/cards/${id}`, key), 'not_found')
  })
})
